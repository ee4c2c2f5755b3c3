#include "files/json_text.h"

#include <model_validator/verify/render.h>

#include <cmath>

namespace model_validator::verify {

namespace {

/// JSON has no NaN and no infinity: they are spelled out.
Json real(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json real(const std::optional<double>& value) { return value ? real(*value) : Json(); }

template <class T, class ToJson> Json list(const std::vector<T>& items, ToJson to_json) {
  Json json = Json::array();
  for (const T& item : items) json.push_back(to_json(item));
  return json;
}

Json side(const std::optional<SideInfo>& info) {
  if (!info) return nullptr;
  const bool tensor = !info->dtype.empty();
  return {{"kind", info->kind},
          {"dtype", text_or_null(info->dtype)},
          {"shape", tensor ? Json(info->shape) : Json()}};
}

Json counts(const NonFinite& side) {
  return {{"nan", side.nan}, {"inf", side.positive_infinity}, {"-inf", side.negative_infinity}};
}

Json element(const Element& element) {
  return {{"index", element.index},
          {"reference", real(element.reference)},
          {"candidate", real(element.candidate)},
          {"difference", real(element.difference)}};
}

Json fit(const std::optional<LinearFit>& line) {
  if (!line) return nullptr;
  return {{"scale", real(line->scale)}, {"bias", real(line->bias)}};
}

/// Only the bins that count something.
Json histogram(const std::optional<Histogram>& errors) {
  if (!errors) return nullptr;
  Json bins = Json::array();
  for (int i = 0; i < Histogram::bins; ++i)
    if (const std::int64_t count = errors->counts[static_cast<std::size_t>(i)]; count != 0)
      bins.push_back({{"exponent", i - Histogram::offset}, {"count", count}});
  return {{"exact", errors->exact}, {"bins", std::move(bins)}};
}

Json metrics(const std::optional<Metrics>& of) {
  if (!of) return nullptr;
  const Metrics& m = *of;
  Json json = {{"elements", m.elements},
               {"finite", m.finite},
               {"unequal", m.unequal},
               {"reference_non_finite", counts(m.reference_non_finite)},
               {"candidate_non_finite", counts(m.candidate_non_finite)},
               {"non_finite_mismatches", m.non_finite_mismatches},
               {"max_abs", real(m.max_abs)},
               {"mean_abs", real(m.mean_abs)},
               {"rmse", real(m.rmse)},
               {"max_rel", real(m.max_rel)},
               {"mean_rel", real(m.mean_rel)},
               {"zero_reference_mismatches", m.zero_reference_mismatches},
               {"reference_max", real(m.reference_max)},
               {"candidate_max", real(m.candidate_max)},
               {"pcc", real(m.pcc)},
               {"concordance", real(m.concordance)},
               {"cosine", real(m.cosine)},
               {"fit", fit(m.fit)},
               {"extremes", m.extremes},
               {"extreme_share", real(m.extreme_share)},
               {"pcc_without_extremes", real(m.pcc_without_extremes)},
               {"concordance_without_extremes", real(m.concordance_without_extremes)},
               {"rmse_without_worst", real(m.rmse_without_worst)}};
  json["max_ulp"] = m.max_ulp ? Json(*m.max_ulp) : Json();
  json["worst"] = list(m.worst, element);
  json["non_finite_samples"] = list(m.non_finite_samples, element);
  json["histogram"] = histogram(m.histogram);
  return json;
}

Json verdict(const Verdict& of) {
  return {{"check", of.check}, {"passed", of.passed}, {"message", of.message}};
}

Json output(const OutputReport& of) {
  Json json = {
      {"name", of.name}, {"sample", of.sample}, {"step", of.step}, {"passed", of.passed()}};
  json["reference"] = side(of.reference);
  json["candidate"] = side(of.candidate);
  json["mismatched"] = of.mismatched;
  json["allowed"] = real(of.allowed);
  json["mismatch_rule"] = text_or_null(of.mismatch_rule);
  json["noise"] = real(of.noise);
  json["verdicts"] = list(of.verdicts, verdict);
  json["notes"] = of.notes;
  json["metrics"] = metrics(of.metrics);
  return json;
}

Json incident(const Incident& of) {
  return {{"kind", to_string(of.kind)},
          {"message", of.message},
          {"hint", text_or_null(of.hint)},
          {"failure", of.failure}};
}

Json op(const OpComparison& of) {
  return {{"op", of.op},
          {"type", of.type},
          {"module", text_or_null(of.module)},
          {"source", text_or_null(of.source)},
          {"error", real(of.error)},
          {"tolerance", real(of.tolerance)},
          {"introduced", real(of.introduced)},
          {"sqnr_db", real(of.sqnr)},
          {"introduced_sqnr_db", real(of.introduced_sqnr)},
          {"candidate", of.candidate},
          {"graph_op", text_or_null(of.graph_op)},
          {"cause", text_or_null(of.cause)},
          {"first_divergent", of.first_divergent}};
}

Json advice(const ToleranceAdvice& of) {
  return {{"output", of.output}, {"flags", of.flags}, {"message", of.message}};
}

Json coverage(const std::optional<Coverage>& of) {
  if (!of) return nullptr;
  return {{"branches", of->branches},
          {"branches_run", of->branches_run},
          {"bounds", of->bounds},
          {"bounds_met", of->bounds_met},
          {"missed", of->missed}};
}

} // namespace

std::string render_json(const VerifyReport& report) {
  Json json = {{"schema", "model_validator-verify/1"},
               {"reference", report.reference},
               {"candidate", report.candidate},
               {"backend", text_or_null(report.backend)},
               {"reference_backend", text_or_null(report.reference_backend)},
               {"checker", report.checker},
               {"machine", text_or_null(report.machine)},
               {"precision", text_or_null(report.precision)},
               {"samples", report.samples},
               {"sample_names", report.sample_names},
               {"steps", report.steps},
               {"passed", report.passed()}};
  json["first_failure"] = text_or_null(report.first_failure());
  json["incidents"] = list(report.incidents, incident);
  json["outputs"] = list(report.outputs, output);
  json["ops"] = list(report.ops, op);
  json["advice"] = list(report.advice, advice);
  json["coverage"] = coverage(report.coverage);
  json["notes"] = report.notes;
  return json_text(json, 2) + "\n";
}

} // namespace model_validator::verify
