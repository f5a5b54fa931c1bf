// Fields for texts and numbers. They keep what somebody writes, and say why a value is refused.

import { type AllHTMLAttributes, type ComponentChild, useId, useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import { parseNumber, problemOfNumber } from "pspge/base/typed-number.js";

type InputProps = Pick<AllHTMLAttributes<HTMLInputElement>, "class" | "title" | "placeholder" | "size" | "maxLength" | "disabled" | "aria-label" | "onKeyDown">;

/** What fields have that keep texts as they are typed. */
const PLAIN = { type: "text", spellcheck: false, autocomplete: "off" } as const;

/** Keeps the text of a field that of a value, except while somebody writes. Returns a reference and props for the field. */
export function useTyped<E extends HTMLInputElement | HTMLTextAreaElement>(value: string) {
  const input = useRef<E>(null);
  const isTyped = useRef(false);
  useLayoutEffect(() => {
    if (input.current && !isTyped.current) {
      input.current.value = value;
    }
  }, [value]);
  const listeners = {
    onInput: () => {
      isTyped.current = true;
    },
    onBlur: () => {
      isTyped.current = false;
    },
  };
  return [input, listeners] as const;
}

interface TextProps extends InputProps {
  label?: ComponentChild;
  value: string;
  /** Returns why a text is refused, null if it is not. */
  check?: (text: string) => string | null;
  /** Takes a text that is confirmed. A text that it returns takes its place. */
  onEnter: (text: string) => string | void;
}

/**
 * A text field, inside a label if it has one. Its text stays while somebody writes, and follows its value when that changes. A
 * text that is refused stays in the field with the reason until the field is left.
 */
export function TextInput({ label, value, check, onEnter, ...props }: TextProps) {
  const [input, typed] = useTyped<HTMLInputElement>(value);
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const enter = ({ currentTarget: field }: { currentTarget: HTMLInputElement }) => {
    typed.onBlur();
    const text = field.value.trim();
    const why = check?.(text) ?? null;
    setProblem(why);
    const shown = why === null && onEnter(text);
    if (typeof shown === "string") {
      field.value = shown;
    }
  };
  const leave = ({ currentTarget: field }: { currentTarget: HTMLInputElement }) => {
    typed.onBlur();
    if (problem !== null) {
      field.value = value;
    }
  };
  const field = (
    <input
      ref={input}
      {...PLAIN}
      aria-invalid={problem !== null}
      aria-describedby={problem === null ? undefined : id}
      {...props}
      onInput={typed.onInput}
      onChange={enter}
      onFocus={() => setProblem(null)}
      onBlur={leave}
    />
  );
  return <>{label === undefined ? field : <label class="field"><span>{label}</span> {field}</label>}<Problem id={id} text={problem} /></>;
}

/** A text field with a name, which is followed while somebody writes. */
export function SearchField({ label, onSearch, inputRef, ...props }: InputProps & { label: string; value: string; onSearch: (text: string) => void; inputRef?: { current: HTMLInputElement | null } }) {
  const search = (event: { currentTarget: HTMLInputElement }) => onSearch(event.currentTarget.value);
  return <label class="field"><span>{label}</span> <input ref={inputRef} {...PLAIN} {...props} onInput={search} /></label>;
}

/** Says next to a field why its value is refused. */
export function Problem({ id, text }: { id: string; text: string | null }) {
  return text === null ? null : <span class="field-problem problem" role="alert" id={id}>{text}</span>;
}

interface NumberProps extends Omit<TextProps, "value" | "check" | "onEnter"> {
  value: number | null;
  least?: number;
  most: number;
  isWhole?: boolean;
  format?: (number: number) => string;
  onEnter: (number: number) => void;
  /** Called for an empty field, if it may be empty. */
  onEmpty?: () => void;
}

/** A field for a number, which the arrow keys change. */
export function NumberField({ value, least = 0, most, isWhole = true, format = String, onEnter, onEmpty, ...props }: NumberProps) {
  const check = (text: string) => (onEmpty && text === "" ? null : problemOfNumber(text, { least, most, isWhole }));
  const enter = (text: string) => {
    const number = parseNumber(text);
    number === null ? onEmpty?.() : onEnter(number);
    return number === null ? "" : format(number);
  };
  const press = ({ key, currentTarget: field }: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[key];
    const number = parseNumber(field.value);
    if (step && number !== null) {
      field.value = String(Math.max(least, Math.min(most, number + step)));
      field.dispatchEvent(new Event("change"));
    }
  };
  return <TextInput value={value === null ? "" : format(value)} check={check} onEnter={enter} onKeyDown={press} {...props} />;
}
