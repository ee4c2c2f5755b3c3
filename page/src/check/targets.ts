// What each target says of the operators of a model, and what that rests on.
import { badge, toneOfVerdict } from "../badge";
import { h } from "../dom";
import { addNote, type Facts } from "../graph/facts";
import type { OperatorVerdict, TargetVerdict, Verdict } from "../schema";
import { prose } from "../prose";
import { table } from "../table";

const ORDER: Verdict[] = ["taken", "taken in part", "unknown", "wrong", "refused"];
const TONES = ["tone-good", "tone-info", "tone-unknown", "tone-bad", "tone-bad"];

function operators(verdict: TargetVerdict, show: (op: string) => void): HTMLElement {
  const worst = [...verdict.operators].sort((a, b) => ORDER.indexOf(b.verdict) - ORDER.indexOf(a.verdict) || b.calls - a.calls);
  return table<OperatorVerdict>(`operators for ${verdict.target}`, [
    { title: "operator", cell: (row) => row.operator, key: (row) => row.operator },
    { title: "calls", cell: (row) => row.calls, key: (row) => row.calls, number: true },
    { title: "verdict", cell: (row) => badge(row.verdict, toneOfVerdict(row.verdict)), key: (row) => ORDER.indexOf(row.verdict) },
    { title: "where", cell: (row) => row.ops?.[0] ? h("button", { type: "button", class: "link", on: { click: () => show(row.ops![0]!) } }, row.ops[0]) : "" },
    { title: "because", prose: true, cell: (row) => [...row.conditions, row.evidence].filter(Boolean).join("; ") },
  ], worst, 40);
}

export function targetSections(verdicts: TargetVerdict[], show: (op: string) => void): HTMLElement[] {
  if (verdicts.length === 0) return [];
  return [h("h2", {}, "Targets"), ...verdicts.map((verdict) =>
    h("details", { class: "target", open: verdict.verdict !== "taken" },
      h("summary", {}, h("b", {}, verdict.target), " ", badge(verdict.verdict, toneOfVerdict(verdict.verdict)), ` ${verdict.summary}`),
      h("p", { class: "dim" }, `rests on ${verdict.rests_on.table} (${verdict.rests_on.package}, ${verdict.rests_on.date}); judged: ${verdict.judged === "file" ? "the file" : "what ran with the inputs"}`),
      ...verdict.refusals.map((refusal) => h("p", { class: "note" }, ...prose(refusal))),
      operators(verdict, show)))];
}

/** Tints that can be told apart; where there are more islands, they begin again. */
const ISLAND_TONES = Array.from({ length: 12 }, (_, index) => `tone-island-${index}`);

/** Colours the islands that are left where some ops run elsewhere: each its own tint, and what runs elsewhere alike. */
function colourByIslands(verdict: TargetVerdict, facts: Facts): void {
  const islands = verdict.islands ?? [];
  if (islands.length === 0) return;
  const shades = islands.map((_, index) => ({ words: `island ${index + 1}`, tone: ISLAND_TONES[index % ISLAND_TONES.length]! }));
  const elsewhere = verdict.operators.filter((each) => each.verdict === "refused").flatMap((each) => each.ops ?? []);
  const of = new Map<string, number>(elsewhere.map((op) => [op, islands.length]));
  islands.forEach((ops, index) => ops.forEach((op) => of.set(op, index)));
  facts.colourings.push({ name: `islands of ${verdict.target}`, shades: [...shades, { words: "runs elsewhere", tone: "tone-rest" }], of });
}

/** Colours the ops by what each target says of them. */
export function colourByTargets(verdicts: TargetVerdict[], drawn: string[], facts: Facts): void {
  for (const verdict of verdicts) {
    const of = new Map(drawn.map((op) => [op, 0]));
    for (const operator of verdict.operators)
      for (const op of operator.ops ?? []) {
        of.set(op, Math.max(of.get(op) ?? 0, ORDER.indexOf(operator.verdict)));
        addNote(facts, op, `${verdict.target}: ${operator.verdict}`);
      }
    facts.colourings.push({
      name: `target ${verdict.target}`,
      shades: ORDER.map((words, index) => ({ words, tone: TONES[index]! })),
      of,
    });
    colourByIslands(verdict, facts);
  }
}
