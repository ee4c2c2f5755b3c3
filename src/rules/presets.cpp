#include "rules/presets.h"

#include "text/nearest.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>

namespace model_validator {
namespace {

constexpr std::string_view deploy = "deploy";
constexpr std::array<std::string_view, 6> for_quantisers = {
    "reused-modules",        "missing-modules", "lost-module-hierarchy",
    "unfoldable-batch-norm", "mask-sentinel",   "unlike-ranges"};

} // namespace

std::vector<std::string> preset_names() {
  return {std::string(standard_preset), std::string(deploy)};
}

std::string_view preset_for(const std::vector<std::shared_ptr<const TargetProfile>>& targets) {
  const auto quantises = [](const auto& target) { return target->modules || target->quantiser; };
  return targets.empty() || std::ranges::any_of(targets, quantises) ? standard_preset : deploy;
}

std::vector<std::string> rules_for_quantisers() {
  return {for_quantisers.begin(), for_quantisers.end()};
}

bool is_for_quantisers(std::string_view rule) { return contains(for_quantisers, rule); }

bool preset_leaves_out(std::string_view preset, std::string_view rule) {
  return preset == deploy && is_for_quantisers(rule);
}

void require_preset(const std::string& name) {
  const auto names = preset_names();
  if (!contains(names, name))
    throw Error(ErrorKind::bad_config, "", "there is no preset `" + name + "`",
                rules::suggestion(name, names));
}

} // namespace model_validator
