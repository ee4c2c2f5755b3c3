// Which findings are listed.
import { h } from "../dom";
import type { Finding } from "../schema";

export interface Filter {
  text: string;
  severity: string;
  rule: string;
  suppressed: boolean;
}

export const everything: Filter = { text: "", severity: "", rule: "", suppressed: false };

function textOf(finding: Finding): string {
  const places = finding.locations.map((place) => `${place.file ?? ""}:${place.line ?? ""}`);
  return [finding.message, finding.rule, finding.code, finding.module, ...finding.aliases, finding.parent, finding.op?.name ?? "",
    finding.help ?? "", ...places].join(" ").toLowerCase();
}

export function passes(finding: Finding, filter: Filter): boolean {
  return (filter.suppressed || !finding.suppressed)
    && (!filter.severity || finding.severity === filter.severity)
    && (!filter.rule || finding.rule === filter.rule)
    && filter.text.toLowerCase().split(/\s+/).every((word) => textOf(finding).includes(word));
}

function options(values: string[], all: string): HTMLElement[] {
  return [h("option", { value: "" }, all), ...[...new Set(values)].sort().map((value) => h("option", { value }, value))];
}

/** The fields of the filter. */
export function filterFields(findings: Finding[], changed: (filter: Filter) => void): HTMLElement {
  const filter = { ...everything };
  const select = (name: "severity" | "rule", label: string, values: string[]): HTMLElement => {
    const field = h("select", { "aria-label": label }, ...options(values, label));
    field.addEventListener("change", () => {
      filter[name] = field.value;
      changed(filter);
    });
    return field;
  };
  const text = h("input", { type: "search", placeholder: "Filter findings", "aria-label": "filter findings by text", on: {
    input: () => {
      filter.text = text.value;
      changed(filter);
    } } });
  const hidden = h("input", { type: "checkbox", on: {
    change: () => {
      filter.suppressed = hidden.checked;
      changed(filter);
    } } });
  const suppressed = findings.filter((finding) => finding.suppressed).length;
  return h("div", { class: "filter" }, text,
    select("severity", "every severity", findings.map((finding) => finding.severity)),
    select("rule", "every rule", findings.map((finding) => finding.rule)),
    suppressed > 0 && h("label", {}, hidden, ` ${suppressed} suppressed`));
}
