// The part of the page with the graph: its tools, the drawing, and the details of what is chosen.
import { h, s } from "../dom";
import type { Colouring } from "./colours";
import { Describer } from "./describe";
import { arrowHead, draw, type Picture } from "./draw";
import type { Facts } from "./facts";
import type { Hierarchy } from "./hierarchy";
import type { Item } from "./item";
import { Keys } from "./keys";
import { Layouts } from "./layout";
import { legendOf } from "./legend";
import { MOST_BOXES, Opened } from "./opened";
import { searchBox } from "./search";
import { Viewport } from "./viewport";

export class GraphPane {
  readonly element: HTMLElement;
  private readonly svg = s("svg", { class: "graph", role: "group", "aria-label": "graph of the model" });
  private readonly holder = s("g", {});
  private readonly details = h("section", { class: "details", "aria-label": "details", hidden: true });
  private readonly legend = h("div", { class: "legend" });
  private readonly opened: Opened;
  private readonly layouts: Layouts;
  private readonly viewport: Viewport;
  private readonly describer: Describer;
  private readonly keys: Keys;
  private picture!: Picture;
  private colouring: Colouring | null;
  private shades = new Map<Item, number>();
  private chosen: Item | null = null;

  /** @param onChoose  is told the op that the reader chooses; null for a frame */
  constructor(
    private readonly hierarchy: Hierarchy,
    facts: Facts,
    private readonly onChoose: (op: string | null) => void,
  ) {
    this.opened = new Opened(hierarchy);
    this.layouts = new Layouts(hierarchy.wiring, this.opened.has);
    this.viewport = new Viewport(this.svg, this.holder);
    this.describer = new Describer(hierarchy, facts);
    this.keys = new Keys(this.svg, hierarchy, this.viewport, {
      picture: () => this.picture,
      choose: (item) => this.choose(item),
      use: (item) => this.use(item),
      fit: () => this.fit(),
    });
    this.colouring = facts.colourings[0] ?? null;
    this.svg.append(arrowHead(), this.holder);
    this.svg.addEventListener("click", (event) => this.click(event));
    this.element = h("section", { class: "pane", "aria-label": `graph of ${hierarchy.graph.path}` }, this.tools(facts.colourings), this.legend, this.svg, this.details);
    this.colour();
  }

  /** Draws for the first time, when the element is in the page and has a size. */
  start(): void {
    this.redraw();
    const { width, height } = this.layouts.of(this.hierarchy.root);
    this.viewport.fitWidth(width, height);
  }

  /** Opens what is around an op, chooses it and brings it to the middle. */
  show(op: string): void {
    const number = this.hierarchy.numberOfOp.get(op);
    const item = number === undefined ? null : this.hierarchy.itemOfOp[number];
    if (item) this.reveal(item);
  }

  /** The same for a module. */
  showModule(path: string): void {
    const item = this.hierarchy.frames.find((frame) => frame.id === `module:${path}`);
    if (item) this.reveal(item);
  }

  private tools(colourings: Colouring[]): HTMLElement {
    const button = (text: string, title: string, click: () => void): HTMLElement =>
      h("button", { type: "button", title, "aria-label": title, on: { click } }, text);
    const choice = h("select", { "aria-label": "colour by" }, ...colourings.map((each, index) =>
      h("option", { value: index }, each.name)));
    choice.addEventListener("change", () => {
      this.colouring = colourings[Number(choice.value)] ?? null;
      this.colour();
      this.redraw();
    });
    return h("div", { class: "tools" },
      searchBox(this.hierarchy, (item) => this.reveal(item)),
      colourings.length > 0 && h("label", {}, "colour ", choice),
      button("open", "open modules, as many as stay readable", () => this.openMore()),
      button("close", "close all modules", () => this.closeAll()),
      button("\u2212", "zoom out", () => this.viewport.zoomBy(1 / 1.3)),
      button("+", "zoom in", () => this.viewport.zoomBy(1.3)),
      button("fit", "fit all of the graph into the window", () => this.fit()));
  }

  private colour(): void {
    this.shades = new Map();
    this.legend.replaceChildren(...legendOf(this.colouring));
    if (!this.colouring) return;
    const { of } = this.colouring;
    const shadeOf = (item: Item): number | undefined => {
      let worst: number | undefined;
      if (item.kind === "op") worst = of.get(this.hierarchy.graph.ops[item.first]!.name);
      else for (const child of item.children) {
        const shade = shadeOf(child);
        if (shade !== undefined && (worst === undefined || shade > worst)) worst = shade;
      }
      if (worst !== undefined) this.shades.set(item, worst);
      return worst;
    };
    shadeOf(this.hierarchy.root);
  }

  private redraw(): void {
    this.picture = draw(this.layouts.of(this.hierarchy.root), {
      tone: (item) => this.colouring?.shades[this.shades.get(item) ?? -1]?.tone ?? "",
      words: (item) => this.describer.words(item),
      wireWords: (wires) => this.describer.wireWords(wires),
    });
    this.holder.replaceChildren(this.picture.content);
    this.mark();
  }

  private itemAt(event: Event): Item | null {
    const element = (event.target as Element).closest("[data-item]");
    for (const [item, drawn] of this.picture.elements) if (drawn === element) return item;
    return null;
  }

  private click(event: Event): void {
    const item = this.itemAt(event);
    if (item) this.use(item);
  }

  /** A frame opens or closes, an op is chosen. */
  private use(item: Item): void {
    if (item.kind !== "op") this.toggle(item);
    this.choose(item);
  }

  private toggle(item: Item): void {
    const before = this.picture.places.get(item);
    this.opened.toggle(item);
    this.layouts.forget(item);
    this.redraw();
    const after = this.picture.places.get(item);
    if (before && after) this.viewport.hold(before, after);
  }

  private reveal(item: Item): void {
    const opened = this.opened.reveal(item);
    for (const each of opened) this.layouts.forget(each);
    if (opened.length > 0) this.redraw();
    const place = this.picture.places.get(item);
    if (place) this.viewport.centre({ x: place.x + place.width / 2, y: place.y + Math.min(place.height / 2, 200) });
    this.choose(item);
  }

  private choose(item: Item): void {
    this.chosen = item;
    this.mark();
    const op = item.kind === "op" ? this.hierarchy.graph.ops[item.first]!.name : null;
    const title = op ?? item.id.slice(item.id.indexOf(":") + 1);
    const close = h("button", { type: "button", class: "close", "aria-label": "close the details",
      on: { click: () => (this.details.hidden = true) } }, "\u00d7");
    this.details.replaceChildren(close, h("h3", {}, title), this.describer.details(item, (name) => this.show(name)));
    this.details.hidden = false;
    this.onChoose(op);
  }

  private mark(): void {
    this.svg.querySelector(".chosen")?.classList.remove("chosen");
    const element = this.chosen ? this.picture.elements.get(this.chosen) : undefined;
    element?.classList.add("chosen");
    this.keys.enter(this.chosen && element ? this.chosen : this.hierarchy.root.children[0] ?? null);
  }

  private openMore(): void {
    this.opened.openLevels(MOST_BOXES, "all");
    this.relayout();
  }

  private closeAll(): void {
    this.opened.closeAll();
    this.relayout();
  }

  private relayout(): void {
    for (const frame of this.hierarchy.frames) this.layouts.forget(frame);
    this.redraw();
    this.fit();
  }

  private fit(): void {
    const { width, height } = this.layouts.of(this.hierarchy.root);
    this.viewport.fit(width, height);
  }
}
