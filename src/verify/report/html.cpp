#include "verify/compare/words.h"
#include "verify/report/charts.h"
#include "verify/report/figures.h"
#include "verify/report/markup.h"
#include "verify/report/page_style.h"

#include <model_validator/verify/render.h>

namespace model_validator::verify {

namespace {

std::string element(const std::string& tag, const std::string& content,
                    const std::string& kind = "") {
  const std::string attribute = kind.empty() ? "" : " class=\"" + kind + "\"";
  return "<" + tag + attribute + ">" + content + "</" + tag + ">";
}

std::string words(const std::string& tag, const std::string& text, const std::string& kind = "") {
  return element(tag, markup(text), kind);
}

std::string badge(bool passed) {
  return element("span", passed ? "same" : "different", passed ? "badge" : "badge different");
}

std::string row(const std::vector<std::string>& texts, const std::string& tag,
                std::size_t numbers_from, std::size_t numbers_to,
                const std::string& last_kind = "") {
  std::string cells;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool is_number = i >= numbers_from && i < numbers_to;
    const bool is_last = i + 1 == texts.size();
    cells += words(tag, texts[i], is_number ? "number" : is_last ? last_kind : "");
  }
  return element("tr", cells) + "\n";
}

std::string summary_table(const VerifyReport& report) {
  constexpr std::size_t from = 3, to = 8;
  std::string rows = row({"output", "shape", "dtype", "PCC", "max |d|", "max relative",
                          "mismatched", "NaN/Inf", "verdict"},
                         "th", from, to);
  for (const OutputReport& output : report.outputs) {
    const OutputCells c = cells_of(output, report);
    rows += row({c.name, c.shape, c.dtype, c.pcc, c.max_abs, c.max_rel, c.mismatched, c.non_finite,
                 c.verdict},
                "td", from, to, output.passed() ? "good" : "bad");
  }
  return element("div", element("table", "\n" + rows), "scroll") + "\n";
}

std::string definition(const std::string& name, const std::string& value) {
  return words("dt", name) + words("dd", value);
}

std::string or_dash(const std::optional<double>& value) { return value ? number(*value) : "–"; }

std::string figures(const OutputReport& output) {
  const Metrics& m = *output.metrics;
  std::string list =
      definition("elements", std::to_string(m.elements)) +
      definition("not equal", std::to_string(m.unequal)) +
      definition("max |d|", number(m.max_abs)) + definition("mean |d|", number(m.mean_abs)) +
      definition("RMSE", number(m.rmse)) + definition("max relative", number(m.max_rel)) +
      definition("mean relative", number(m.mean_rel)) + definition("PCC", or_dash(m.pcc)) +
      definition("concordance", or_dash(m.concordance)) + definition("cosine", or_dash(m.cosine)) +
      definition("max |reference|", number(m.reference_max));
  if (m.max_ulp) list += definition("max ULP", std::to_string(*m.max_ulp));
  if (m.fit) list += definition("candidate ≈", fit_text(*m.fit));
  if (output.noise) list += definition("float64 noise", number(*output.noise));
  return element("dl", list);
}

std::string worst_table(const Metrics& metrics) {
  std::string rows = row({"worst elements", "reference", "candidate", "difference"}, "th", 1, 4);
  const auto add = [&](const std::vector<Element>& elements) {
    for (const Element& e : elements)
      rows +=
          row({index_text(e.index), number(e.reference), number(e.candidate), number(e.difference)},
              "td", 1, 4);
  };
  add(metrics.non_finite_samples);
  add(metrics.worst);
  if (metrics.non_finite_samples.empty() && metrics.worst.empty()) return "";
  return element("div", element("table", "\n" + rows), "scroll");
}

std::string verdict_list(const OutputReport& output) {
  std::string items;
  for (const Verdict& verdict : output.verdicts)
    items += element(
        "li", words("b", verdict.passed ? "✓ " : "✗ ", verdict.passed ? "good" : "bad") +
                  words("b", verdict.check) + ": " + words("span", verdict.message, "message"));
  for (const std::string& note : output.notes) items += words("li", "note: " + note, "message");
  return element("ul", items, "verdicts");
}

std::string chart_of(const OutputReport& output) {
  const Metrics& metrics = *output.metrics;
  if (!metrics.histogram) return worst_table(metrics);
  return histogram_chart(*metrics.histogram, output.allowed,
                         "histogram of the errors of " + output.name) +
         worst_table(metrics);
}

std::string output_card(const OutputReport& output, const VerifyReport& report) {
  std::string content =
      element("h3", markup(title_of(output, report)) + " " + badge(output.passed())) +
      verdict_list(output);
  if (output.metrics)
    content += element("div", element("div", chart_of(output)) + figures(output), "columns");
  return element("section", content, "card") + "\n";
}

std::string incident_card(const Incident& incident) {
  std::string content = element("h3", words("span", incident.kind, incident.failure ? "bad" : "")) +
                        words("p", incident.message, "message");
  if (!incident.hint.empty()) content += words("p", "help: " + incident.hint, "dim");
  return element("section", content, "card") + "\n";
}

std::string op_section(const VerifyReport& report) {
  if (report.ops.empty()) return "";
  std::string content = "<h2>Error of each op</h2>\n";
  if (const OpComparison* op = first_divergent(report))
    content += words("p", "The first op that differs is " + op_text(*op) + ".");
  return content + element("div", op_chart(report.ops), "card") + "\n";
}

std::string list_section(const std::string& title, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string content;
  for (const std::string& item : items) content += words("li", item, "message");
  return words("h2", title) + element("ul", content) + "\n";
}

std::string header(const VerifyReport& report) {
  std::string origin = report.candidate;
  if (!report.backend.empty()) origin += " (" + report.backend + ")";
  origin += " compared with the reference " + report.reference;
  if (!report.reference_backend.empty()) origin += " (" + report.reference_backend + ")";
  return element("h1", "Verification " + badge(report.passed())) +
         words("p", origin + ", checker " + report.checker + "; " + conclusion(report), "dim") +
         "\n";
}

} // namespace

std::string render_html(const VerifyReport& report) {
  std::string body = header(report);
  for (const Incident& incident : report.incidents) body += incident_card(incident);
  body += "<h2>Outputs</h2>\n" + summary_table(report) + op_section(report);
  for (const OutputReport& output : report.outputs) body += output_card(output, report);
  std::vector<std::string> advice;
  for (const ToleranceAdvice& one : report.advice)
    advice.push_back(one.output + ": " + (one.flags.empty() ? "" : one.flags + " – ") +
                     one.message);
  body += list_section("Tolerances", advice) + list_section("Notes", report.notes);
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'\">\n" +
         words("title", "Verification of " + report.candidate) + "\n<style>" + page_style +
         "</style>\n</head>\n<body>\n" + body + "</body>\n</html>\n";
}

} // namespace model_validator::verify
