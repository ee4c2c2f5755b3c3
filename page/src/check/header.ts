// What is known of a model at the first glance.
import { badge, toneOfVerdict } from "../badge";
import { h } from "../dom";
import { factList } from "../fact_list";
import { count, large, plural } from "../numbers";
import type { Inspection, ModelReport, Severity } from "../schema";

function statusBadge(report: ModelReport): HTMLElement {
  if (report.status === "no-model") return badge("no model", "none");
  if (report.status === "error") return badge("unreadable", "bad");
  return report.status === "passed" ? badge("passed", "good") : badge("findings", "warn");
}

function countOf(report: ModelReport, severity: Severity): number {
  return report.findings.filter((finding) => !finding.suppressed && !finding.excused && finding.severity === severity).length;
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
      ["parameters", inspection && large(inspection.parameters.elements)],
      ["multiply-accumulates", macText],
      ["structural hash", inspection?.structural_hash.slice(0, 16)],
      ["model_validator", version],
    ]),
    report.verdicts && h("ul", { class: "verdicts" }, ...report.verdicts.map((verdict) =>
      h("li", {}, h("b", {}, verdict.target), " ", badge(verdict.verdict, toneOfVerdict(verdict.verdict)), h("span", { class: "dim" }, ` ${verdict.rests_on.package} ${verdict.release ?? ""}`)))));
}
