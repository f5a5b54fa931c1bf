// The panel Pixel: the history of the picked pixel, and why it has its value.

import { colorText, counted, hex, reveal, sentence } from "pspge/base/dom.js";
import { keyOf } from "pspge/base/keys.js";
import { useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import type { PixelDocument, PixelEntry } from "pspge/documents.js";
import { FragmentSteps } from "pspge/panels/fragment-steps.js";
import { storedComponents } from "pspge/picture/picture-pixels.js";
import { runKey } from "pspge/state/run.js";
import { Mono, Swatch, Toggle, useMore } from "pspge/widgets/controls.js";
import { NumberField } from "pspge/widgets/fields.js";
import { EventLink } from "pspge/widgets/links.js";
import { panelOf, useLoaded, usePanel } from "pspge/widgets/panel.js";

/** Entries that are shown at once; a button shows more. */
const SHOWN = 200;

export const create = panelOf({ id: "pixel", title: "Pixel", className: "panel pixel-panel" }, PixelPanel);

function PixelPanel() {
  const { app, selection } = usePanel();
  const { pixel } = selection;
  const [isOnlyWritten, setOnlyWritten] = useState(false);
  const buffer = app.shownBuffer();
  const key = pixel && runKey(app, pixel, buffer);
  const { answer: history } = useLoaded(key, () => app.pixelHistory());
  // A number that is written waits for the other one.
  const picked = useRef<(number | null)[]>([]);
  useLayoutEffect(() => {
    picked.current = [...(pixel ?? [null, null])];
  }, [pixel]);
  const pick = (axis: 0 | 1) => (number: number) => {
    picked.current[axis] = number;
    const [x = null, y = null] = picked.current;
    if (x !== null && y !== null) {
      app.store.set({ pixel: [x, y] });
    }
  };
  return (
    <>
      <div class="pane-head">
        <NumberField label="x" aria-label="Column" class="coordinate" value={pixel?.[0] ?? null} most={(buffer?.width ?? 1) - 1} onEnter={pick(0)} />
        <NumberField label="y" aria-label="Row" class="coordinate" value={pixel?.[1] ?? null} most={(buffer?.height ?? 1) - 1} onEnter={pick(1)} />
        <span class="muted">{buffer && `in ${hex(buffer.address)} ${buffer.format}`}</span>
        <span class="spacer" />
        <Toggle text="only changes" isOn={isOnlyWritten} onChange={setOnlyWritten} />
      </div>
      <div class="scroll">
        <div class="verdict" role="status">{history && <Verdict history={history} />}</div>
        <p class="muted" hidden={pixel !== null}>Click a pixel in the picture, or write its column and row above. The arrow keys with Ctrl move it.</p>
        <ol class="history">{history && <Entries key={`${history.x},${history.y}`} history={history} isOnlyWritten={isOnlyWritten} />}</ol>
      </div>
    </>
  );
}

function Verdict({ history }: { history: PixelDocument }) {
  const { before, after, writer, verdict, is_complete: isComplete, entries, draws, target } = history;
  const written = entries.filter((entry) => entry.written).length;
  return (
    <>
      <p class="verdict-text">{sentence(storedVerdict(verdict, target.format))}</p>
      <p>
        <Value value={before} format={target.format} /> → <Value value={after} format={target.format} />
        {writer !== null && <>{" last written by "}<EventLink event={writer} after /></>}
      </p>
      <p class="muted">
        {`${counted(entries.length, "event")} of a run with ${counted(draws, "draw")} touched the pixel, ${written} wrote it. `}
        <kbd>{keyOf("nextPixelEvent")}</kbd> and <kbd>{keyOf("previousPixelEvent")}</kbd> step through these.
      </p>
      {!isComplete && <p class="problem">A limit ended the explanations, so that events may be missing.</p>}
    </>
  );
}

function Value({ value: { bits, color }, format }: { value: { bits: number; color: number[] }; format: string }) {
  return <><Swatch color={color} /><Mono title={`stored as ${hex(bits)}`}>{colorText(storedComponents(color, format))}</Mono></>;
}

/** The entries, the newest first: the value at the end comes from there. */
function Entries({ history, isOnlyWritten }: { history: PixelDocument; isOnlyWritten: boolean }) {
  const newest = history.entries.filter((entry) => entry.written || !isOnlyWritten).toReversed();
  const [shown, more] = useMore(newest, SHOWN, "earlier");
  return <>{shown.map((entry, index) => <Entry key={entry.event} {...{ entry, history }} isFirst={index === 0} />)}{more && <li key="more">{more}</li>}</>;
}

function Entry({ entry, history: { target: { format }, writer }, isFirst }: { entry: PixelEntry; history: PixelDocument; isFirst: boolean }) {
  const { event, written, before, after, from, fragments } = entry;
  const { selection } = usePanel();
  const item = useRef<HTMLLIElement>(null);
  const isSelected = event === selection.event;
  const [isOpen, setOpen] = useState(event === writer || (writer === null && isFirst));
  useLayoutEffect(() => {
    if (isSelected) {
      setOpen(true);
      reveal(item.current);
    }
  }, [isSelected]);
  const kind = entry.kind === "draw" ? entry.primitive : entry.kind === "cpu" ? `action of the CPU: ${entry.action}` : "block transfer";
  return (
    <li ref={item} class={`entry ${written ? "is-written" : "is-kept"}${isSelected ? " is-selected" : ""}`} aria-current={isSelected}>
      <div class="entry-head">
        <EventLink event={event} after />
        <span class="muted">{` ${kind}`}</span>
        {event === writer && <span class="badge">last writer</span>}
        <span class="spacer" />
        <span class="entry-change">
          {written ? <><Value value={before} format={format} /> → <Value value={after} format={format} /></> : <span class="muted">not written</span>}
        </span>
      </div>
      <p class="entry-verdict">{sentence(withoutDraw(storedVerdict(entry.verdict, format)))}</p>
      {typeof from === "number" && <p class="muted">copied from <Mono>{hex(from)}</Mono></p>}
      {fragments.length > 0 && (
        <details open={isOpen} onToggle={(toggled) => setOpen(toggled.currentTarget.open)}>
          <summary>{fragments.length === 1 ? "Its fragment, step by step" : `${fragments.length} fragments, step by step`}</summary>
          <div class="fragments">
            {isOpen && fragments.map((fragment) => <FragmentSteps fragment={fragment} event={event} isOnly={fragments.length === 1} format={format} />)}
          </div>
        </details>
      )}
    </li>
  );
}

/** Returns a verdict. Its colours are stored ones; the engine writes an alpha, also if the format has none. */
function storedVerdict(text: string, format: string): string {
  return format === "BGR5650" ? text.replace(/(#[0-9a-f]{6})[0-9a-f]{2}\b/g, "$1") : text;
}

/** Removes the name of the draw, which the link has. */
function withoutDraw(verdict: string): string {
  return verdict.replace(/^(?:draw|event) \d+(?: of \d+)?[,:] /i, "");
}
