// Which tensors pass between the ops of a graph, in a form that is quick to ask.
import { eachOp, type Item } from "./item";

/** A product between two ops that are drawn. */
export interface Wire {
  from: number;
  to: number;
  product: number;
}

/** The wires of one frame. */
export interface FrameWires {
  /** Between two of its children, by their places in it. */
  inner: { from: number; to: number; wire: Wire }[];
  /** From outside to a child. */
  incoming: { to: number; wire: Wire }[];
  /** From a child to what is outside. */
  outgoing: { from: number; wire: Wire }[];
}

export class Wiring {
  private readonly outOf: Wire[][];
  private readonly into: Wire[][];
  /** The child of the frame in question that an op is in; -1 for none. */
  private readonly childOf: Int32Array;

  constructor(ops: number, wires: Wire[]) {
    this.outOf = Array.from({ length: ops }, () => []);
    this.into = Array.from({ length: ops }, () => []);
    this.childOf = new Int32Array(ops).fill(-1);
    for (const wire of wires) {
      this.outOf[wire.from]!.push(wire);
      this.into[wire.to]!.push(wire);
    }
  }

  from(op: number): Wire[] {
    return this.outOf[op] ?? [];
  }

  to(op: number): Wire[] {
    return this.into[op] ?? [];
  }

  of(frame: Item): FrameWires {
    frame.children.forEach((child, place) => eachOp(child, (op) => (this.childOf[op] = place)));
    const wires: FrameWires = { inner: [], incoming: [], outgoing: [] };
    eachOp(frame, (op) => this.sort(op, wires));
    eachOp(frame, (op) => (this.childOf[op] = -1));
    return wires;
  }

  private sort(op: number, wires: FrameWires): void {
    const own = this.childOf[op]!;
    for (const wire of this.outOf[op]!) {
      const to = this.childOf[wire.to]!;
      if (to < 0) wires.outgoing.push({ from: own, wire });
      else if (to !== own) wires.inner.push({ from: own, to, wire });
    }
    for (const wire of this.into[op]!) if (this.childOf[wire.from]! < 0) wires.incoming.push({ to: own, wire });
  }
}
