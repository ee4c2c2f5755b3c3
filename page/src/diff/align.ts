// Which ops of two graphs stand for each other: within each module, the longest list of ops that both have in one order.
import type { Graph, Op } from "../schema";

/** What two graphs have in common. */
export interface Alignment {
  /** Ops of each graph that the other does not have. */
  only: [Set<string>, Set<string>];
  /** The op of the second graph for one of the first. */
  partner: Map<string, string>;
}

/** More pairs than that are not compared one by one. */
const MOST_PAIRS = 4_000_000;

/** Names do not matter: a module may be called otherwise. */
const keyOf = (op: Op): string => `${op.kind} ${op.type} ${op.region.join(" ")}`;

function byModule(graph: Graph): Map<string, Op[]> {
  const modules = new Map<string, Op[]>();
  for (const op of graph.ops) {
    if (op.kind === "query") continue;
    const path = op.parent ?? "";
    const known = modules.get(path);
    if (known) known.push(op);
    else modules.set(path, [op]);
  }
  return modules;
}

/** Pairs of places of equal keys, in order and as many as there can be. */
function common(first: string[], second: string[]): [number, number][] {
  let start = 0;
  while (start < first.length && start < second.length && first[start] === second[start]) start++;
  const pairs: [number, number][] = Array.from({ length: start }, (_, i) => [i, i]);
  let end = 0;
  while (end < first.length - start && end < second.length - start && first[first.length - 1 - end] === second[second.length - 1 - end]) end++;
  const rows = first.length - start - end, columns = second.length - start - end;
  if (rows > 0 && columns > 0 && rows * columns <= MOST_PAIRS) pairs.push(...longest(first.slice(start, start + rows), second.slice(start, start + columns), start));
  for (let i = end; i > 0; i--) pairs.push([first.length - i, second.length - i]);
  return pairs;
}

function longest(first: string[], second: string[], offset: number): [number, number][] {
  const width = second.length + 1;
  const lengths = new Uint32Array((first.length + 1) * width);
  for (let i = first.length - 1; i >= 0; i--)
    for (let j = second.length - 1; j >= 0; j--)
      lengths[i * width + j] = first[i] === second[j]
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < first.length && j < second.length;)
    if (first[i] === second[j]) pairs.push([offset + i++, offset + j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  return pairs;
}

export function align(first: Graph, second: Graph): Alignment {
  const modules = [byModule(first), byModule(second)] as const;
  const partner = new Map<string, string>();
  for (const [path, ops] of modules[0]) {
    const others = modules[1].get(path) ?? [];
    for (const [i, j] of common(ops.map(keyOf), others.map(keyOf))) partner.set(ops[i]!.name, others[j]!.name);
  }
  const found = new Set(partner.values());
  const alone = (graph: Graph, has: (name: string) => boolean): Set<string> =>
    new Set(graph.ops.filter((op) => op.kind !== "query" && !has(op.name)).map((op) => op.name));
  return { only: [alone(first, (name) => partner.has(name)), alone(second, (name) => found.has(name))], partner };
}
