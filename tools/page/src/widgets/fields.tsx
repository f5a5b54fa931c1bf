// Fields for texts and numbers. They keep what somebody writes, and say why a value is refused.

import { type ComponentChild, useId, useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import { parseNumber, problemOfNumber } from "pspge/base/typed-number.js";

/** Attributes of a field that its user may set. */
interface InputProps {
  class?: string;
  title?: string;
  placeholder?: string;
  size?: number;
  maxLength?: number;
  disabled?: boolean;
  "aria-label"?: string;
  "aria-invalid"?: boolean;
  "aria-describedby"?: string;
  onKeyDown?: (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => void;
}

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

/**
 * A text field, whose text stays while somebody writes, and follows its value when that changes. `onEnter` is called with the
 * text when it is confirmed; the value comes back if it returns false.
 */
export function TextInput({ value, onEnter, ...props }: InputProps & { value: string; onEnter: (text: string, input: HTMLInputElement) => void | boolean }) {
  const [input, typed] = useTyped<HTMLInputElement>(value);
  const enter = () => {
    typed.onBlur();
    if (input.current && onEnter(input.current.value.trim(), input.current) === false) {
      input.current.value = value;
    }
  };
  return <input ref={input} type="text" spellcheck={false} autocomplete="off" {...typed} {...props} onChange={enter} />;
}

/** A text field with a name. */
export function Field({ label, ...props }: { label: string } & Parameters<typeof TextInput>[0]) {
  return <label class="field"><span>{label}</span> <TextInput size={10} {...props} /></label>;
}

/** A text field with a name, which is followed while somebody writes. */
export function SearchField({ label, value, onSearch, ...props }: InputProps & { label: string; value: string; onSearch: (text: string) => void; inputRef?: { current: HTMLInputElement | null } }) {
  const { inputRef, ...rest } = props;
  return (
    <label class="field">
      <span>{label}</span> <input ref={inputRef} type="text" spellcheck={false} autocomplete="off" {...rest} value={value} onInput={(event) => onSearch(event.currentTarget.value)} />
    </label>
  );
}

/** Says next to a field why its value is refused. */
export function Problem({ id, text }: { id: string; text: string | null }) {
  return text === null ? null : <span class="field-problem problem" role="alert" id={id}>{text}</span>;
}

interface NumberProps {
  label?: ComponentChild;
  /** The name of a field without a label, or with a short one. */
  name?: string;
  value: number | null;
  least?: number;
  most: number;
  isWhole?: boolean;
  format?: (number: number) => string;
  onEnter: (number: number) => void;
  /** Called for an empty field, if it may be empty. */
  onEmpty?: () => void;
}

/**
 * A field for a number, inside a label if it has one. A number out of range stays in the field with the reason until the field
 * is left.
 */
export function NumberField({ label, name, value, least = 0, most, isWhole = true, format = String, onEnter, onEmpty, ...props }: NumberProps & InputProps) {
  const [input, typed] = useTyped<HTMLInputElement>(value === null ? "" : format(value));
  const id = useId();
  const before = useRef("");
  const [problem, setProblem] = useState<string | null>(null);
  const write = (text: string) => {
    before.current = text;
    if (input.current) {
      input.current.value = text;
    }
  };
  const enter = (text: string) => {
    typed.onBlur();
    const isEmpty = onEmpty !== undefined && text.trim() === "";
    const why = isEmpty ? null : problemOfNumber(text, { least, most, isWhole });
    setProblem(why);
    if (isEmpty) {
      onEmpty();
    } else if (why === null) {
      const number = parseNumber(text) ?? least;
      write(format(number));
      onEnter(number);
    }
  };
  const press = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const number = parseNumber(event.currentTarget.value);
    if (step && number !== null) {
      enter(String(Math.max(least, Math.min(most, number + step))));
    }
  };
  const focus = (event: { currentTarget: HTMLInputElement }) => {
    before.current = event.currentTarget.value;
    setProblem(null);
  };
  const leave = () => {
    typed.onBlur();
    if (problem !== null) {
      write(before.current);
    }
  };
  const field = (
    <input
      ref={input}
      type="text"
      spellcheck={false}
      autocomplete="off"
      aria-label={name}
      aria-invalid={problem !== null}
      aria-describedby={problem === null ? undefined : id}
      {...typed}
      {...props}
      onChange={(event) => enter(event.currentTarget.value)}
      onFocus={focus}
      onKeyDown={press}
      onBlur={leave}
    />
  );
  return (
    <>
      {label === undefined ? (
        field
      ) : <label class="field">{label} {field}</label>}
      <Problem id={id} text={problem} />
    </>
  );
}
