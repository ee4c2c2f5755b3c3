// What is known of a model at the first glance.
import { badge, toneOfVerdict } from "../badge";
import { h } from "../dom";
import { factList } from "../fact_list";
import { count, large, plural } from "../numbers";
import { typeText } from "../graph/words";
import type { Inspection, ModelReport, Port, Severity } from "../schema";

function countOf(report: ModelReport, severity: Severity): number {
  return report.findings.filter((finding) => !finding.suppressed && !finding.excused && finding.severity === severity).length;
}

/** Red where the file cannot be read or an error was found, as everywhere on the page. */
export function statusBadge(report: ModelReport): HTMLElement {
  if (report.status === "no-model") return badge("no model", "none");
  if (report.status === "error") return badge("unreadable", "bad");
  if (report.status === "passed") return badge("passed", "good");
  return badge("failed", countOf(report, "error") > 0 ? "bad" : "warn");
}

/** `2 errors, 8 warnings` */
export function countsText(report: ModelReport): string {
  const parts = (["error", "warning"] as const).flatMap((severity) => {
    const found = countOf(report, severity);
    return found ? [plural(found, severity)] : [];
  });
  const infos = countOf(report, "info");
  if (infos) parts.push(`${infos} info`);
  return parts.join(", ") || "no findings";
}

/** `input_ids int64 batch×sequence`, for the first few. */
function portsText(ports: Port[]): string {
  const shown = ports.slice(0, 3).map((port) => `${port.name} ${typeText(port)}`.trim());
  if (ports.length > shown.length) shown.push(`${ports.length - shown.length} more`);
  return shown.join(", ");
}

export function header(report: ModelReport, inspection: Inspection | null, version: string): HTMLElement {
  const macs = inspection?.multiply_accumulates;
  const macText = macs && macs.total > 0 ? large(macs.total) + (macs.unknown.length ? ` and ${plural(macs.unknown.length, "op")} of unknown shape` : "") : null;
  return h("header", { class: "top" },
    h("h1", {}, report.path, " ", statusBadge(report)),
    factList([
      ["format", report.format],
      ["exporter", inspection?.producer],
      ["opset", inspection?.opset ? String(inspection.opset) : null],
      ["ops", count(report.ops)],
      ["found", countsText(report)],
      ["takes", inspection && portsText(inspection.inputs)],
      ["gives", inspection && portsText(inspection.outputs)],
      ["parameters", inspection && large(inspection.parameters.elements)],
      ["multiply-accumulates", macText],
      ["structural hash", inspection?.structural_hash.slice(0, 16)],
      ["model_validator", version],
    ]),
    report.verdicts && h("ul", { class: "verdicts" }, ...report.verdicts.map((verdict) =>
      h("li", {}, h("b", {}, verdict.target), " ", badge(verdict.verdict, toneOfVerdict(verdict.verdict)), h("span", { class: "dim" }, ` ${verdict.release ?? verdict.rests_on.package}`)))));
}
