// panel.tsx
import { h } from "pspge/dom.js";
import { createContext, render, useContext, useLayoutEffect, useMemo, useRef, useState } from "pspge/preact.js";
import { jsx } from "pspge/preact.js";
var CurrentTurn = createContext(null);
function useTurn() {
  const turn = useContext(CurrentTurn);
  if (!turn) {
    throw new Error("the component is outside of a panel");
  }
  return turn;
}
function TurnOf({ turn, children }) {
  return /* @__PURE__ */ jsx(CurrentTurn.Provider, { value: turn, children });
}
function useApp() {
  return useTurn().app;
}
function panelOf({ id, title, className, label }, View) {
  return (app) => {
    const element = label ? h("section", { class: className, "aria-label": label }) : h("div", { class: className });
    const loads = /* @__PURE__ */ new Set();
    let failed = null;
    let attempt = 0;
    let isUpdating = false;
    const watch = (load) => {
      loads.add(load);
      element.setAttribute("aria-busy", "true");
      void load.catch((error) => {
        failed = error;
        isUpdating || app.fail(error);
      }).finally(() => {
        loads.delete(load);
        loads.size > 0 || element.removeAttribute("aria-busy");
      });
    };
    return {
      id,
      title,
      element,
      async update(selection, changed) {
        if (!app.events) {
          return;
        }
        attempt += Number(failed !== null);
        failed = null;
        isUpdating = true;
        render(
          /* @__PURE__ */ jsx(TurnOf, { turn: { app, element, selection, changed, attempt, watch }, children: /* @__PURE__ */ jsx(View, {}) }),
          element
        );
        while (loads.size > 0) {
          await Promise.allSettled(loads);
        }
        isUpdating = false;
        if (failed !== null) {
          throw failed;
        }
      }
    };
  };
}
function useLoaded(key, load) {
  const { attempt, watch } = useTurn();
  const [kept, keep] = useState({ key: null, answer: null, problem: null });
  useLayoutEffect(() => {
    if (key === null) {
      keep({ key, answer: null, problem: null });
      return void 0;
    }
    let isWanted = true;
    watch(
      load().then(
        (answer) => {
          if (isWanted && answer !== null) {
            keep({ key, answer, problem: null });
          }
        },
        (error) => {
          if (isWanted) {
            keep((before) => ({ ...before, key, problem: error instanceof Error ? error.message : String(error) }));
            throw error;
          }
        }
      )
    );
    return () => {
      isWanted = false;
    };
  }, [key, attempt]);
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
  TurnOf,
  panelOf,
  useAnswer,
  useApp,
  useLoaded,
  useTurn
};
