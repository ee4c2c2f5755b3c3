// One cause with all that is known of it.
import { badge, toneOfSeverity } from "../badge";
import { h } from "../dom";
import { plural } from "../numbers";
import { nameOf, type Cause } from "./cause";
import type { Excerpts } from "./excerpts";
import { fixDiff } from "./fix_diff";
import type { Finding } from "../schema";
import { prose } from "../prose";

const MOST_NAMES = 12;

/** The first of those that are alike in something. */
function differing(findings: Finding[], what: (finding: Finding) => string): Finding[] {
  return [...new Map(findings.map((finding) => [what(finding), finding] as const).reverse()).values()].reverse();
}

/** What else is said of the very thing that the first finding is about: for another target, say. */
function alsoSaid(cause: Cause): Finding[] {
  const ofTheSame = cause.all.filter((finding) => nameOf(finding) === nameOf(cause.first));
  return differing(ofTheSame, (finding) => finding.message).slice(1);
}

function others(cause: Cause, choose: (finding: Finding) => void): HTMLElement {
  const buttons = differing(cause.all, nameOf).map((finding) =>
    h("li", {}, h("button", { type: "button", class: "link", on: { click: () => choose(finding) } }, nameOf(finding))));
  if (buttons.length <= MOST_NAMES) return h("ul", { class: "names" }, ...buttons);
  return h("div", {}, h("ul", { class: "names" }, ...buttons.slice(0, MOST_NAMES)),
    h("details", {}, h("summary", {}, `${buttons.length - MOST_NAMES} more`), h("ul", { class: "names" }, ...buttons.slice(MOST_NAMES))));
}

/** @param link  the address of a finding */
export function card(cause: Cause, excerpts: Excerpts, choose: (finding: Finding) => void, link: (finding: Finding) => string): HTMLElement {
  const finding = cause.first;
  const places = finding.locations.filter((place) => place.file).map((place) => excerpts.around(place));
  return h("article", { class: `finding ${finding.severity}`, "data-fingerprint": finding.fingerprint },
    h("h3", {},
      badge(finding.severity, toneOfSeverity(finding.severity)), " ",
      h("button", { type: "button", class: "headline", on: { click: () => choose(finding) } },
        h("span", { class: "rule" }, `${finding.rule} `), ...prose(finding.message))),
    h("p", { class: "dim" }, finding.code, finding.package && ` in package ${finding.package}`,
      finding.suppressed && ` suppressed by ${finding.suppressed.by}${finding.suppressed.reason ? `: ${finding.suppressed.reason}` : ""}`,
      finding.excused && ", which does not count", " ",
      h("a", { class: "permalink", href: link(finding), title: "a link to this finding" }, "link")),
    ...alsoSaid(cause).map((other) => h("p", {}, ...prose(`also: ${other.message}`))),
    others(cause, choose),
    places[0],
    places.length > 1 && h("details", {}, h("summary", {}, plural(places.length - 1, "more place")), ...places.slice(1)),
    ...finding.notes.map((note) => h("p", { class: "note" }, h("b", {}, "note: "), ...prose(note))),
    finding.help && h("p", { class: "note" }, h("b", {}, "help: "), ...prose(finding.help)),
    finding.fix && fixDiff(finding.fix, excerpts));
}
