// The controls that panels share, as components: buttons, choices, facts and borders.

import { colorText } from "pspge/base/dom.js";
import { ICONS } from "pspge/base/icons.js";
import { takeKey } from "pspge/base/keys.js";
import { rem, splitter } from "pspge/base/layout.js";
import { type ComponentChild, type JSX, useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import type { App } from "pspge/state/app-types.js";
import { Host } from "pspge/widgets/panel.js";

export type Attributes<T extends keyof JSX.IntrinsicElements> = JSX.IntrinsicElements[T];

/** A choice of several. */
interface Choice<V extends string> {
  value: V;
  text: string;
  title?: string;
  isDisabled?: boolean;
}

export function Button(props: Attributes<"button">) {
  return <button type="button" {...props} />;
}

/** A link that acts inside the page. */
export function Link(props: Attributes<"button">) {
  return <Button {...props} class={`link ${props.class ?? ""}`.trim()} />;
}

/** An icon, which only decorates: the control or the text next to it has the name. */
export function Icon({ name }: { name: keyof typeof ICONS }) {
  return <svg viewBox="0 0 16 16" class={`icon icon-${name}`} aria-hidden="true"><path d={ICONS[name]} /></svg>;
}

/** A button of an icon. The label is its accessible name and its tooltip. */
export function IconButton({ name, label, ...props }: { name: keyof typeof ICONS; label: string } & Omit<Attributes<"button">, "name" | "label">) {
  return <Button class="icon-button" title={label} aria-label={label} {...props}><Icon name={name} /></Button>;
}

/** A button that copies a text, and says so in its place. `onRefused` is called if the browser does not let it. */
export function CopyButton({ app, label, text, onRefused, ...props }: { app: App; label: string; text: () => string; onRefused: (text: string) => void; class?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const copied = text();
    try {
      await navigator.clipboard.writeText(copied);
      setCopied(true);
      app.announce("Copied.");
      setTimeout(() => setCopied(false), 1500);
    } catch {
      onRefused(copied);
    }
  };
  return <Button {...props} onClick={() => void copy()}>{isCopied ? "Copied" : label}</Button>;
}

/** A small sample of a colour. Its alpha is not shown, because it is the stencil. */
export function Swatch({ color }: { color: readonly number[] }) {
  const [red = 0, green = 0, blue = 0] = color;
  return <span class="swatch" aria-hidden="true" style={{ backgroundColor: `rgb(${red} ${green} ${blue})` }} />;
}

/** A colour with its sample. */
export function Color({ value }: { value: readonly number[] }) {
  return <><Swatch color={value} /><Mono>{colorText(value)}</Mono></>;
}

/** Text in a monospaced font. */
export function Mono(props: Attributes<"span">) {
  return <span class="mono" {...props} />;
}

/** Facts with their names. Those without a text are left out. */
export function Facts({ rows }: { rows: [string, ComponentChild][] }) {
  return (
    <dl class="facts">
      {rows
        .filter(([, text]) => text !== null && text !== "")
        .map(([name, text]) => <><dt>{name}</dt><dd>{text}</dd></>)}
    </dl>
  );
}

/** The head of a table. */
export function Heads({ names, ...props }: { names: readonly ComponentChild[] } & Attributes<"thead">) {
  return <thead {...props}><tr>{names.map((name) => <th scope="col">{name}</th>)}</tr></thead>;
}

interface SmallTableProps {
  class?: string;
  heads: readonly ComponentChild[];
  /** The cells of each row. */
  rows: readonly (readonly ComponentChild[])[];
  /** Whether the first cell of a row is its name. */
  hasNames?: boolean;
}

/** A table of few rows, which are all in the page. */
export function SmallTable({ class: className = "plain-table", heads, rows, hasNames = false }: SmallTableProps) {
  return (
    <table class={className}>
      <Heads names={heads} />
      <tbody>{rows.map((row) => <tr>{row.map((cell, nth) => (hasNames && nth === 0 ? <th scope="row">{cell}</th> : <td>{cell}</td>))}</tr>)}</tbody>
    </table>
  );
}

/** A list with commas between its items. */
export function Separated({ items }: { items: ComponentChild[] }) {
  return <>{items.flatMap((item, index) => (index > 0 ? [", ", item] : [item]))}</>;
}

/** What can be chosen: values that are texts themselves, values with their texts, or with more about them. */
type Choices<V extends string> = readonly (V | Choice<V>)[] | Readonly<Record<V, string>>;

function listOf<V extends string>(choices: Choices<V>): Choice<V>[] {
  const list = choices instanceof Array ? choices : (Object.entries(choices) as [V, string][]).map(([value, text]) => ({ value, text }));
  return list.map((choice) => (typeof choice === "string" ? { value: choice, text: choice } : choice));
}

interface ChooserProps<V extends string> {
  label: string;
  choices: Choices<V>;
  chosen: V;
  onChoose: (value: V) => void;
}

/** A row of buttons of which one is chosen. Arrow keys move between them. */
export function Segments<V extends string>(props: ChooserProps<V>) {
  return <Chooser {...props} groupClass="segments" groupRole="radiogroup" role="radio" state="aria-checked" />;
}

/** Tabs. */
export function Tabs<V extends string>(props: ChooserProps<V>) {
  return <Chooser {...props} groupClass="subtabs" groupRole="tablist" role="tab" state="aria-selected" />;
}

function Chooser<V extends string>(props: ChooserProps<V> & { groupClass: string; groupRole: "radiogroup" | "tablist"; role: "radio" | "tab"; state: string }) {
  const { label, chosen, onChoose, groupClass, groupRole, role, state } = props;
  const choices = listOf(props.choices);
  const press = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const usable = choices.filter(({ isDisabled }) => !isDisabled);
    const step = (by: number) => () => {
      const next = usable[(usable.findIndex(({ value }) => value === chosen) + by + usable.length) % usable.length];
      onChoose(next.value);
      (event.currentTarget.children[choices.indexOf(next)] as HTMLElement).focus();
    };
    takeKey(event, { ArrowLeft: step(-1), ArrowUp: step(-1), ArrowRight: step(1), ArrowDown: step(1) });
  };
  return (
    <div class={groupClass} role={groupRole} aria-label={label} onKeyDown={press}>
      {choices.map(({ value, text, title, isDisabled = false }) => (
        <Button key={value} role={role} title={title} disabled={isDisabled} tabIndex={value === chosen ? 0 : -1} {...{ [state]: String(value === chosen) }} onClick={() => onChoose(value)}>
          {text}
        </Button>
      ))}
    </div>
  );
}

