// Colours the ops by their error: where it begins, where it is added to, and where it only passes through.
import { addNote, type Facts } from "../graph/facts";
import { plotted, real } from "../numbers";
import type { OpError, Verification } from "../schema";

const BY_ERROR = [
  { words: "as allowed", tone: "tone-good" },
  { words: "beyond", tone: "tone-warn" },
  { words: "beyond, and begins here", tone: "tone-bad" },
];

/** Rounding is what a quantised copy is for: only what the files show to be another is a fault. */
const BY_NOISE = [
  { words: "adds little noise: 40 dB or more", tone: "tone-good" },
  { words: "30 to 40 dB", tone: "tone-info" },
  { words: "less than 30 dB", tone: "tone-unknown" },
  { words: "differs in the file", tone: "tone-bad" },
];

/** The op in the graph that a result belongs to. */
export function opInGraph(op: OpError): string {
  return op.graph_op ?? op.op;
}

/** Whether the ops are the layers of a quantised copy. */
export function areLayers(ops: OpError[]): boolean {
  return ops.some((op) => op.introduced_sqnr_db !== null);
}

/** A number that JSON cannot hold is beyond every tolerance. */
function shadeByError(op: OpError): number {
  const error = plotted(op.error) ?? Infinity, tolerance = plotted(op.tolerance) ?? 0;
  if (op.first_divergent) return 2;
  if (error <= tolerance) return 0;
  const introduced = op.introduced === null ? null : plotted(op.introduced) ?? Infinity;
  return introduced !== null && introduced > tolerance ? 2 : 1;
}

function shadeByNoise(op: OpError): number | undefined {
  if (op.cause !== null) return 3;
  if (op.introduced_sqnr_db === null) return undefined;
  const ratio = op.introduced_sqnr_db === "inf" ? Infinity : plotted(op.introduced_sqnr_db) ?? -Infinity;
  return ratio >= 40 ? 0 : ratio >= 30 ? 1 : 2;
}

function note(op: OpError, layers: boolean): string {
  if (layers) return `keeps ${real(op.introduced_sqnr_db)} dB of signal on its own, ${real(op.sqnr_db)} dB with what came before`;
  const introduced = op.introduced === null ? "" : `, introduced ${real(op.introduced)}`;
  return `error ${real(op.error)}, allowed ${real(op.tolerance)}${introduced}`;
}

export function colourByError(report: Verification, facts: Facts): void {
  const layers = areLayers(report.ops);
  const of = new Map<string, number>();
  for (const op of report.ops) {
    const name = opInGraph(op);
    const shade = layers ? shadeByNoise(op) : shadeByError(op);
    if (shade !== undefined) of.set(name, Math.max(shade, of.get(name) ?? 0));
    addNote(facts, name, note(op, layers));
    if (op.cause !== null) addNote(facts, name, op.cause);
    if (op.first_divergent) addNote(facts, name, "the first op that differs");
  }
  facts.colourings.push({ name: layers ? "quantisation noise" : "numerical error", shades: layers ? BY_NOISE : BY_ERROR, of });
}
