// Numbers and counts as people read them.
import type { Real } from "./schema";

const whole = new Intl.NumberFormat("en");

export function count(number: number): string {
  return whole.format(number);
}

/** `1 finding`, `2 findings` */
export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** `11.7 M` */
export function large(number: number): string {
  for (const [size, unit] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]] as const)
    if (number >= size) return `${(number / size).toPrecision(3)} ${unit}`;
  return count(number);
}

/** Six digits are more than an error has. */
export function real(value: Real | null): string {
  if (value === null) return "\u2013";
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : value;
}

/** A number to draw: what JSON spells out is not finite. */
export function plotted(value: Real | null): number | null {
  return typeof value === "number" ? value : null;
}
