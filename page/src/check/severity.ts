// Colours the ops by their gravest finding.
import { addNote, type Facts } from "../graph/facts";
import type { Finding, Severity } from "../schema";

const ORDER: Severity[] = ["info", "warning", "error"];
const TONES = ["tone-info", "tone-warn", "tone-bad"];

export function colourByFindings(findings: Finding[], facts: Facts): void {
  const of = new Map<string, number>();
  for (const finding of findings) {
    if (!finding.op || finding.suppressed) continue;
    of.set(finding.op.name, Math.max(of.get(finding.op.name) ?? 0, ORDER.indexOf(finding.severity)));
    addNote(facts, finding.op.name, `${finding.severity}: ${finding.rule}: ${finding.message}`);
  }
  facts.colourings.push({ name: "findings", shades: ORDER.map((words, index) => ({ words, tone: TONES[index]! })), of });
}
