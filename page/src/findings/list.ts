// The findings of a model, grouped by cause, with a filter.
import { h } from "../dom";
import { plural } from "../numbers";
import type { Finding } from "../schema";
import { card } from "./card";
import { causesOf } from "./cause";
import type { Excerpts } from "./excerpts";
import { everything, filterFields, passes, type Filter } from "./filter";

/** With more cards than that a browser becomes slow; a filter brings up the others. */
const MOST = 150;

const rank = { error: 0, warning: 1, info: 2 };

export class FindingList {
  readonly element: HTMLElement;
  private readonly cards = h("div", { class: "cards" });
  private readonly counter = h("p", { class: "dim", role: "status" });
  private filter: Filter = everything;

  constructor(
    private readonly findings: Finding[],
    targets: string[],
    private readonly excerpts: Excerpts,
    private readonly onChoose: (finding: Finding) => void,
    private readonly link: (finding: Finding) => string,
  ) {
    this.element = h("section", { class: "findings", "aria-label": "findings" },
      h("h2", {}, "Findings"),
      findings.length > 0 && filterFields(findings, targets, (filter) => {
        this.filter = filter;
        this.draw();
      }),
      this.counter, this.cards);
    this.draw();
  }

  /** Marks the card of a finding and brings it into view. */
  mark(finding: Finding): void {
    const element = this.cardOf(finding);
    if (!element) return;
    this.cards.querySelector(".chosen")?.classList.remove("chosen");
    element.classList.add("chosen");
    element.scrollIntoView({ block: "nearest" });
  }

  private cardOf(finding: Finding): Element | null {
    const causes = causesOf(this.shown());
    const index = causes.findIndex((cause) => cause.all.includes(finding));
    return this.cards.querySelector(`[data-fingerprint="${CSS.escape(causes[index]?.first.fingerprint ?? "")}"]`);
  }

  private shown(): Finding[] {
    return this.findings.filter((finding) => passes(finding, this.filter)).sort((a, b) => rank[a.severity] - rank[b.severity]);
  }

  private draw(): void {
    const shown = this.shown();
    const causes = causesOf(shown);
    const left = causes.length > MOST ? `; the first ${MOST} are listed` : "";
    this.counter.textContent = shown.length === 0 ? "no findings" : `${plural(shown.length, "finding")} of ${plural(causes.length, "cause")}${left}`;
    this.cards.replaceChildren(...causes.slice(0, MOST).map((cause) => card(cause, this.excerpts, this.onChoose, this.link)));
  }
}
