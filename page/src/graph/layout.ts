// Places the content of one frame. Frames inside it that are open are boxes of the size of their own layouts, so that no
// layout is ever larger than one frame.
import { Graph as DagreGraph, layout as dagre } from "@dagrejs/dagre";
import type { Item } from "./item";
import type { FrameWires, Wire, Wiring } from "./wiring";

export interface Point {
  x: number;
  y: number;
}

/** Where a child is within its frame: its top left corner. */
export interface Placed {
  item: Item;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The content of a frame that is open. */
  inside: FrameLayout | null;
}

/** Tensors that pass between two places of a frame. */
export interface Arrow {
  points: Point[];
  wires: Wire[];
}

export interface FrameLayout {
  width: number;
  height: number;
  children: Placed[];
  arrows: Arrow[];
}

export const TITLE = 26;
const PADDING = 14;
const PORT = 6;
/** With more ports than that on one side, all are one. */
const MOST_PORTS = 8;
const LETTER = 7.4;

function boxSize(item: Item): { width: number; height: number } {
  const letters = Math.max(item.label.length, item.detail.length * 0.9, 5);
  const chevron = item.kind === "op" ? 0 : 16;
  return { width: Math.min(Math.round(letters * LETTER) + 24 + chevron, 240), height: item.detail ? 40 : 28 };
}

/** Groups by a key, in the order of first appearance. */
function grouped<T>(items: T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const known = groups.get(key(item));
    if (known) known.push(item);
    else groups.set(key(item), [item]);
  }
  return [...groups.values()];
}

/** A frame's layout under construction. */
class Construction {
  private readonly graph = new DagreGraph();
  private readonly wiresOf = new Map<string, Wire[]>();

  constructor(private readonly children: Placed[]) {
    this.graph.setGraph({ rankdir: "TB", nodesep: 18, edgesep: 10, ranksep: 26 });
    this.graph.setDefaultEdgeLabel(() => ({}));
    children.forEach((child, place) => this.graph.setNode(`c${place}`, { width: child.width, height: child.height }));
  }

  addInner(inner: FrameWires["inner"]): void {
    for (const group of grouped(inner, ({ from, to }) => `${from} ${to}`))
      this.connect(`c${group[0]!.from}`, `c${group[0]!.to}`, group.map((each) => each.wire));
  }

  /** Ports stand in one row, held there by an edge of more weight than theirs. */
  addIncoming(incoming: FrameWires["incoming"]): void {
    for (const [port, group] of this.ports("i", incoming)) {
      this.graph.setEdge("top", port, { weight: 20 });
      for (const each of grouped(group, ({ to }) => String(to)))
        this.connect(port, `c${each[0]!.to}`, each.map(({ wire }) => wire));
    }
  }

  addOutgoing(outgoing: FrameWires["outgoing"]): void {
    for (const [port, group] of this.ports("o", outgoing)) {
      this.graph.setEdge(port, "bottom", { weight: 20 });
      for (const each of grouped(group, ({ from }) => String(from)))
        this.connect(`c${each[0]!.from}`, port, each.map(({ wire }) => wire));
    }
  }

  finish(): FrameLayout {
    dagre(this.graph);
    const corner = this.corner();
    for (const [place, child] of this.children.entries()) {
      const node = this.graph.node(`c${place}`) as unknown as Point;
      child.x = node.x - child.width / 2 - corner.x;
      child.y = node.y - child.height / 2 - corner.y;
    }
    const layout: FrameLayout = { width: 0, height: 0, children: this.children, arrows: this.arrows(corner) };
    const points = layout.arrows.flatMap((arrow) => arrow.points);
    const furthest = (along: "x" | "y", size: "width" | "height"): number =>
      Math.max(0, ...this.children.map((child) => child[along] + child[size]), ...points.map((point) => (point[along] === Infinity ? 0 : point[along])));
    layout.width = furthest("x", "width") + PADDING;
    layout.height = furthest("y", "height") + PADDING;
    for (const arrow of layout.arrows) this.pullToEdge(arrow, layout.height);
    return layout;
  }

  private *ports<T extends { wire: Wire }>(side: string, wires: T[]): Generator<[string, T[]]> {
    if (wires.length === 0) return;
    this.graph.setNode(side === "i" ? "top" : "bottom", { width: 1, height: 1 });
    let groups = grouped(wires, ({ wire }) => String(wire.from));
    if (groups.length > MOST_PORTS) groups = [wires];
    for (const [index, group] of groups.entries()) {
      this.graph.setNode(`${side}${index}`, { width: PORT, height: PORT });
      yield [`${side}${index}`, group];
    }
  }

  private connect(from: string, to: string, wires: Wire[]): void {
    this.graph.setEdge(from, to, { weight: 1 });
    this.wiresOf.set(`${from} ${to}`, wires);
  }

  /** What is moved to the upper left corner of the frame's content. */
  private corner(): Point {
    const left: number[] = [], top: number[] = [];
    for (const name of this.graph.nodes()) {
      if (name === "top" || name === "bottom") continue;
      const node = this.graph.node(name) as unknown as Point & { width: number; height: number };
      left.push(node.x - node.width / 2);
      top.push(node.y - node.height / 2);
    }
    return { x: Math.min(...left) - PADDING, y: Math.min(...top) - PADDING - TITLE };
  }

  private arrows(corner: Point): Arrow[] {
    const arrows: Arrow[] = [];
    for (const edge of this.graph.edges()) {
      const wires = this.wiresOf.get(`${edge.v} ${edge.w}`);
      if (!wires) continue;
      const { points } = this.graph.edge(edge) as unknown as { points: Point[] };
      const arrow = { points: points.map(({ x, y }) => ({ x: x - corner.x, y: y - corner.y })), wires };
      if (edge.v.startsWith("i")) arrow.points.unshift({ x: arrow.points[0]!.x, y: TITLE });
      if (edge.w.startsWith("o")) arrow.points.push({ x: arrow.points[arrow.points.length - 1]!.x, y: Infinity });
      arrows.push(arrow);
    }
    return arrows;
  }

  /** What leaves the frame ends at its lower edge. */
  private pullToEdge(arrow: Arrow, height: number): void {
    const last = arrow.points[arrow.points.length - 1]!;
    if (last.y === Infinity) last.y = height;
  }
}

/** Lays out what is open, and keeps the layouts of frames that have not changed. */
export class Layouts {
  private readonly known = new Map<Item, FrameLayout>();

  constructor(
    private readonly wiring: Wiring,
    private readonly isOpen: (item: Item) => boolean,
  ) {}

  of(frame: Item): FrameLayout {
    const known = this.known.get(frame);
    if (known) return known;
    const wires = this.wiring.of(frame);
    const construction = new Construction(frame.children.map((child) => this.placed(child)));
    construction.addInner(wires.inner);
    construction.addIncoming(wires.incoming);
    construction.addOutgoing(wires.outgoing);
    const layout = construction.finish();
    this.known.set(frame, layout);
    return layout;
  }

  /** A frame that has been opened or closed changes those around it. */
  forget(item: Item): void {
    for (let each: Item | null = item; each; each = each.parent) this.known.delete(each);
  }

  private placed(item: Item): Placed {
    const inside = item.kind !== "op" && this.isOpen(item) ? this.of(item) : null;
    const size = boxSize(item);
    const width = inside ? Math.max(inside.width, size.width + 2 * PADDING) : size.width;
    return { item, x: 0, y: 0, width, height: inside ? inside.height : size.height, inside };
  }
}
