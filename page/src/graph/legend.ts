// What the colours of the graph stand for.
import { h } from "../dom";
import type { Colouring } from "./colours";

/** An entry for each shade that occurs. */
export function legendOf(colouring: Colouring | null): HTMLElement[] {
  if (!colouring) return [];
  const counts = new Map<number, number>();
  for (const shade of colouring.of.values()) counts.set(shade, (counts.get(shade) ?? 0) + 1);
  return colouring.shades.flatMap((shade, index) => {
    const count = counts.get(index);
    return count ? [h("span", { class: `key ${shade.tone}` }, h("i", {}), `${shade.words} (${count})`)] : [];
  });
}
