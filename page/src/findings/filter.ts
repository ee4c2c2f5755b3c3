// Which findings are listed.
import { h } from "../dom";
import type { Finding } from "../schema";

export interface Filter {
  text: string;
  severity: string;
  rule: string;
  target: string;
  module: string;
  suppressed: boolean;
}

export const everything: Filter = { text: "", severity: "", rule: "", target: "", module: "", suppressed: false };

function textOf(finding: Finding): string {
  const places = finding.locations.map((place) => `${place.file ?? ""}:${place.line ?? ""}`);
  return [finding.message, finding.rule, finding.code, finding.module, ...finding.aliases, finding.parent, finding.op?.name ?? "",
    finding.help ?? "", ...places].join(" ").toLowerCase();
}

/** The modules that a choice is offered of: those of the first level at which there is more than one. */
function modulesOf(findings: Finding[]): string[] {
  const paths = findings.map((finding) => (finding.module || finding.parent).split(".")).filter((path) => path[0]);
  const deepest = Math.max(0, ...paths.map((path) => path.length));
  for (let level = 1; level <= deepest; ++level) {
    const modules = new Set(paths.map((path) => path.slice(0, level).join(".")));
    if (modules.size > 1) return [...modules];
  }
  return [];
}

function isWithin(finding: Finding, module: string): boolean {
  return `${finding.module || finding.parent}.`.startsWith(`${module}.`);
}

export function passes(finding: Finding, filter: Filter): boolean {
  return (filter.suppressed || !finding.suppressed)
    && (!filter.severity || finding.severity === filter.severity)
    && (!filter.rule || finding.rule === filter.rule)
    && (!filter.target || ["`", " "].some((end) => finding.message.includes(`\`${filter.target}${end}`)))
    && (!filter.module || isWithin(finding, filter.module))
    && filter.text.toLowerCase().split(/\s+/).every((word) => textOf(finding).includes(word));
}

/** The fields of the filter, of which a choice of one is none. */
export function filterFields(findings: Finding[], targets: string[], changed: (filter: Filter) => void): HTMLElement {
  const filter = { ...everything };
  const select = (name: "severity" | "rule" | "target" | "module", label: string, given: string[]): HTMLElement | false => {
    const values = [...new Set(given)].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    if (values.length < 2) return false;
    const field = h("select", { "aria-label": label }, ...["", ...values].map((value) => h("option", { value }, value || label)));
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
    select("target", "every target", targets),
    select("module", "every module", modulesOf(findings)),
    suppressed > 0 && h("label", {}, hidden, ` ${suppressed} suppressed`));
}