/** A switch with a name. */
export function Toggle({ text, isOn, onChange, title, isDisabled = false }: { text: string; isOn: boolean; onChange: (isOn: boolean) => void; title?: string; isDisabled?: boolean }) {
  return (
    <label class="check" title={title}>
      <input type="checkbox" checked={isOn} disabled={isDisabled} onChange={(event) => onChange(event.currentTarget.checked)} /> {text}
    </label>
  );
}

/** The options of a list. */
export function Options({ choices }: { choices: Choices<string> }) {
  return <>{listOf(choices).map(({ value, text }) => <option key={value} value={value}>{text}</option>)}</>;
}

/** A list to choose from, with a label, and another name if that is too short. */
export function Select<V extends string>({ label, name = label, choices, chosen, onChoose, ...props }: ChooserProps<V> & { name?: string; class?: string; disabled?: boolean; title?: string }) {
  const { class: className = "field", ...rest } = props;
  return (
    <label class={className}>
      <span>{label}</span>{" "}
      <select aria-label={name} value={chosen} onChange={(event) => onChoose(event.currentTarget.value as V)} {...rest}><Options choices={choices} /></select>
    </label>
  );
}

/** A border that divides its parent into two panes. It sets the share of the first one as a CSS variable. */
export function Splitter({ variant = "", isVertical = false, ...options }: { label: string; name: string; variant?: string; usual: number; least: number; most: number; isVertical?: boolean }) {
  const element = useMemo(() => {
    // The border stands in the place of its host.
    const border: HTMLElement = splitter({ ...options, variant: () => variant, isVertical: () => isVertical, parent: () => border.parentElement?.parentElement ?? null });
    return border;
  }, [isVertical, variant]);
  return <Host element={element} />;
}

/** Returns the first items of a long list, and a button that shows more of them if there are any. */
export function useMore<T>(items: readonly T[], atOnce: number, word = "more"): [readonly T[], ComponentChild] {
  const [shown, setShown] = useState(atOnce);
  const left = items.length - shown;
  const more = <Button onClick={() => setShown(shown + atOnce)}>{`Show ${Math.min(left, atOnce)} ${word} of ${left}`}</Button>;
  return [items.slice(0, shown), left > 0 && more];
}

/** Tells whether an element is narrower than a width in rem. It gives a reference for the element, too. */
export function useNarrow(least: number): [(element: HTMLElement | null) => void, boolean] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isNarrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    if (!element) {
      return undefined;
    }
    const observer = new ResizeObserver(() => element.clientWidth > 0 && setNarrow(element.clientWidth < least * rem()));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, isNarrow];
}

/**
 * Keeps the focus among the controls of an element: when the focused one goes away, the next one has it, or else the fallback.
 * Returns props of the element.
 */
export function useKeptFocus<E extends HTMLElement>(fallback?: { current: HTMLElement | null }) {
  const ref = useRef<E>(null);
  const last = useRef<{ control: Element; index: number } | null>(null);
  const controls = () => [...(ref.current?.querySelectorAll<HTMLElement>("button, input") ?? [])];
  useLayoutEffect(() => {
    if (last.current && !last.current.control.isConnected) {
      const left = controls();
      (left[Math.min(last.current.index, left.length - 1)] ?? fallback?.current)?.focus({ preventScroll: true });
    }
  });
  const focus = ({ target }: FocusEvent) => {
    last.current = { control: target as Element, index: controls().indexOf(target as HTMLElement) };
  };
  // A control that is removed loses the focus to none.
  const leave = ({ relatedTarget }: FocusEvent) => {
    last.current = relatedTarget ? null : last.current;
  };
  return { ref, onFocusIn: focus, onFocusOut: leave };
}
