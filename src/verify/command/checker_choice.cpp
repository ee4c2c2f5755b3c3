#include "verify/command/checker_choice.h"

#include <model_validator/error.h>
#include <model_validator/verify/checker_settings.h>

namespace model_validator::verify {
namespace {

OutputTolerances tolerances(const std::optional<std::string>& text, const char* option) {
  return text ? parse_tolerances(*text, option) : OutputTolerances();
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
  CheckerSettings settings;
  if (is_judged_by_sqnr(request, quantised))
    settings.name = "quantised";
  else if (request.checker != "same")
    settings.name = request.checker;
  settings.rtol = tolerances(request.rtol, "--rtol");
  settings.atol = tolerances(request.atol, "--atol");
  settings.pcc = tolerances(request.pcc, "--pcc");
  settings.sqnr = tolerances(request.sqnr, "--sqnr");
  settings.floors = floors;
  settings.find_tightest = request.auto_tolerance;
  return make_checker(settings);
}

} // namespace model_validator::verify
