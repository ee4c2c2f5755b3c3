// Draws laid-out frames as SVG.
import { s } from "../dom";
import { TITLE, type Arrow, type FrameLayout, type Placed, type Point } from "./layout";
import type { Item } from "./item";
import type { Wire } from "./wiring";

/** What the drawing asks about items, and tells when they are used. */
export interface Reader {
  /** The class of an item's colour; empty for none. */
  tone(item: Item): string;
  /** What a mouse over it shows, and a screen reader says. */
  words(item: Item): string;
  wireWords(wires: Wire[]): string;
}

/** A drawing, and where in it everything is. */
export interface Picture {
  content: SVGGElement;
  elements: Map<Item, SVGGElement>;
  places: Map<Item, { x: number; y: number; width: number; height: number }>;
}

/** A curve through the middles of the lines between points. */
function path(points: Point[]): string {
  const [first, ...rest] = points as [Point, ...Point[]];
  let text = `M${first.x} ${first.y}`;
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    text += next
      ? `Q${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`
      : `L${point.x} ${point.y}`;
  });
  return text;
}

function cut(text: string, letters: number): string {
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}\u2026`;
}

class Pen {
  readonly elements = new Map<Item, SVGGElement>();
  readonly places: Picture["places"] = new Map();

  constructor(private readonly reader: Reader) {}

  /** @param at  where the frame's upper left corner is in the drawing */
  inside(layout: FrameLayout, at: Point): SVGElement[] {
    const arrows = layout.arrows.map((arrow) => this.arrow(arrow, at));
    return [...arrows, ...layout.children.flatMap((child) => this.child(child, at))];
  }

  private arrow(arrow: Arrow, at: Point): SVGElement {
    const points = arrow.points.map(({ x, y }) => ({ x: x + at.x, y: y + at.y }));
    return s(
      "path",
      { class: arrow.wires.length > 1 ? "wire many" : "wire", d: path(points), "marker-end": "url(#head)" },
      s("title", {}, this.reader.wireWords(arrow.wires)),
    );
  }

  private child(child: Placed, at: Point): SVGElement[] {
    const place = { x: at.x + child.x, y: at.y + child.y, width: child.width, height: child.height };
    this.places.set(child.item, place);
    const box = child.inside ? this.openFrame(child.item, place) : this.box(child.item, place);
    this.elements.set(child.item, box);
    if (!child.inside) return [box];
    return [box, ...this.inside(child.inside, place)];
  }

  private element(item: Item, kind: string, attributes: Record<string, unknown>, ...children: SVGElement[]): SVGGElement {
    return s(
      "g",
      { class: `${kind} ${this.reader.tone(item)}`, role: "button", tabindex: -1, "data-item": item.id, ...attributes },
      s("title", {}, this.reader.words(item)), ...children,
    );
  }

  private openFrame(item: Item, place: { x: number; y: number; width: number; height: number }): SVGGElement {
    const title = item.detail && item.kind === "module" ? `${item.label}  ${item.detail}` : item.label;
    return this.element(
      item, "frame", { "aria-expanded": "true" },
      s("rect", { x: place.x, y: place.y, width: place.width, height: place.height, rx: 7 }),
      s("text", { x: place.x + 12, y: place.y + 17 }, `\u25be ${cut(title, Math.floor((place.width - 30) / 6.7))}`),
      s("rect", { class: "handle", x: place.x, y: place.y, width: place.width, height: TITLE - 4 }),
    );
  }

  private box(item: Item, place: { x: number; y: number; width: number; height: number }): SVGGElement {
    const frame = item.kind !== "op";
    const middle = place.x + place.width / 2;
    const letters = Math.floor((place.width - (frame ? 28 : 12)) / 7);
    const second = item.detail ? [s("text", { class: "detail", x: middle, y: place.y + 31 }, cut(item.detail, letters))] : [];
    return this.element(
      item, `box ${item.kind}`, frame ? { "aria-expanded": "false" } : {},
      s("rect", { x: place.x, y: place.y, width: place.width, height: place.height, rx: frame ? 7 : 4 }),
      s("text", { x: middle, y: place.y + (item.detail ? 17 : 18) }, (frame ? "\u25b8 " : "") + cut(item.label, letters)),
      ...second,
    );
  }
}

export function draw(layout: FrameLayout, reader: Reader): Picture {
  const pen = new Pen(reader);
  const content = s("g", { class: "content" }, ...pen.inside(layout, { x: 0, y: 0 }));
  return { content, elements: pen.elements, places: pen.places };
}

/** The tip of every arrow. */
export function arrowHead(): SVGDefsElement {
  const tip = s("path", { d: "M0 0L8 4L0 8z", class: "tip" });
  return s("defs", {}, s("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9,
    markerUnits: "userSpaceOnUse",
    orient: "auto" }, tip));
}
