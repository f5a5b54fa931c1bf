// Wishes of one panel to another: to open with something special, such as an address.

import type { PaletteName } from "pspge/documents.js";
import type { App } from "pspge/state/app-types.js";

/** How a part of memory is shown as a picture. */
export interface Layout {
  address: number;
  format: string;
  stride: number;
  width: number;
  height: number;
  swizzled: boolean;
  palette: PaletteName | null;
}
interface Wishes {
  memory: { layout?: Partial<Layout>; address?: number };
  passes: { pass?: number };
  frame: { isNote: boolean };
}

const wishes: Partial<Wishes> = {};

/** Opens a panel and tells it what to show. */
export function openWith<P extends keyof Wishes>(app: App, panel: P, wish: Wishes[P]) {
  wishes[panel] = wish;
  app.openPanel(panel);
  app.store.publish(new Set(["wish"]));
}

/** Returns what a panel shall show, once. */
export function takeWish<P extends keyof Wishes>(panel: P): Partial<Wishes>[P] {
  const wish = wishes[panel];
  delete wishes[panel];
  return wish;
}
