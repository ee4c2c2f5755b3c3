// What a mouse over an item shows, and the details of one that is chosen.
import { h, type Child } from "../dom";
import { prose } from "../prose";
import type { Facts } from "./facts";
import type { Hierarchy } from "./hierarchy";
import type { Item } from "./item";
import type { Wire } from "./wiring";
import { placeText, typeText } from "./words";

/** The types of what an op yields, each once. */
function results(hierarchy: Hierarchy, op: number): string[] {
  const types = hierarchy.wiring.from(op).map((wire) => typeText(hierarchy.graph.products[wire.product]!));
  return [...new Set(types)].filter(Boolean);
}

export class Describer {
  private readonly classes: Map<string, string>;

  constructor(
    private readonly hierarchy: Hierarchy,
    private readonly facts: Facts,
  ) {
    this.classes = new Map(hierarchy.graph.modules.map((module) => [module.path, module.class]));
  }

  words(item: Item): string {
    if (item.kind !== "op") {
      const path = item.id.slice(item.id.indexOf(":") + 1);
      const name = item.kind === "module" ? `${path}\n${this.classes.get(path) ?? ""}` : item.label;
      return `${name.trim()}\n${item.size} ops`;
    }
    const op = this.hierarchy.graph.ops[item.first]!;
    const lines = [op.name, op.module_class ?? op.schema ?? op.type, ...results(this.hierarchy, item.first), placeText(op.source)];
    return [...lines, ...(this.facts.notes.get(op.name) ?? [])].filter(Boolean).join("\n");
  }

  wireWords(wires: Wire[]): string {
    const shown = wires.slice(0, 8).map((wire) => {
      const product = this.hierarchy.graph.products[wire.product]!;
      return `${product.from} \u2192 ${product.to}  ${typeText(product)}`.trim();
    });
    if (wires.length > 8) shown.push(`and ${wires.length - 8} more`);
    return shown.join("\n");
  }

  /** Names and values about an item. */
  details(item: Item, go: (op: string) => void): HTMLElement {
    const list = h("dl", {});
    const add = (name: string, ...values: Child[]): void => {
      if (values.some((value) => value !== "")) list.append(h("dt", {}, name), h("dd", {}, ...values));
    };
    if (item.kind === "op") this.addOp(item, add, go);
    else {
      const path = item.id.slice(item.id.indexOf(":") + 1);
      if (item.kind === "module") add("class", this.classes.get(path) ?? "");
      add("ops", String(item.size));
    }
    return list;
  }

  private addOp(item: Item, add: (name: string, ...values: Child[]) => void, go: (op: string) => void): void {
    const { graph, wiring } = this.hierarchy;
    const op = graph.ops[item.first]!;
    const link = (name: string): Node =>
      h("button", { type: "button", class: "link", on: { click: () => go(name) } }, name);
    const ends = (wires: Wire[], end: "from" | "to"): Node[] =>
      wires.slice(0, 30).map((wire) => {
        const product = graph.products[wire.product]!;
        return h("div", {}, link(product[end]), ` ${typeText(product)}`);
      });
    for (const note of this.facts.notes.get(op.name) ?? []) add("says", ...prose(note));
    add("type", op.type);
    add("module", op.module ?? op.parent ?? "");
    add("class", op.module_class ?? op.parent_class ?? "");
    add("schema", op.schema ?? "");
    add("source", h("span", { title: op.source?.file ?? "" }, placeText(op.source)));
    add("region", op.region.join(" \u203a "));
    add("takes", ...ends(wiring.to(item.first), "from"));
    add("gives", ...ends(wiring.from(item.first), "to"));
  }
}
