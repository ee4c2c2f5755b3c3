#include "verify/command/checker_choice.h"

#include <model_validator/error.h>
#include <model_validator/verify/checker_settings.h>

namespace model_validator::verify {
namespace {

OutputTolerances tolerances(const std::optional<std::string>& text, const char* option) {
  return text ? parse_tolerances(*text, option) : OutputTolerances();
}

CheckerSettings settings_of(const VerifyRequest& request, bool quantised) {
  CheckerSettings settings;
  if (is_judged_by_sqnr(request, quantised))
    settings.name = "quantised";
  else if (request.checker != "same")
    settings.name = request.checker;
  settings.rtol = tolerances(request.rtol, "--rtol");
  settings.atol = tolerances(request.atol, "--atol");
  settings.pcc = tolerances(request.pcc, "--pcc");
  settings.sqnr = tolerances(request.sqnr, "--sqnr");
  return settings;
}

} // namespace

void check_tolerances(const VerifyRequest& request) {
  const std::string checker =
      request.checker == "default" && request.sqnr ? "quantised" : request.checker;
  for (const auto& [text, setting] :
       {std::pair(&request.sqnr, "sqnr"), std::pair(&request.pcc, "pcc"),
        std::pair(&request.rtol, "rtol"), std::pair(&request.atol, "atol")})
    if (*text && !checker_uses(checker, setting))
      throw Error(ErrorKind::usage, "",
                  "the checker `" + request.checker + "` does not use `--" + setting + "`",
                  "leave it out, or choose another with `--checker`");
  choose_checker(request, false);
}

bool is_judged_by_defaults(const VerifyRequest& request) {
  return request.checker == "default" && !request.rtol && !request.atol && !request.pcc &&
         !request.sqnr;
}

bool is_judged_by_sqnr(const VerifyRequest& request, bool quantised) {
  if (request.checker == "quantised" || request.sqnr) return true;
  return quantised && is_judged_by_defaults(request);
}

std::shared_ptr<const ValueChecker> choose_checker(const VerifyRequest& request, bool quantised) {
  return make_checker(settings_of(request, quantised));
}

std::shared_ptr<const ValueChecker> checker_of_advice(const VerifyRequest& request) {
  CheckerSettings settings = settings_of(request, false);
  settings.find_tightest = true;
  return make_checker(settings);
}

} // namespace model_validator::verify
