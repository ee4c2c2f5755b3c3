// A table whose rows sort by a click on a heading.
import { h, type Child } from "./dom";

export interface Column<Row> {
  title: string;
  /** What the cell shows. */
  cell: (row: Row) => Child;
  /** What it sorts by; without it the column does not sort. */
  key?: (row: Row) => string | number;
  /** Numbers stand at the right. */
  number?: boolean;
  /** Sentences get room. */
  prose?: boolean;
}

function compare(a: string | number, b: string | number): number {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
}

export function table<Row>(caption: string, columns: Column<Row>[], rows: Row[], most = 200): HTMLElement {
  const body = h("tbody");
  const draw = (sorted: Row[], all = false): void => {
    const shown = all ? sorted : sorted.slice(0, most);
    body.replaceChildren(...shown.map((row) =>
      h("tr", {}, ...columns.map((column) => h("td", { class: column.number ? "number" : column.prose ? "prose" : undefined }, column.cell(row))))));
    if (shown.length < sorted.length)
      body.append(h("tr", {}, h("td", { colspan: columns.length },
        h("button", { type: "button", class: "link", on: { click: () => draw(sorted, true) } }, `all ${sorted.length} rows`))));
  };
  const heads = columns.map((column) => h("th", { scope: "col", class: column.number ? "number" : undefined }, headOf(column)));
  function headOf(column: Column<Row>): Child {
    const { key } = column;
    return key ? h("button", { type: "button", class: "sort", on: { click: () => sortBy(column, key) } }, column.title) : column.title;
  }
  function sortBy(column: Column<Row>, key: (row: Row) => string | number): void {
    const head = heads[columns.indexOf(column)]!;
    const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const each of heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    draw([...rows].sort((a, b) => direction * compare(key(a), key(b))));
  }
  draw(rows);
  const head = h("thead", {}, h("tr", {}, ...heads));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", {}, h("caption", { class: "unseen" }, caption), head, body));
}
