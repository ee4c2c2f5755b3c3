// Sentences of the program, which quote code in backticks.
import { h, type Child } from "./dom";

export function prose(text: string): Child[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? h("code", { class: "quoted" }, part) : part));
}
