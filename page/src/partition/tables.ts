// What keeps operators from targets, and what each operator that is missing would gain.
import { h } from "../dom";
import { placeText } from "../graph/words";
import { large } from "../numbers";
import type { Partition } from "../schema";
import { table } from "../table";
import { prose } from "../prose";

type Show = (op: string) => void;

const macs = (count: number | null): string => (count === null ? "" : large(count));

export function targetTable(plan: Partition): HTMLElement {
  return table<Partition["targets"][number]>("targets", [
    { title: "target", cell: (row) => row.name + (row.fallback ? " (fallback)" : "") },
    { title: "partitions", cell: (row) => plan.partitions.filter((part) => part.target === row.name).length, number: true },
    { title: "ops", cell: (row) => plan.partitions.filter((part) => part.target === row.name).reduce((sum, part) => sum + part.op_count, 0), number: true },
    { title: "would take", cell: (row) => row.verdicts?.taken ?? "", number: true },
    { title: "refuses", cell: (row) => row.verdicts ? row.verdicts.refused + row.verdicts.wrong : "", number: true },
  ], plan.targets);
}

export function gainTable(plan: Partition): HTMLElement | null {
  if (plan.gains.length === 0) return null;
  return h("section", {}, h("h2", {}, "What support would gain"),
    table<Partition["gains"][number]>("what support would gain", [
      { title: "operator", key: (row) => row.operator, cell: (row) => row.operator },
      { title: "target", key: (row) => row.target, cell: (row) => row.target },
      { title: "partitions left", key: (row) => row.partitions, cell: (row) => row.partitions, number: true },
      { title: "ops on it", key: (row) => row.ops, cell: (row) => row.ops, number: true },
      { title: "multiply-accumulates", key: (row) => row.multiply_accumulates ?? -1, cell: (row) => macs(row.multiply_accumulates), number: true },
    ], plan.gains));
}

export function obstacleCards(plan: Partition, show: Show): HTMLElement[] {
  if (plan.obstacles.length === 0) return [];
  return [h("h2", {}, "What keeps operators from a target"), ...plan.obstacles.map((obstacle) =>
    h("section", { class: "finding warning" },
      h("h3", {}, h("span", { class: "rule" }, `${obstacle.target} `), obstacle.operator),
      h("p", {}, ...prose(obstacle.reason)), obstacle.help && h("p", { class: "note" }, h("b", {}, "help: "), ...prose(obstacle.help)),
      h("ul", { class: "names" }, ...obstacle.ops.slice(0, 40).map((op) => h("li", {},
        h("button", { type: "button", class: "link", on: { click: () => show(op.name) } }, op.name), ` ${placeText(op.location)}`)))))];
}

export function heldList(plan: Partition, show: Show): HTMLElement | null {
  if (plan.held.length === 0) return null;
  const link = (op: string): Node => h("button", { type: "button", class: "link", on: { click: () => show(op) } }, op);
  return h("details", {}, h("summary", {}, `${plan.held.length} ops could run on a better target and do not`),
    h("ul", {}, ...plan.held.slice(0, 200).map((held) =>
      h("li", {}, link(held.op), ` on ${held.target}`, held.because && ", because of ", held.because && link(held.because)))));
}
