// Findings that one change would remove are one entry, as in the program's own report.
import type { Finding } from "../schema";
import { placeText } from "../graph/words";

export interface Cause {
  first: Finding;
  all: Finding[];
}

function keyOf(finding: Finding): string {
  const place = finding.locations[0];
  const located = place?.file && place.line;
  return JSON.stringify([
    finding.rule, finding.severity, finding.suppressed, finding.excused, finding.op?.type ?? "",
    located ? [place.file, place.line, place.column] : finding.op && finding.module ? "" : finding.message,
  ]);
}

export function causesOf(findings: Finding[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const finding of findings) {
    const known = causes.get(keyOf(finding));
    if (known) known.all.push(finding);
    else causes.set(keyOf(finding), { first: finding, all: [finding] });
  }
  return [...causes.values()];
}

/** What a finding is called among others of its cause. */
export function nameOf(finding: Finding): string {
  return finding.module || finding.op?.name || finding.parent || placeText(finding.locations[0] ?? null) || "the model";
}
