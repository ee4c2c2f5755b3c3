// A frame with too much in it to be laid out or read is divided into frames of its own, along the order in which its parts
// run: what lies between modules is one part, and a long list is cut where the fewest tensors pass.
import { frame, type Item } from "./item";
import type { FrameWires, Wiring } from "./wiring";

/** With more boxes than that, a frame is hard to read and slow to lay out. */
const MOST = 120;
/** How much shorter or longer than the others a part may be, to be cut at a narrow place. */
const SLACK = 0.25;
/** Fewer ops between two modules are not worth a frame. */
const SHORT = 4;

/** How many tensors pass between each child of a frame and the next one. */
function widths(count: number, inner: FrameWires["inner"]): Int32Array {
  const width = new Int32Array(count + 1);
  for (const { from, to } of inner) {
    if (from >= to) continue;
    width[from]! += 1;
    width[to]! -= 1;
  }
  for (let i = 1; i < width.length; i++) width[i]! += width[i - 1]!;
  return width;
}

/** Where the parts begin, the first one at 0. */
function cuts(count: number, width: Int32Array): number[] {
  const parts = Math.max(2, Math.min(MOST, Math.ceil(count / (MOST / 2))));
  const step = count / parts;
  const begins = [0];
  for (let part = 1; part < parts; part++) {
    const wanted = part * step;
    let best = Math.round(wanted);
    for (let at = Math.ceil(wanted - step * SLACK); at <= wanted + step * SLACK; at++)
      if (at > begins[begins.length - 1]! && at < count && width[at - 1]! < width[best - 1]!) best = at;
    begins.push(best);
  }
  return begins;
}

function nameOf(children: Item[]): string {
  const first = children[0]!, last = children[children.length - 1]!;
  return first === last ? first.label : `${first.label} … ${last.label}`;
}

/** What lies between modules, and each module as a part of one. */
function runs(children: Item[]): Item[][] {
  const parts: Item[][] = [];
  for (const child of children) {
    const last = parts[parts.length - 1];
    if (child.kind === "op" && last?.[0]?.kind === "op") last.push(child);
    else parts.push([child]);
  }
  return parts;
}

function partsOf(item: Item, wiring: Wiring): Item[][] {
  const parts = runs(item.children);
  const boxes = parts.reduce((sum, part) => sum + (part.length < SHORT ? part.length : 1), 0);
  if (parts.length > 1 && boxes <= MOST) return parts;
  const begins = cuts(item.children.length, widths(item.children.length, wiring.of(item).inner));
  return begins.map((begin, index) => item.children.slice(begin, begins[index + 1]));
}

function divide(item: Item, wiring: Wiring): void {
  item.children.sort((a, b) => a.first - b.first);
  item.children = partsOf(item, wiring).flatMap((children, index) => {
    if (children.length < SHORT) return children;
    const part = frame(`fold:${item.id}/${index}`, "fold", nameOf(children), "", item);
    part.children = children;
    for (const child of children) child.parent = part;
    return [part];
  });
}

/** Folds every frame from `item` down that is too long, and the parts of it that still are. */
export function foldLongLists(item: Item, wiring: Wiring): void {
  if (item.children.length > MOST) divide(item, wiring);
  for (const child of item.children) if (child.kind !== "op") foldLongLists(child, wiring);
}
