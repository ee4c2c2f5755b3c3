// Names and values side by side.
import { h } from "./dom";

/** Those without a value are left out. */
export function factList(pairs: [string, string | null | undefined][]): HTMLElement {
  return h("dl", { class: "facts" }, ...pairs.flatMap(([name, value]) => (value ? [h("div", {}, h("dt", {}, name), h("dd", {}, value))] : [])));
}
