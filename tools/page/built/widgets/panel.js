// widgets/panel.tsx
import { h } from "pspge/base/dom.js";
import { createContext, render, useContext, useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import { messageOf } from "pspge/state/engine.js";
import { jsx } from "pspge/base/preact.js";
var CurrentPanel = createContext(null);
function usePanel() {
  const panel = useContext(CurrentPanel);
  if (!panel) {
    throw new Error("the component is outside of a panel");
  }
  return panel;
}
function InPanel({ panel, children }) {
  return /* @__PURE__ */ jsx(CurrentPanel.Provider, { value: panel, children });
}
function useApp() {
  return usePanel().app;
}
function useChanges(...names) {
  const { changed } = usePanel();
  const seen = useRef({ changed, count: 0 });
  if (seen.current.changed !== changed) {
    seen.current = { changed, count: seen.current.count + Number(names.some((name) => changed.has(name))) };
  }
  return seen.current.count;
}
function panelOf({ id, title, className, label }, View) {
  return (app) => {
    const element = label ? h("section", { class: className, "aria-label": label }) : h("div", { class: className });
    let loads = 0;
    let hasFailed = false;
    let attempt = 0;
    const watch = async (load) => {
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
          attempt += Number(changed.has("events") || changed.has("panel"));
          hasFailed = false;
          const view = /* @__PURE__ */ jsx(InPanel, { panel: { app, id, element, selection, changed, attempt, watch }, children: /* @__PURE__ */ jsx(View, {}) });
          render(view, element);
        }
      }
    };
  };
}
function useLoaded(key, load) {
  const { attempt, watch } = usePanel();
  const [kept, keep] = useState({ key: null, answer: null, problem: null });
  const [tries] = useState({ round: 0, failedAt: Infinity });
  if (attempt > tries.failedAt) {
    tries.round += 1;
    tries.failedAt = Infinity;
  }
  useLayoutEffect(() => {
    if (key === null) {
      keep({ key, answer: null, problem: null });
      return void 0;
    }
    let isWanted = true;
    const take = (answer) => isWanted && answer !== null && keep({ key, answer, problem: null });
    const refuse = (error) => {
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
function useAnswer(channel, request) {
  const app = useApp();
  const send = useMemo(() => app.engine.latest(channel), [app, channel]);
  const key = request && JSON.stringify([request, app.input?.hash, app.rival?.hash]);
  return useLoaded(key, async () => {
    const answer = request && await send(request);
    return answer && { ...answer, request };
  });
}
function Host({ element }) {
  const place = useRef(null);
  useLayoutEffect(() => place.current?.replaceChildren(element), [element]);
  return /* @__PURE__ */ jsx("div", { class: "host", ref: place });
}
export {
  Host,
  InPanel,
  panelOf,
  useAnswer,
  useApp,
  useChanges,
  useLoaded,
  usePanel
};
