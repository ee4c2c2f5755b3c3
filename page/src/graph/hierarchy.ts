// The modules of a graph as nested frames with its ops in them.
import type { Graph, Op } from "../schema";
import { foldLongLists } from "./fold";
import { frame, type Item } from "./item";
import { Wiring, type Wire } from "./wiring";
import { labelOf, lastWord } from "./words";

/** A graph as the page uses it. */
export interface Hierarchy {
  graph: Graph;
  root: Item;
  /** The box of each op; null where it is not drawn. */
  itemOfOp: (Item | null)[];
  /** Where an op is in the graph, by its name. */
  numberOfOp: Map<string, number>;
  /** All frames but the model itself, those around others before them. */
  frames: Item[];
  wiring: Wiring;
}

/** What lies in modules nested deeper than that is drawn in the last of them. */
const DEEPEST = 64;

const isDrawn = (op: Op): boolean => op.kind !== "query";

/** Makes frames for module paths, each inside the one whose path begins its own. */
class Frames {
  private readonly byPath = new Map<string, Item>();
  private readonly classes = new Map<string, string>();

  constructor(
    graph: Graph,
    root: Item,
  ) {
    for (const module of graph.modules) this.classes.set(module.path, module.class);
    this.byPath.set("", root);
  }

  of(path: string): Item {
    const known = this.byPath.get(path);
    if (known) return known;
    const names = path.split(".");
    if (names.length > DEEPEST) return this.of(names.slice(0, DEEPEST).join("."));
    const dot = path.lastIndexOf(".");
    const outer = this.of(dot < 0 ? "" : path.slice(0, dot));
    const made = frame(`module:${path}`, "module", path.slice(dot + 1), lastWord(this.classes.get(path) ?? ""), outer);
    outer.children.push(made);
    this.byPath.set(path, made);
    return made;
  }
}

/** The class of the module, unless the op is of another kind: an exporter calls a convolution with its normalisation folded in by the latter. */
function kindOf(op: Op): string {
  const ofClass = lastWord(op.module_class ?? op.type);
  const plain = (text: string): string => text.toLowerCase().replaceAll("_", "");
  return plain(ofClass) === plain(op.type) || !/[1-3]d$/.test(op.type) ? ofClass : op.type;
}

function opItem(op: Op, number: number, parent: Item): Item {
  const detail = op.module ? kindOf(op) : op.region.join(" ");
  return {
    id: `op:${op.name}`, kind: "op", label: labelOf(op), detail, parent,
    depth: parent.depth + 1, children: [], first: number, size: 1,
  };
}

/** Counts what is in each frame, and lists the frames. */
function measure(item: Item, frames: Item[]): void {
  if (item.parent) frames.push(item);
  item.size = 0;
  item.first = -1;
  for (const child of item.children) {
    child.depth = item.depth + 1;
    if (child.kind !== "op") measure(child, frames);
    item.size += child.size;
    if (item.first < 0 || child.first < item.first) item.first = child.first;
  }
  if (item.kind === "fold") item.detail = `${item.size} ops`;
}

function wiresOf(graph: Graph, numberOfOp: Map<string, number>, itemOfOp: (Item | null)[]): Wire[] {
  const wires: Wire[] = [];
  graph.products.forEach((product, index) => {
    const from = numberOfOp.get(product.from), to = numberOfOp.get(product.to);
    if (from !== undefined && to !== undefined && itemOfOp[from] && itemOfOp[to])
      wires.push({ from, to, product: index });
  });
  return wires;
}

export function hierarchyOf(graph: Graph): Hierarchy {
  const root = frame("module:", "module", graph.path, "", null);
  const made = new Frames(graph, root);
  const numberOfOp = new Map<string, number>();
  const itemOfOp = graph.ops.map((op, number) => {
    numberOfOp.set(op.name, number);
    if (!isDrawn(op)) return null;
    const parent = made.of(op.parent ?? "");
    const item = opItem(op, number, parent);
    parent.children.push(item);
    return item;
  });
  const wiring = new Wiring(graph.ops.length, wiresOf(graph, numberOfOp, itemOfOp));
  measure(root, []);
  foldLongLists(root, wiring);
  const frames: Item[] = [];
  measure(root, frames);
  return { graph, root, itemOfOp, numberOfOp, frames, wiring };
}
