// The documents as the commands print them: see docs/schemas.

export type Severity = "error" | "warning" | "info";
export type Verdict = "taken" | "taken in part" | "unknown" | "wrong" | "refused";

export interface Place {
  file: string | null;
  line: number | null;
  column: number | null;
  module: string;
  role: string;
}

export interface Position {
  line: number;
  column: number;
}

export interface Edit {
  file: string;
  start: Position;
  end: Position;
  text: string;
}

export interface Fix {
  applicability: "safe" | "unsafe";
  description: string;
  edits: Edit[];
  refusal: string | null;
  hazard?: string;
}

export interface Finding {
  rule: string;
  code: string;
  severity: Severity;
  message: string;
  module: string;
  aliases: string[];
  parent: string;
  op: { name: string; type: string } | null;
  locations: Place[];
  package: string | null;
  help: string | null;
  notes: string[];
  fix: Fix | null;
  fingerprint: string;
  suppressed: { by: string; reason: string } | null;
  excused: "installed-code" | null;
}

export interface OperatorVerdict {
  operator: string;
  verdict: Verdict;
  calls: number;
  /** Names of the ops, where it is not simply taken. */
  ops?: string[];
  conditions: string[];
  evidence: string;
}

export interface TargetVerdict {
  target: string;
  verdict: Verdict;
  summary: string;
  ops: Record<Verdict, number>;
  rests_on: { table: string; package: string; date: string };
  release: string | null;
  judged: "recorded" | "file";
  refusals: string[];
  operators: OperatorVerdict[];
}

export interface ModelReport {
  path: string;
  format: string | null;
  status: "passed" | "failed" | "error" | "no-model";
  error: { kind: string; message: string; hint: string | null } | null;
  ops: number;
  checks: { name: string; status: "passed" | "failed" | "crashed" | "not-judged"; findings: number; reason?: string }[];
  verdicts?: TargetVerdict[];
  findings: Finding[];
}

export interface Report {
  schema: "model_validator/1";
  version: string;
  models: ModelReport[];
  summary: { models: number; errors: number; warnings: number; suppressed: number; excused: number; infos: number; unreadable: number };
}

export type OpKind = "module" | "functional" | "query" | "control_flow" | "input" | "output" | "constant";

export interface Quantisation {
  dtype: string | null;
  scale: QuantisationNumbers | null;
  zero_point: QuantisationNumbers | null;
  axis: number | null;
  block_size: number | null;
}

export interface QuantisationNumbers {
  name: string | null;
  dtype: string | null;
  shape: Shape;
  values: (number | null)[] | null;
}

export type Shape = (number | null)[] | null;

export interface Op {
  name: string;
  type: string;
  kind: OpKind;
  module: string | null;
  module_class: string | null;
  parent: string | null;
  parent_class: string | null;
  schema: string | null;
  region: string[];
  source: { file: string; line: number; column: number } | null;
}

export interface Product {
  name: string;
  from: string;
  output: number;
  to: string;
  input: number;
  shape: Shape;
  /** What the file calls its sizes, or expressions of these. */
  sizes?: string[];
  dtype: string | null;
  quantisation?: Quantisation;
}

export interface Port {
  name: string;
  shape: Shape;
  sizes?: string[];
  dtype: string | null;
}

export interface Graph {
  schema: "model_validator-graph/1";
  path: string;
  format: string;
  ops: Op[];
  products: Product[];
  inputs: Port[];
  outputs: Port[];
  modules: { path: string; aliases: string[]; class: string; leaf: boolean; calls: number }[];
  quantised_weights?: { name: string; shape: Shape; quantisation: Quantisation }[];
}

export interface Inspection {
  schema: "model_validator-inspect/1";
  producer: string | null;
  opset: number | null;
  file_bytes: number;
  inputs: Port[];
  outputs: Port[];
  parameters: { tensors: number; elements: number; bytes: number };
  multiply_accumulates: { total: number; by_op: Record<string, number>; unknown: string[] };
  structural_hash: string;
}

export interface Excerpt {
  file: string;
  first: number;
  lines: string[];
}

