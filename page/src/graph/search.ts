// Finds ops and modules by any part of their names.
import { h } from "../dom";
import type { Hierarchy } from "./hierarchy";
import type { Item } from "./item";

const MOST = 30;

interface Entry {
  item: Item;
  name: string;
  about: string;
  text: string;
}

function entriesOf(hierarchy: Hierarchy): Entry[] {
  const entries: Entry[] = [];
  const add = (item: Item, name: string, about: string): void => {
    entries.push({ item, name, about, text: `${name} ${about}`.toLowerCase() });
  };
  for (const frame of hierarchy.frames) if (frame.kind === "module") add(frame, frame.id.slice("module:".length), frame.detail);
  hierarchy.graph.ops.forEach((op, number) => {
    const item = hierarchy.itemOfOp[number];
    if (item) add(item, op.name, [op.type, op.module ?? op.parent ?? ""].join(" "));
  });
  return entries;
}

/** A field, and what it finds below it. */
export function searchBox(hierarchy: Hierarchy, choose: (item: Item) => void): HTMLElement {
  let entries: Entry[] | null = null;
  const list = h("ul", { class: "found", hidden: true });
  const field = h("input", {
    type: "search", placeholder: "Find an op or a module  ( / )", "aria-label": "Find an op or a module", autocomplete: "off",
  });
  const take = (item: Item): void => {
    list.hidden = true;
    choose(item);
  };
  const show = (): void => {
    entries ??= entriesOf(hierarchy);
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length ? entries.filter((entry) => words.every((word) => entry.text.includes(word))) : [];
    list.replaceChildren(
      ...found.slice(0, MOST).map((entry) =>
        h("li", {}, h("button", { type: "button", on: { click: () => take(entry.item) } },
          h("b", {}, entry.name), ` ${entry.about}`))),
      found.length > MOST ? h("li", { class: "dim" }, `and ${found.length - MOST} more`) : "",
      words.length && found.length === 0 ? h("li", { class: "dim" }, "nothing is called that") : "",
    );
    list.hidden = words.length === 0;
  };
  field.addEventListener("input", show);
  field.addEventListener("focus", show);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") list.hidden = true;
    if (event.key === "Enter") list.querySelector("button")?.click();
    if (event.key === "ArrowDown") list.querySelector("button")?.focus();
  });
  list.addEventListener("keydown", (event) => moveFocus(list, event));
  const box = h("div", { class: "search" }, field, list);
  box.addEventListener("focusout", (event) => {
    if (!box.contains(event.relatedTarget as Node | null)) list.hidden = true;
  });
  return box;
}

function moveFocus(list: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const buttons = [...list.querySelectorAll("button")];
  const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[now + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
}
