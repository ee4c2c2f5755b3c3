#include "verify/command/checker_choice.h"

#include <model_validator/error.h>

namespace model_validator::verify {
namespace {

OutputTolerances tolerances(const std::optional<std::string>& text, const char* option) {
  return text ? parse_tolerances(*text, option) : OutputTolerances();
}

/// Only the default checker knows tolerances by output.
double single(const std::optional<std::string>& text, const char* option, double otherwise,
              const std::string& checker) {
  const auto parsed = tolerances(text, option);
  if (!parsed.by_output.empty())
    throw Error(ErrorKind::usage, "",
                "the checker `" + checker + "` has one tolerance for all outputs",
                std::string("leave out the names in `") + option + "`, or the option `--checker`");
  return parsed.all.value_or(otherwise);
}

AutomaticOptions automatic(const VerifyRequest& request) {
  AutomaticOptions options;
  options.pcc = single(request.pcc, "--pcc", options.pcc, request.checker);
  options.rtol = single(request.rtol, "--rtol", options.rtol, request.checker);
  options.atol = single(request.atol, "--atol", options.atol, request.checker);
  return options;
}

AllCloseOptions all_close(const VerifyRequest& request) {
  AllCloseOptions options;
  options.rtol = single(request.rtol, "--rtol", options.rtol, request.checker);
  options.atol = single(request.atol, "--atol", options.atol, request.checker);
  return options;
}

} // namespace

void check_tolerances(const VerifyRequest& request) {
  const auto refuse = [&](const std::optional<std::string>& text, const char* option) {
    if (text)
      throw Error(ErrorKind::usage, "",
                  "the checker `" + request.checker + "` does not use `" + option + "`",
                  "leave it out, or choose another with `--checker`");
  };
  const bool has_none = request.checker == "exact" || request.checker == "same" ||
                        request.checker == "quantised" || request.sqnr;
  if (request.checker != "default" && request.checker != "quantised")
    refuse(request.sqnr, "--sqnr");
  if (has_none || request.checker == "allclose") refuse(request.pcc, "--pcc");
  if (has_none) refuse(request.rtol, "--rtol");
  if (has_none) refuse(request.atol, "--atol");
  choose_checker(request, {}, false);
}

bool is_judged_by_sqnr(const VerifyRequest& request, bool quantised) {
  if (request.checker == "quantised" || request.sqnr) return true;
  return quantised && request.checker == "default" && !request.rtol && !request.atol &&
         !request.pcc && !request.auto_tolerance;
}

std::shared_ptr<const ValueChecker> choose_checker(const VerifyRequest& request,
                                                   const NoiseFloors& floors, bool quantised) {
  if (is_judged_by_sqnr(request, quantised))
    return std::make_shared<QuantisedValueChecker>(
        QuantisedOptions{tolerances(request.sqnr, "--sqnr")});
  if (request.checker == "auto") return std::make_shared<AutomaticValueChecker>(automatic(request));
  if (request.checker == "full") return std::make_shared<FullValueChecker>(automatic(request));
  if (request.checker == "allclose")
    return std::make_shared<AllCloseValueChecker>(all_close(request));
  if (request.checker == "exact") return std::make_shared<ExactValueChecker>();
  DefaultOptions options;
  options.tol = tolerances(request.rtol, "--rtol");
  options.atol = tolerances(request.atol, "--atol");
  options.pcc = tolerances(request.pcc, "--pcc");
  options.floors = floors;
  options.find_tightest = request.auto_tolerance;
  return std::make_shared<DefaultValueChecker>(std::move(options));
}

} // namespace model_validator::verify
