// What makes a component a panel: it is drawn anew when the selection has changed, and loads the documents that it shows.

import { h } from "pspge/base/dom.js";
import { type ComponentChild, type ComponentChildren, type ComponentType, createContext, render, useContext, useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import type { Request } from "pspge/documents.js";
import type { App, Panel, Selection } from "pspge/state/app-types.js";
import { type Answer, type Asked, messageOf } from "pspge/state/engine.js";

/** What the components of a panel share: what is selected, and how to load more. */
interface PanelContext {
  app: App;
  id: string;
  selection: Selection;
  /** The panel's own element. */
  element: HTMLElement;
  /** Members of the selection, and other things, that have changed since the panel was drawn before. */
  changed: ReadonlySet<string>;
  /** Rises when what could not be loaded is asked for again. */
  attempt: number;
  /** Notes that the panel waits for something. */
  watch: (load: Promise<unknown>) => Promise<void>;
}

const CurrentPanel = createContext<PanelContext | null>(null);

/** Returns what the components of the panel around this one share. */
export function usePanel(): PanelContext {
  const panel = useContext(CurrentPanel);
  if (!panel) {
    throw new Error("the component is outside of a panel");
  }
  return panel;
}

/** Makes components parts of a panel, also if they are drawn outside of it, such as the rows of its lists. */
export function InPanel({ panel, children }: { panel: PanelContext; children?: ComponentChildren }) {
  return <CurrentPanel.Provider value={panel}>{children}</CurrentPanel.Provider>;
}

/** Returns the parts of the page that panels use. */
export function useApp(): App {
  return usePanel().app;
}

/** Counts the updates in which one of these has changed, for effects that follow them. */
export function useChanges(...names: string[]): number {
  const { changed } = usePanel();
  const seen = useRef({ changed, count: 0 });
  if (seen.current.changed !== changed) {
    seen.current = { changed, count: seen.current.count + Number(names.some((name) => changed.has(name))) };
  }
  return seen.current.count;
}

interface Options {
  id: string;
  title: string;
  /** Classes of the panel's element. */
  className: string;
  /** Its name for screen readers, if it is a region. */
  label?: string;
}

/** Makes a panel of a component. */
export function panelOf({ id, title, className, label }: Options, View: ComponentType) {
  return (app: App): Panel => {
    const element: HTMLElement = label ? h("section", { class: className, "aria-label": label }) : h("div", { class: className });
    let loads = 0;
    let hasFailed = false;
    let attempt = 0;
    const watch = async (load: Promise<unknown>) => {
      loads += 1;
      element.setAttribute("aria-busy", "true");
      try {
        await load;
      } catch (error) {
        hasFailed = true;
        app.fail(error);
      }
      loads -= 1;
      if (loads === 0) {
        element.removeAttribute("aria-busy");
        element.classList.toggle("is-stale", hasFailed);
      }
    };
    return {
      id,
      title,
      element,
      update(selection, changed) {
        if (app.events) {
          // Who asks again, or comes back, wants what could not be loaded.
          attempt += Number(changed.has("events") || changed.has("panel"));
          hasFailed = false;
          const view = <InPanel panel={{ app, id, element, selection, changed, attempt, watch }}><View /></InPanel>;
          render(view, element);
        }
      },
    };
  };
}

/** What a panel has loaded. */
interface Loaded<T> {
  /** The last answer, which stays until the next one is there. Null if none is, or none is wanted. */
  answer: T | null;
  /** Why there is no answer to what is wanted now. */
  problem: string | null;
  /** Whether the answer is that to what is wanted now. */
  isCurrent: boolean;
}

/**
 * Loads something for the current selection. It is loaded anew when its key is another one; without a key nothing is.
 * An answer that comes too late is dropped, and null keeps the one of before.
 */
export function useLoaded<T>(key: string | null, load: () => Promise<T | null>): Loaded<T> {
  const { attempt, watch } = usePanel();
  const [kept, keep] = useState<{ key: string | null; answer: T | null; problem: string | null }>({ key: null, answer: null, problem: null });
  // Only what has failed is asked for again: `round` is another number then.
  const [tries] = useState({ round: 0, failedAt: Infinity });
  if (attempt > tries.failedAt) {
    tries.round += 1;
    tries.failedAt = Infinity;
  }
  useLayoutEffect(() => {
    if (key === null) {
      keep({ key, answer: null, problem: null });
      return undefined;
    }
    let isWanted = true;
    const take = (answer: T | null) => isWanted && answer !== null && keep({ key, answer, problem: null });
    const refuse = (error: unknown) => {
      if (isWanted) {
        tries.failedAt = attempt;
        keep((before) => ({ ...before, key, problem: messageOf(error) }));
        throw error;
      }
    };
    void watch(load().then(take, refuse));
    return () => {
      isWanted = false;
    };
  }, [key, tries.round]);
  const isCurrent = kept.key === key && kept.problem === null;
  return { answer: key === null ? null : kept.answer, problem: kept.key === key ? kept.problem : null, isCurrent };
}

/** An answer with the request that it is for. */
type Answered<N extends Request["request"]> = Answer<N> & { request: Asked<N> };

/** Loads the answer to a request, or nothing for null. Requests of a channel replace each other. */
export function useAnswer<N extends Request["request"]>(channel: string, request: (Asked<N> & { request: N }) | null): Loaded<Answered<N>> {
  const app = useApp();
  const send = useMemo(() => app.engine.latest(channel) as (request: object) => Promise<Answer<N> | null>, [app, channel]);
  // The files are part of the key: the same request means another answer after another one is opened.
  const key = request && JSON.stringify([request, app.input?.hash, app.rival?.hash]);
  return useLoaded(key, async () => {
    const answer = request && (await send(request));
    return answer && { ...answer, request };
  });
}

/** Shows the element of an imperative class: a view with a canvas, or a list that builds only what can be seen. */
export function Host({ element }: { element: Element }): ComponentChild {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(element), [element]);
  return <div class="host" ref={place} />;
}
