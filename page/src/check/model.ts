// One model of a report: its findings and targets beside its graph.
import { h } from "../dom";
import { graphOf, inspectionOf, sourcesOf } from "../documents";
import { Excerpts } from "../findings/excerpts";
import { FindingList } from "../findings/list";
import type { Facts } from "../graph/facts";
import { hierarchyOf } from "../graph/hierarchy";
import { GraphPane } from "../graph/pane";
import { currentLink, hashOf, setLink } from "../link";
import { colourByQuantisation, quantisationSection } from "../quantisation";
import type { Finding, Graph, ModelReport } from "../schema";
import { badge } from "../badge";
import { header } from "./header";
import { colourByFindings } from "./severity";
import { colourByTargets, targetSections } from "./targets";
import { prose } from "../prose";

const BADGES = { passed: "good", failed: "warn", crashed: "bad", "not-judged": "none" } as const;

/** What the parts of the view tell each other. */
class ModelView {
  private pane: GraphPane | null = null;
  private list: FindingList;

  constructor(
    private readonly report: ModelReport,
    private readonly number: number,
    excerpts: Excerpts,
  ) {
    this.list = new FindingList(report.findings, (report.verdicts ?? []).map((verdict) => verdict.target), excerpts,
      (finding) => this.choose(finding), (finding) => hashOf(this.linkTo(finding)));
  }

  left(graph: Graph | null): HTMLElement {
    return h("div", { class: "left" },
      this.report.error && h("section", { class: "finding error" }, h("h2", {}, "The file could not be read"),
        h("p", {}, ...prose(this.report.error.message)), this.report.error.hint && h("p", { class: "note" }, h("b", {}, "help: "), ...prose(this.report.error.hint))),
      !graph && !this.report.error && h("p", { class: "note" }, "The graph is not in this page: it is too large for a browser."),
      this.list.element,
      ...targetSections(this.report.verdicts ?? [], (op) => this.pane?.show(op)),
      graph && quantisationSection(graph, (op) => this.pane?.show(op)),
      this.checks());
  }

  right(graph: Graph): GraphPane {
    const facts: Facts = { colourings: [], notes: new Map() };
    colourByFindings(this.report.findings, facts);
    const judged = graph.ops.filter((op) => op.kind === "module" || op.kind === "functional").map((op) => op.name);
    colourByTargets(this.report.verdicts ?? [], judged, facts);
    colourByQuantisation(graph, facts);
    this.pane = new GraphPane(hierarchyOf(graph), facts, (op) => this.chooseOp(op));
    return this.pane;
  }

  /** Shows what the address names. */
  follow(): void {
    const link = currentLink();
    const finding = this.report.findings.find((each) => each.fingerprint === link.finding);
    if (finding) this.choose(finding);
    else if (link.op !== undefined) this.pane?.show(link.op);
  }

  private linkTo(finding: Finding): { model: string; finding: string } {
    return { model: String(this.number), finding: finding.fingerprint };
  }

  private choose(finding: Finding): void {
    if (finding.op) this.pane?.show(finding.op.name);
    else if (finding.module) this.pane?.showModule(finding.module);
    this.list.mark(finding);
    setLink(this.linkTo(finding));
  }

  private chooseOp(op: string | null): void {
    if (op === null) return;
    setLink({ model: String(this.number), op });
    const finding = this.report.findings.find((each) => each.op?.name === op);
    if (finding) this.list.mark(finding);
  }

  private checks(): HTMLElement {
    return h("details", {}, h("summary", {}, `${this.report.checks.length} checks`),
      h("ul", { class: "checks" }, ...this.report.checks.map((check) =>
        h("li", {}, badge(check.status.replace("-", " "), BADGES[check.status]), ` ${check.name}`,
          check.findings > 0 && ` (${check.findings})`, check.reason !== undefined && `: ${check.reason}`))));
  }
}

/** Draws a model into an element. */
export async function showModel(place: HTMLElement, report: ModelReport, number: number, version: string): Promise<void> {
  const [graph, inspection, sources] = await Promise.all([graphOf(number), inspectionOf(number), sourcesOf(number)]);
  const view = new ModelView(report, number, new Excerpts(sources));
  const pane = graph ? view.right(graph) : null;
  place.replaceChildren(header(report, inspection, version),
    h("div", { class: pane ? "columns" : "" }, view.left(graph), pane && pane.element));
  pane?.start();
  view.follow();
}
