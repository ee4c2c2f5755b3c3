// The page of `partition`.
import { graphOf } from "../documents";
import { h, setTitle } from "../dom";
import { factList } from "../fact_list";
import { addNote, type Facts } from "../graph/facts";
import { hierarchyOf } from "../graph/hierarchy";
import { GraphPane } from "../graph/pane";
import { currentLink, setLink } from "../link";
import { large, plural } from "../numbers";
import type { Partition } from "../schema";
import { bands } from "./bands";
import { toneOf } from "./palette";
import { gainTable, heldList, obstacleCards, targetTable } from "./tables";

function colourByTarget(plan: Partition, facts: Facts): void {
  const of = new Map<string, number>();
  plan.partitions.forEach((part, index) => {
    const target = plan.targets.findIndex((each) => each.name === part.target);
    for (const op of part.ops) {
      of.set(op, target);
      addNote(facts, op, `partition ${index + 1}, ${part.target}`);
    }
  });
  const shades = plan.targets.map((target, index) => ({ words: target.name, tone: toneOf(index, target.fallback) }));
  facts.colourings.push({ name: "target", shades, of });
}

function top(plan: Partition): HTMLElement {
  const { total, unknown } = plan.multiply_accumulates;
  return h("header", { class: "top" }, h("h1", {}, plan.path), factList([
    ["format", plan.format],
    ["partitions", String(plan.partitions.length)],
    ["ops", String(plan.ops)],
    ["multiply-accumulates", total ? large(total) + (unknown.length ? ` and ${plural(unknown.length, "op")} of unknown shape` : "") : null],
    ["written to", plan.emitted?.folder],
  ]));
}

export async function partitionPage(plan: Partition, main: HTMLElement): Promise<void> {
  setTitle(`Partition of ${plan.path}`);
  const graph = await graphOf(0);
  const facts: Facts = { colourings: [], notes: new Map() };
  colourByTarget(plan, facts);
  const pane = graph ? new GraphPane(hierarchyOf(graph), facts, (op) => op !== null && setLink({ op })) : null;
  const show = (op: string): void => pane?.show(op);
  main.append(top(plan), h("div", { class: "columns" },
    h("div", { class: "left" }, h("h2", {}, "Targets"), targetTable(plan),
      h("h2", {}, "Partitions"), bands(plan, show), gainTable(plan), ...obstacleCards(plan, show), heldList(plan, show)),
    pane && pane.element));
  pane?.start();
  const wanted = currentLink().op;
  if (wanted !== undefined) pane?.show(wanted);
}
