// Describes a node of the graph of passes.

import { count, counted, hex } from "pspge/base/dom.js";
import type { ComponentChild } from "pspge/base/preact.js";
import type { PassesDocument, PassInfo, TargetInfo } from "pspge/documents.js";
import { type GraphNode, nodeId } from "pspge/panels/graph-folds.js";
import { openWith } from "pspge/state/wishes.js";
import { Button, Facts, Link, Separated } from "pspge/widgets/controls.js";
import { DrawLinks, EventLink } from "pspge/widgets/links.js";
import { useApp } from "pspge/widgets/panel.js";

/** Most links to other passes of a target. */
const MOST_LINKS = 24;

interface DetailProps {
  document: PassesDocument;
  choose: (id: string) => void;
}

/** Describes the chosen node. */
export function Detail({ document, node, choose, open }: DetailProps & { node: GraphNode | undefined; open: (node: GraphNode) => void }) {
  const app = useApp();
  const pass = document.passes.find((other) => `pass-${other.pass}` === node?.id);
  if (!node || pass) {
    return pass ? <PassDetail document={document} pass={pass} choose={choose} /> : null;
  }
  const { kind, event } = node;
  return (
    <>
      <Title text={node.title} badges={node.badges} />
      <div class="toolbar">
        {event !== null && kind !== "fold" && <Button onClick={() => app.selectEvent(event)}>Select event</Button>}
        {event === null && kind === "screen" && <Button onClick={() => app.selectEvent(document.events)}>Select the end</Button>}
        {kind === "fold" && <Button title="Show its nodes (Enter)" onClick={() => open(node)}>Unfold</Button>}
      </div>
      {node.lines.map((line) => <p>{line}</p>)}
      {kind === "fold" && node.passes.length > 0 && <p class="muted">Each of these passes only continues the picture of the one before.</p>}
      <Neighbours document={document} id={node.id} nothing="" choose={choose} />
    </>
  );
}

function Title({ text, badges }: { text: string; badges: string[] }) {
  return <h3>{text}{badges.map((badge) => <>{" "}<span class="badge">{badge}</span></>)}</h3>;
}

function PassDetail({ document, pass, choose }: DetailProps & { pass: PassInfo }) {
  const app = useApp();
  const { color, depth, drawn } = pass;
  const target = document.targets.find((other) => other.format && other.address === color.address && other.format === color.format);
  const layout = { ...color, width: target?.width ?? 480, height: target?.height ?? 272, swizzled: false, palette: null };
  const others = document.passes.filter((other) => other !== pass && other.color_written && other.color.address === color.address);
  const depthUse = depth && [depth.is_tested && "tested", depth.is_written && "written"].filter(Boolean).join(" and ");
  const links = others.slice(0, MOST_LINKS).map((other) => <Link onClick={() => choose(`pass-${other.pass}`)}>{`pass ${other.pass}`}</Link>);
  const more = others.length > MOST_LINKS && ` and ${others.length - MOST_LINKS} more`;
  const rows: [string, ComponentChild][] = [
    ["draws", <><DrawLinks draws={[pass.first_draw]} /> to <DrawLinks draws={[pass.last_draw]} />{` (${pass.draws})`}</>],
    ["colour", `${targetText(color)}, ${pass.color_written ? "written" : "not written"}`],
    ["also drawn by", others.length > 0 ? <><Separated items={links} />{more}</> : null],
    ["depth", depth ? `${hex(depth.address)}, stride ${depth.stride}, ${depthUse || "neither tested nor written"}` : "not used"],
    ["pixels", `${count(pass.pixels)} covered by ${counted(pass.primitives, "primitive")}`],
    ["drawn to", drawn ? `columns ${drawn.left} to ${drawn.right}, rows ${drawn.top} to ${drawn.bottom}` : "no pixel"],
  ];
  return (
    <>
      <Title text={`Pass ${pass.pass}`} badges={badgesOf(pass)} />
      <div class="toolbar">
        <Button onClick={() => app.selectEvent(pass.first_event)}>First draw</Button>
        <Button onClick={() => app.selectEvent(pass.last_event)}>Last draw</Button>
        <Button title="List only the events of this pass" onClick={() => app.filterEvents(`pass:${pass.pass}`)}>Filter events</Button>
        <Button title="Show its colour buffer in memory" onClick={() => openWith(app, "memory", { layout })}>Show in memory</Button>
      </div>
      <Facts rows={rows} />
      <Neighbours document={document} id={`pass-${pass.pass}`} nothing={pass.is_read ? "" : "Nothing reads its result."} choose={choose} />
      <Titled title="Clears">
        {pass.clears.slice(0, 100).map(({ draw, ...planes }) => (
          <li>
            <DrawLinks draws={[draw]} />
            {` clears ${[planes.color && "colour", planes.stencil && "stencil", planes.depth && "depth"].filter(Boolean).join(", ") || "nothing"}`}
          </li>
        ))}
      </Titled>
      <Titled title="Textures">
        {pass.textures.slice(0, 200).map((use) => {
          const texture = document.textures[use.texture];
          const sources = [
            ...use.passes.map((from) => <Link onClick={() => choose(`pass-${from}`)}>{`pass ${from}`}</Link>),
            ...use.copies.map((event) => <EventLink event={event} />),
          ];
          return (
            <li>
              {`${texture?.width}×${texture?.height} ${texture?.format} at ${hex(texture?.addresses[0])}`}
              {sources.length > 0 && ", from "}
              <Separated items={sources} />
              {": draws "}
              <DrawLinks draws={use.draws} most={8} />
            </li>
          );
        })}
      </Titled>
    </>
  );
}

/** A list with its title, or what stands for an empty one. */
function Titled({ title, nothing = "", children }: { title: string; nothing?: string; children: ComponentChild[] }) {
  if (children.length === 0) {
    return nothing ? <p>{nothing}</p> : null;
  }
  return <><h4>{title}</h4><ul>{children}</ul></>;
}

/** The nodes that a node reads, and its readers. */
function Neighbours({ document, id, nothing, choose }: DetailProps & { id: string; nothing: string }) {
  const lines = (own: "from" | "to", end: "from" | "to") => {
    const edges = document.edges.filter((edge) => nodeId(edge[own]) === id && nodeId(edge[end]) !== id);
    return [...Map.groupBy(edges, (edge) => nodeId(edge[end]))].slice(0, 100).map(([name, same]) => {
      const { kind, pass, event } = same[0][end];
      const kinds = new Set(same.map((edge) => edge.kind));
      const bytes = same.reduce((sum, edge) => sum + edge.bytes, 0);
      return (
        <li key={name}>
          <Link onClick={() => choose(name)}>{kind === "pass" ? `pass ${pass}` : event === null ? "the screen at the end" : `${kind}, event ${event}`}</Link>
          {`: ${[...kinds].join(", ")}${bytes > 0 ? `, ${counted(bytes, "byte")}` : ""}`}
        </li>
      );
    });
  };
  return <><Titled title="Reads">{lines("to", "from")}</Titled><Titled title="Is read by" nothing={nothing}>{lines("from", "to")}</Titled></>;
}

export function range(first: number, last: number): string {
  return first === last ? String(first) : `${first}–${last}`;
}

export function targetText({ address, stride, format }: TargetInfo): string {
  return `${hex(address)} ${format} ${stride}`;
}

export function badgesOf(pass: PassInfo): string[] {
  return [...(pass.is_read ? [] : ["not read"]), ...(pass.is_read && !pass.is_shown ? ["not shown"] : [])];
}
