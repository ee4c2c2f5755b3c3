#include "verify/compare/words.h"

#include <model_validator/data/contains.h>
#include <model_validator/error.h>
#include <model_validator/verify/checker_settings.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace model_validator::verify {
namespace {

using Made = std::shared_ptr<const ValueChecker>;

double single(const CheckerSettings& settings, const OutputTolerances& given, double otherwise) {
  if (!given.by_output.empty())
    throw Error(ErrorKind::usage, "",
                "the checker `" + settings.name + "` has one tolerance for all outputs",
                "leave out the names of outputs, or choose the checker `default`");
  return given.all.value_or(otherwise);
}

AutomaticOptions automatic(const CheckerSettings& settings) {
  AutomaticOptions options;
  options.pcc = single(settings, settings.pcc, options.pcc);
  options.rtol = single(settings, settings.rtol, options.rtol);
  options.atol = single(settings, settings.atol, options.atol);
  options.dissimilarity_threshold =
      settings.dissimilarity_threshold.value_or(options.dissimilarity_threshold);
  options.pcc_alone = settings.pcc_alone;
  return options;
}

Made make_allclose(const CheckerSettings& settings) {
  AllCloseOptions options;
  options.rtol = single(settings, settings.rtol, options.rtol);
  options.atol = single(settings, settings.atol, options.atol);
  options.equal_nan = settings.equal_nan;
  return std::make_shared<AllCloseValueChecker>(options);
}

Made make_quantised(const CheckerSettings& settings) {
  QuantisedOptions options;
  options.sqnr = settings.sqnr;
  options.agreement = settings.agreement.value_or(options.agreement);
  return std::make_shared<QuantisedValueChecker>(std::move(options));
}

Made make_default(const CheckerSettings& settings) {
  return std::make_shared<DefaultValueChecker>(
      DefaultOptions{settings.rtol, settings.atol, settings.pcc, {}, settings.find_tightest});
}

Made make_automatic(const CheckerSettings& settings) {
  return std::make_shared<AutomaticValueChecker>(automatic(settings));
}

Made make_full(const CheckerSettings& settings) {
  return std::make_shared<FullValueChecker>(automatic(settings));
}

Made make_exact(const CheckerSettings& /*settings*/) {
  return std::make_shared<ExactValueChecker>();
}

struct Named {
  std::string_view name;
  Made (*make)(const CheckerSettings& settings);
  std::array<std::string_view, 5> uses;
};

constexpr std::array<Named, 6> checkers{{
    {"default", make_default, {"rtol", "atol", "pcc"}},
    {"auto", make_automatic, {"rtol", "atol", "pcc", "dissimilarity_threshold", "pcc_alone"}},
    {"allclose", make_allclose, {"rtol", "atol", "equal_nan"}},
    {"full", make_full, {"rtol", "atol", "pcc", "dissimilarity_threshold", "pcc_alone"}},
    {"exact", make_exact, {}},
    {"quantised", make_quantised, {"sqnr", "agreement"}},
}};

void require_between(const std::string& setting, std::optional<double> given, double most) {
  if (given && !(*given >= 0 && *given <= most))
    throw Error(ErrorKind::bad_tolerance, "",
                "`" + setting + "` must " +
                    (std::isfinite(most) ? "lie between 0 and " + number(most)
                                         : std::string("be at least 0")));
}

/// With more than can be, or less, nothing is judged.
void require_sense(const CheckerSettings& settings) {
  require_between("pcc", settings.pcc.all, 1);
  for (const auto& [output, pcc] : settings.pcc.by_output) require_between("pcc", pcc, 1);
  require_between("agreement", settings.agreement, 1);
  require_between("dissimilarity_threshold", settings.dissimilarity_threshold,
                  std::numeric_limits<double>::infinity());
}

const Named* find(std::string_view name) {
  const auto* found = std::ranges::find(checkers, name, &Named::name);
  return found == checkers.end() ? nullptr : found;
}

} // namespace

const std::vector<std::string>& checker_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Named& each : checkers) all.emplace_back(each.name);
    return all;
  }();
  return names;
}

bool checker_uses(std::string_view checker, std::string_view setting) {
  const Named* named = find(checker);
  return named != nullptr && contains(named->uses, setting);
}

Made make_checker(const CheckerSettings& settings) {
  require_sense(settings);
  if (const Named* named = find(settings.name)) return named->make(settings);
  throw Error(ErrorKind::usage, "", "there is no checker `" + settings.name + "`");
}

} // namespace model_validator::verify
