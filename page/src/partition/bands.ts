// The partitions in the order in which they run, as bands of the colours of their targets.
import { h } from "../dom";
import { large, plural } from "../numbers";
import type { Partition } from "../schema";
import { toneOf } from "./palette";

const MOST = 300;

export function bands(plan: Partition, show: (op: string) => void): HTMLElement {
  const most = Math.max(1, ...plan.partitions.map((part) => part.op_count));
  const items = plan.partitions.slice(0, MOST).map((part, index) => {
    const target = plan.targets.findIndex((each) => each.name === part.target);
    const tone = toneOf(target, plan.targets[target]?.fallback ?? true);
    const macs = part.multiply_accumulates === null ? "" : `, ${large(part.multiply_accumulates)} multiply-accumulates`;
    // A meter, not a bar of some width: the page's policy allows no style in an attribute.
    return h("li", { class: `band ${tone}` },
      h("button", { type: "button", class: "link", on: { click: () => part.ops[0] && show(part.ops[0]) } }, `${index + 1} ${part.target}`),
      h("meter", { min: 0, max: most, value: part.op_count, "aria-label": `ops of partition ${index + 1}` }),
      h("span", {}, `${plural(part.op_count, "op")}${macs}`),
      h("details", {}, h("summary", {}, `takes ${plural(part.inputs.length, "value")}, gives ${plural(part.outputs.length, "value")}`),
        h("p", {}, h("b", {}, "takes "), part.inputs.join(", ")), h("p", {}, h("b", {}, "gives "), part.outputs.join(", "))));
  });
  const left = plan.partitions.length - items.length;
  return h("ol", { class: "bands" }, ...items, left > 0 && h("li", {}, `and ${left} more`));
}
