// Which frames are open.
import type { Hierarchy } from "./hierarchy";
import { outwards, type Item } from "./item";

/** With that many boxes a picture is still overseen at once. */
const READABLE = 70;
/** With more boxes than that a browser becomes slow, so no single click opens more. */
export const MOST_BOXES = 3000;

export class Opened {
  private readonly open = new Set<Item>();

  constructor(private readonly hierarchy: Hierarchy) {
    this.open.add(hierarchy.root);
    this.openLevels(READABLE, "modules");
  }

  has = (item: Item): boolean => this.open.has(item);

  toggle(item: Item): void {
    if (!this.open.delete(item)) this.open.add(item);
  }

  /** Opens what is around an item. @returns the frames that were closed */
  reveal(item: Item): Item[] {
    const closed = [...outwards(item)].filter((each) => each !== item && !this.open.has(each));
    for (const each of closed) this.open.add(each);
    return closed;
  }

  closeAll(): void {
    this.open.clear();
    this.open.add(this.hierarchy.root);
  }

  /** Opens frames level by level, as long as no more boxes are seen than that. */
  openLevels(most: number, which: "modules" | "all"): void {
    let seen = this.hierarchy.root.children.length;
    let level = [this.hierarchy.root];
    while (level.length > 0) {
      const next = level.flatMap((item) => item.children.filter((child) => child.kind === "module" || (which === "all" && child.kind === "fold")));
      const more = next.reduce((sum, item) => sum + item.children.length, 0);
      if (seen + more > most) return;
      for (const item of next) this.open.add(item);
      seen += more;
      level = next;
    }
  }
}
