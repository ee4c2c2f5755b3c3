#include <model_validator/error.h>
#include <model_validator/verify/checker_settings.h>

#include <algorithm>

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
  return std::make_shared<DefaultValueChecker>(DefaultOptions{
      settings.rtol, settings.atol, settings.pcc, settings.floors, settings.find_tightest});
}

struct Named {
  const char* name;
  Made (*make)(const CheckerSettings& settings);
};

const Named checkers[] = { // NOLINT(*-avoid-c-arrays)
    {"default", make_default},
    {"auto",
     [](const auto& given) -> Made {
       return std::make_shared<AutomaticValueChecker>(automatic(given));
     }},
    {"allclose", make_allclose},
    {"full",
     [](const auto& given) -> Made {
       return std::make_shared<FullValueChecker>(automatic(given));
     }},
    {"exact", [](const auto&) -> Made { return std::make_shared<ExactValueChecker>(); }},
    {"quantised", make_quantised}};

} // namespace

const std::vector<std::string>& checker_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Named& each : checkers) all.emplace_back(each.name);
    return all;
  }();
  return names;
}

Made make_checker(const CheckerSettings& settings) {
  for (const Named& each : checkers)
    if (settings.name == each.name) return each.make(settings);
  throw Error(ErrorKind::usage, "", "there is no checker `" + settings.name + "`");
}

} // namespace model_validator::verify
