// Colours the ops by their error: where it begins, where it is added to, and where it only passes through.
import { addNote, type Facts } from "../graph/facts";
import { plotted, real } from "../numbers";
import type { OpError } from "../schema";

const SHADES = [
  { words: "as allowed", tone: "tone-good" },
  { words: "beyond", tone: "tone-warn" },
  { words: "beyond, and begins here", tone: "tone-bad" },
];

/** A number that JSON cannot hold is beyond every tolerance. */
function shadeOf(op: OpError): number {
  const error = plotted(op.error) ?? Infinity, tolerance = plotted(op.tolerance) ?? 0;
  if (error <= tolerance) return 0;
  const introduced = op.introduced === null ? null : plotted(op.introduced) ?? Infinity;
  const here = op.first_divergent || (introduced !== null && introduced > tolerance);
  return here ? 2 : 1;
}

export function colourByError(ops: OpError[], facts: Facts): void {
  const of = new Map<string, number>();
  for (const op of ops) {
    of.set(op.op, shadeOf(op));
    addNote(facts, op.op, `error ${real(op.error)}, allowed ${real(op.tolerance)}${op.introduced === null ? "" : `, introduced ${real(op.introduced)}`}`);
    if (op.sqnr_db !== null) addNote(facts, op.op, `signal to quantisation noise ${real(op.sqnr_db)} dB`);
    if (op.first_divergent) addNote(facts, op.op, "the first op that differs");
  }
  facts.colourings.push({ name: "numerical error", shades: SHADES, of });
}
