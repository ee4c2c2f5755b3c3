// All outputs of a verification at a glance.
import { badge } from "../badge";
import { shapeText } from "../graph/words";
import { count, plotted, real } from "../numbers";
import type { Output, Verification } from "../schema";
import { table } from "../table";
import { titleOf } from "./output";

/** One text for both sides, or how it changed. */
const change = (from: string, to: string): string => (from === to || to === "" ? from : `${from} \u2192 ${to}`);

export function outputTable(report: Verification): HTMLElement {
  const failed = (output: Output): string => output.verdicts.filter((verdict) => !verdict.passed).map((verdict) => verdict.check).join(", ");
  return table<Output>("outputs", [
    { title: "output", key: (row) => row.name, cell: (row) => titleOf(row, report) },
    { title: "verdict", key: (row) => Number(row.passed), cell: (row) => badge(row.passed ? "same" : failed(row) || "different", row.passed ? "good" : "bad") },
    { title: "shape", cell: (row) => change(shapeText(row.reference?.shape), shapeText(row.candidate?.shape)) },
    { title: "dtype", cell: (row) => change(row.reference?.dtype ?? "", row.candidate?.dtype ?? "") },
    { title: "PCC", key: (row) => plotted(row.metrics?.pcc ?? null) ?? -2, cell: (row) => real(row.metrics?.pcc ?? null), number: true },
    { title: "max |d|", key: (row) => plotted(row.metrics?.max_abs ?? null) ?? Infinity, cell: (row) => real(row.metrics?.max_abs ?? null), number: true },
    { title: "mismatched", key: (row) => row.mismatched, cell: (row) => count(row.mismatched), number: true },
  ], report.outputs, 50);
}
