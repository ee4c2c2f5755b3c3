// The documents as the commands print them, made from docs/schemas by schema.mjs, and names for their parts.

import type { Difference, Graph, Inspection, Partition, Report, Verification } from "./made/documents";

export type { Difference, Graph, Inspection, Partition, Report, Verification };
export type MainDocument = Report | Verification | Partition | Difference;

export type ModelReport = Report["models"][number];
export type Finding = ModelReport["findings"][number];
export type Severity = Finding["severity"];
export type Place = Finding["locations"][number];
export type Fix = NonNullable<Finding["fix"]>;
export type Edit = Fix["edits"][number];
export type TargetVerdict = NonNullable<ModelReport["verdicts"]>[number];
export type Verdict = TargetVerdict["verdict"];
export type OperatorVerdict = TargetVerdict["operators"][number];

export type Op = Graph["ops"][number];
export type Port = Graph["inputs"][number];
export type Shape = Port["shape"];
export type Quantisation = NonNullable<Graph["products"][number]["quantisation"]>;
export type QuantisationNumbers = NonNullable<Quantisation["scale"]>;

export type Output = Verification["outputs"][number];
export type Metrics = NonNullable<Output["metrics"]>;
export type Histogram = NonNullable<Metrics["histogram"]>;
export type Element = Metrics["worst"][number];
export type OpError = Verification["ops"][number];
/** A number that JSON cannot hold is spelled out: `nan`, `inf`, `-inf`. */
export type Real = Metrics["max_abs"];

export type ChangedTensor = Difference["changed"][number];
export type DifferentPlace = NonNullable<Difference["first_place"]>;

/** The lines of the user's own code around what is found, which only pages hold. */
export interface Sources {
  schema: "model_validator-sources/1";
  excerpts: { file: string; first: number; lines: string[] }[];
}
export type Excerpt = Sources["excerpts"][number];
