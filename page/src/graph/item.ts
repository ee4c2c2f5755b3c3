// What the picture of a graph is made of: ops, and frames around them that open and close.

/** An op, or a frame with what is in it. */
export interface Item {
  /** Unique: `op:NAME`, `module:PATH`, `fold:…`. */
  id: string;
  kind: "op" | "module" | "fold";
  /** What its box says first. */
  label: string;
  /** The rest of what it says: a class, a type, a count. */
  detail: string;
  parent: Item | null;
  depth: number;
  children: Item[];
  /** Its place among the ops of the graph; of a frame, that of its first op. */
  first: number;
  /** How many ops are in it; 1 for an op. */
  size: number;
}

/** A frame without content. */
export function frame(id: string, kind: "module" | "fold", label: string, detail: string, parent: Item | null): Item {
  return { id, kind, label, detail, parent, depth: parent ? parent.depth + 1 : 0, children: [], first: -1, size: 0 };
}

/** Visits the ops in an item, in the order in which they run. */
export function eachOp(item: Item, visit: (op: number) => void): void {
  if (item.kind === "op") visit(item.first);
  else for (const child of item.children) eachOp(child, visit);
}

/** The item and the frames around it, the innermost first. */
export function* outwards(item: Item): Generator<Item> {
  for (let each: Item | null = item; each; each = each.parent) yield each;
}
