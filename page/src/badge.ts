// A short word on a coloured ground.
import { h } from "./dom";

export type Tone = "good" | "bad" | "warn" | "info" | "none";

export function badge(text: string, tone: Tone): HTMLElement {
  return h("span", { class: `badge ${tone}` }, text);
}

export function toneOfSeverity(severity: string): Tone {
  return severity === "error" ? "bad" : severity === "warning" ? "warn" : "info";
}

export function toneOfVerdict(verdict: string): Tone {
  switch (verdict) {
    case "taken": return "good";
    case "wrong":
    case "refused": return "bad";
    case "taken in part": return "info";
    default: return "warn";
  }
}
