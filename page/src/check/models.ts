// The models of a run as a table.
import { badge, toneOfVerdict } from "../badge";
import { h } from "../dom";
import { plural } from "../numbers";
import type { ModelReport, Report } from "../schema";
import { table, type Column } from "../table";
import { countsText, statusBadge } from "./header";

interface Row {
  report: ModelReport;
  number: number;
}

const open = (report: ModelReport): number => report.findings.filter((finding) => !finding.suppressed && !finding.excused).length;

function columns(rows: Row[], choose: (number: number) => void): Column<Row>[] {
  const targets = [...new Set(rows.flatMap(({ report }) => (report.verdicts ?? []).map((verdict) => verdict.target)))];
  const verdictOf = ({ report }: Row, target: string): string => report.verdicts?.find((each) => each.target === target)?.verdict ?? "";
  return [
    { title: "model", key: (row) => row.report.path,
      cell: (row) => h("button", { type: "button", class: "link", on: { click: () => choose(row.number) } }, row.report.path) },
    { title: "status", key: (row) => row.report.status,
      cell: ({ report }) => statusBadge(report) },
    { title: "format", key: (row) => row.report.format ?? "", cell: (row) => row.report.format ?? "" },
    { title: "ops", key: (row) => row.report.ops, cell: (row) => row.report.ops, number: true },
    { title: "findings", key: (row) => open(row.report), cell: (row) => (row.report.error ? row.report.error.message : countsText(row.report)) },
    ...targets.map((target): Column<Row> => ({
      title: target, key: (row) => verdictOf(row, target),
      cell: (row) => verdictOf(row, target) && badge(verdictOf(row, target), toneOfVerdict(verdictOf(row, target))) })),
  ];
}

/** A table that sorts and filters; a click on a model chooses it. */
export function modelTable(report: Report, choose: (number: number) => void): HTMLElement {
  const rows = report.models.map((model, number) => ({ report: model, number }));
  const { summary } = report;
  const place = h("div", {}, table("models", columns(rows, choose), rows));
  const field = h("input", { type: "search", placeholder: "Filter models", "aria-label": "filter models", on: {
    input: () => {
      const words = field.value.toLowerCase();
      const shown = rows.filter((row) => row.report.path.toLowerCase().includes(words));
      place.replaceChildren(table("models", columns(rows, choose), shown));
    } } });
  return h("section", { class: "models", "aria-label": "models" },
    h("h1", {}, plural(report.models.length, "model")),
    h("p", { class: "dim" }, [plural(summary.errors, "error"), plural(summary.warnings, "warning"), `${summary.infos} info`,
      `${summary.suppressed} suppressed`, summary.excused ? `${summary.excused} in installed packages` : "", summary.unreadable ? `${summary.unreadable} unreadable` : ""].filter(Boolean).join(", ")),
    h("div", { class: "filter" }, field), place);
}
