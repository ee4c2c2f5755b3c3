#include "requests/comparison.h"

#include "lint/run_results.h"
#include "requests/call_options.h"
#include "text/nearest.h"

#include <model_validator/error.h>
#include <model_validator/verify/checker_settings.h>
#include <model_validator/verify/config.h>
#include <model_validator/verify/render.h>
#include <model_validator/verify/same.h>

#include <algorithm>

namespace model_validator {
namespace {

using verify::VerifyConfig;

constexpr std::int64_t max_count = 10'000; ///< of threads, and of elements that are listed

/// One for all outputs, or by output: `1e-5`, `"1e-5,logits=1e-3"`.
verify::OutputTolerances tolerances(CallOptions& options, const char* name) {
  const auto text = options.number_or_text(name);
  return text ? verify::parse_tolerances(*text, name) : verify::OutputTolerances();
}

std::shared_ptr<const verify::ValueChecker> checker_from(const nlohmann::json& description) {
  CallOptions options(description.is_null() ? "" : description.dump());
  verify::CheckerSettings settings;
  settings.name = options.text("name").value_or("auto");
  const auto& names = verify::checker_names();
  if (std::ranges::find(names, settings.name) == names.end())
    throw Error(ErrorKind::bad_options, "", "there is no checker `" + settings.name + "`",
                rules::suggestion(settings.name, names));
  // What the checker does not use is not asked for, and so refused as unknown.
  const auto take = [&](const char* name, auto& setting, const auto& read) {
    if (verify::checker_uses(settings.name, name)) setting = read(name);
  };
  const auto tolerance = [&](const char* name) { return tolerances(options, name); };
  const auto number = [&](const char* name) { return options.number(name); };
  const auto flag = [&](const char* name) { return options.flag(name).value_or(false); };
  take("rtol", settings.rtol, tolerance);
  take("atol", settings.atol, tolerance);
  take("pcc", settings.pcc, tolerance);
  take("sqnr", settings.sqnr, tolerance);
  take("dissimilarity_threshold", settings.dissimilarity_threshold, number);
  take("agreement", settings.agreement, number);
  take("pcc_alone", settings.pcc_alone, flag);
  take("equal_nan", settings.equal_nan, flag);
  options.require_all_known();
  return verify::make_checker(settings);
}

template <class T> T bounded_count(CallOptions& options, const char* name, T fallback) {
  const std::int64_t value = options.integer(name).value_or(static_cast<std::int64_t>(fallback));
  if (value < 0 || value > max_count)
    throw Error(ErrorKind::bad_options, "",
                "the option `" + std::string(name) + "` must lie between 0 and " +
                    std::to_string(max_count));
  return static_cast<T>(value);
}

VerifyConfig config_from(CallOptions& options) {
  VerifyConfig config;
  config.verify_size = options.flag("verify_size").value_or(true);
  config.verify_dtype = options.flag("verify_dtype").value_or(true);
  config.verify_shape = options.flag("verify_shape").value_or(true);
  config.verify_values = options.flag("verify_values").value_or(true);
  config.value_checker = checker_from(options.structure("checker"));
  config.worst = bounded_count(options, "worst", config.worst);
  config.histogram = options.flag("histogram").value_or(false);
  config.threads = bounded_count(options, "threads", config.threads);
  return config;
}

std::string rendered(const verify::VerifyReport& report, const std::string& format) {
  if (format == "json") return verify::render_json(report);
  if (format == "text") return verify::render_text(report);
  if (format == "junit") return verify::render_junit(report);
  if (format == "html") return verify::render_html(report);
  throw Error(ErrorKind::bad_options, "", "there is no format `" + format + "`",
              rules::suggestion(format, {"json", "text", "junit", "html"}));
}

int status_of(bool same) { return static_cast<int>(same ? Outcome::clean : Outcome::findings); }

} // namespace

Reply compare_values(const verify::Value& reference, const verify::Value& candidate,
                     std::string_view text) {
  CallOptions options(text);
  const VerifyConfig config = config_from(options);
  const auto formats = options.texts("formats").value_or(std::vector<std::string>{"json"});
  const std::string reference_name = options.text("reference").value_or("reference");
  const std::string candidate_name = options.text("candidate").value_or("candidate");
  const auto notes = options.texts("notes").value_or(std::vector<std::string>{});
  options.require_all_known();
  verify::VerifyReport report = verify::compare(reference, candidate, config);
  report.reference = reference_name;
  report.candidate = candidate_name;
  report.notes.insert(report.notes.end(), notes.begin(), notes.end());
  report.checker = config.value_checker->name();
  Reply reply{status_of(report.passed()), {{"first_failure", report.first_failure()}}};
  for (const std::string& format : formats) reply.texts[format] = rendered(report, format);
  return reply;
}

Reply same_values(const verify::Value& reference, const verify::Value& result,
                  const verify::Value* fp64, std::string_view text) {
  CallOptions options(text);
  verify::SameTolerances tolerances;
  tolerances.tol = options.number("tol").value_or(tolerances.tol);
  tolerances.cos_similarity = options.flag("cos_similarity").value_or(false);
  tolerances.equal_nan = options.flag("equal_nan").value_or(false);
  tolerances.exact_dtype = options.flag("exact_dtype").value_or(true);
  options.require_all_known();
  const verify::SameResult found = verify::same(reference, result, fp64, tolerances);
  const nlohmann::json json{
      {"equal", found.equal}, {"differences", found.differences}, {"notes", found.notes}};
  return {status_of(found.equal),
          {{"json", json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)}}};
}

} // namespace model_validator