export interface Sources {
  schema: "model_validator-sources/1";
  excerpts: Excerpt[];
}

/** A number that JSON cannot hold is spelled out: `nan`, `inf`, `-inf`. */
export type Real = number | "nan" | "inf" | "-inf";

export interface Element {
  index: number[];
  reference: Real;
  candidate: Real;
  difference: Real;
}

export interface NonFinite {
  nan: number;
  inf: number;
  "-inf": number;
}

export interface Metrics {
  elements: number;
  unequal: number;
  reference_non_finite: NonFinite;
  candidate_non_finite: NonFinite;
  max_abs: Real;
  mean_abs: Real;
  rmse: Real;
  max_rel: Real;
  mean_rel: Real;
  reference_max: Real;
  pcc: Real | null;
  concordance: Real | null;
  cosine: Real | null;
  fit: { scale: Real; bias: Real } | null;
  max_ulp: number | null;
  worst: Element[];
  non_finite_samples: Element[];
  histogram: Histogram | null;
}

export interface Histogram {
  exact: number;
  bins: { exponent: number; count: number }[];
}

export interface Side {
  kind: string;
  dtype: string | null;
  shape: number[] | null;
}

export interface Output {
  name: string;
  sample: number;
  step: number;
  passed: boolean;
  reference: Side | null;
  candidate: Side | null;
  mismatched: number;
  allowed: Real | null;
  mismatch_rule: string | null;
  noise: Real | null;
  verdicts: { check: string; passed: boolean; message: string }[];
  notes: string[];
  metrics: Metrics | null;
}

export interface OpError {
  op: string;
  type: string;
  module: string | null;
  source: string | null;
  error: Real;
  tolerance: Real;
  introduced: Real | null;
  sqnr_db: Real | null;
  introduced_sqnr_db: Real | null;
  candidate: string;
  first_divergent: boolean;
}

export interface Verification {
  schema: "model_validator-verify/1";
  reference: string;
  candidate: string;
  backend: string | null;
  reference_backend: string | null;
  precision: string | null; // of the candidate, where results are held to that
  checker: string;
  samples: number;
  sample_names: string[]; // what each of them shows; empty for values that are only random
  steps: number;
  passed: boolean;
  first_failure: string | null;
  incidents: { kind: string; message: string; hint: string | null; failure: boolean }[];
  outputs: Output[];
  ops: OpError[];
  advice: { output: string; flags: string; message: string }[];
  notes: string[];
}

export interface Partition {
  schema: "model_validator-partition/1";
  path: string;
  format: string;
  targets: { name: string; opset: number | null; fallback: boolean; verdicts: Record<Verdict, number> | null }[];
  smallest: number;
  fewest: number;
  ops: number;
  multiply_accumulates: { total: number | null; unknown: string[] };
  partitions: {
    target: string;
    op_count: number;
    multiply_accumulates: number | null;
    inputs: string[];
    outputs: string[];
    ops: string[];
  }[];
  obstacles: {
    operator: string;
    target: string;
    reason: string;
    help: string | null;
    ops: { name: string; location: { file: string; line: number; column: number; module: string } | null }[];
  }[];
  held: { op: string; target: string; because: string | null }[];
  gains: { operator: string; target: string; partitions: number; ops: number; multiply_accumulates: number | null }[];
  emitted: { folder: string; files: string[] } | null;
}

export interface DifferentPlace {
  op: string;
  module: string;
  source: { file: string; line: number } | null;
  text: string;
}

export interface ChangedTensor {
  name: string;
  dtype: string;
  shape: number[];
  difference: Real | null;
  greatest: Real | null;
}

export interface Difference {
  schema: "model_validator-diff/1";
  first: string;
  second: string;
  verdict: string;
  tensors: number;
  changed_tensors: number;
  /** The most changed first; `difference` is null where the numbers could not be compared. */
  changed: ChangedTensor[];
  difference: string | null;
  first_place: DifferentPlace | null;
  second_place: DifferentPlace | null;
}

export type MainDocument = Report | Verification | Partition | Difference;
