// How the page names things of a graph.
import type { Op, Port, Shape } from "../schema";

/** `1×64×56×56` */
export function shapeText(shape: Shape | undefined): string {
  if (!shape) return "";
  return shape.length === 0 ? "scalar" : shape.map((size) => size ?? "?").join("×");
}

/** The same; of sizes that are free, their names: `batch×64×56×56` */
export function sizesText(port: Pick<Port, "shape" | "sizes">): string {
  const names = port.sizes?.map((size) => (size.includes(" ") ? `(${size})` : size));
  return names?.length ? names.join("×") : shapeText(port.shape);
}

/** `float32 batch×64×56×56` */
export function typeText(port: Pick<Port, "shape" | "sizes" | "dtype">): string {
  return [port.dtype, sizesText(port)].filter(Boolean).join(" ");
}

/** The last word of a dotted name. */
export function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** The rest of a path below another: `relu` of `layer1.0.relu` below `layer1.0`. */
export function below(path: string, outer: string): string {
  return outer && path.startsWith(`${outer}.`) ? path.slice(outer.length + 1) : path;
}

/** What the box of an op says first. */
export function labelOf(op: Op): string {
  if (op.module) return below(op.module, op.parent ?? "");
  return op.kind === "input" || op.kind === "output" ? op.name : op.type;
}

/** A path as a reader needs it: from an installed package on, else its last three parts. */
export function shortFile(file: string): string {
  const parts = file.split("/");
  const installed = Math.max(parts.lastIndexOf("site-packages"), parts.lastIndexOf("dist-packages"));
  if (installed >= 0) return parts.slice(installed + 1).join("/");
  return parts.length > 3 ? `\u2026/${parts.slice(-3).join("/")}` : file;
}

/** `models/resnet.py:93` */
export function placeText(place: { file: string | null; line: number | null } | null): string {
  if (!place?.file) return "";
  const file = shortFile(place.file);
  return place.line ? `${file}:${place.line}` : file;
}
