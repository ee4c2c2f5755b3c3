// The graph by keyboard: arrows go along the tensors and between neighbours, Enter opens and chooses.
import type { Picture } from "./draw";
import type { Hierarchy } from "./hierarchy";
import { outwards, type Item } from "./item";
import type { Viewport } from "./viewport";

interface Actions {
  picture(): Picture;
  choose(item: Item): void;
  use(item: Item): void;
  fit(): void;
}

export class Keys {
  private at: Item | null = null;

  constructor(
    svg: SVGSVGElement,
    private readonly hierarchy: Hierarchy,
    private readonly viewport: Viewport,
    private readonly actions: Actions,
  ) {
    svg.addEventListener("keydown", (event) => this.press(event));
  }

  /** The item that Tab reaches. */
  enter(item: Item | null): void {
    const elements = this.actions.picture().elements;
    if (this.at) elements.get(this.at)?.setAttribute("tabindex", "-1");
    this.at = item;
    if (item) elements.get(item)?.setAttribute("tabindex", "0");
  }

  private press(event: KeyboardEvent): void {
    const act = this.actionOf(event.key);
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  }

  private actionOf(key: string): (() => void) | null {
    switch (key) {
      case "ArrowDown": return () => this.go(this.along("from", "to") ?? this.neighbour(1));
      case "ArrowUp": return () => this.go(this.along("to", "from") ?? this.neighbour(-1));
      case "ArrowRight": return () => this.go(this.neighbour(1));
      case "ArrowLeft": return () => this.go(this.neighbour(-1));
      case "Enter": case " ": return () => this.at && this.use(this.at);
      case "Escape": return () => this.at?.parent?.parent && this.use(this.at.parent);
      case "+": return () => this.viewport.zoomBy(1.3);
      case "-": return () => this.viewport.zoomBy(1 / 1.3);
      case "0": return () => this.actions.fit();
      default: return null;
    }
  }

  private use(item: Item): void {
    this.actions.use(item);
    this.focus(item);
  }

  private go(item: Item | null): void {
    if (!item) return;
    this.enter(item);
    this.focus(item);
    const place = this.actions.picture().places.get(item);
    if (place) this.viewport.centre({ x: place.x + place.width / 2, y: place.y + Math.min(place.height / 2, 100) }, 0);
  }

  private focus(item: Item): void {
    this.actions.picture().elements.get(item)?.focus({ preventScroll: true });
  }

  /** The item that is drawn for the op at the other end of the first tensor. */
  private along(direction: "from" | "to", end: "from" | "to"): Item | null {
    const at = this.at;
    if (!at) return null;
    const { wiring, itemOfOp } = this.hierarchy;
    const wires = at.kind === "op" ? wiring[direction](at.first) : this.leaving(at, direction);
    for (const wire of wires) {
      const drawn = [...outwards(itemOfOp[wire[end]]!)].reverse().find((item) => this.isShut(item));
      if (drawn && drawn !== at) return drawn;
    }
    return null;
  }

  private leaving(frame: Item, direction: "from" | "to"): { from: number; to: number }[] {
    const wires = this.hierarchy.wiring.of(frame);
    return (direction === "from" ? wires.outgoing : wires.incoming).map(({ wire }) => wire);
  }

  /** Whether it is drawn as a box, not as a frame around others. */
  private isShut(item: Item): boolean {
    return this.actions.picture().elements.get(item)?.getAttribute("aria-expanded") !== "true"
      && this.actions.picture().elements.has(item);
  }

  private neighbour(step: number): Item | null {
    const siblings = this.at?.parent?.children;
    if (!siblings || !this.at) return null;
    return siblings[siblings.indexOf(this.at) + step] ?? null;
  }
}
