#pragma once

#include <set>
#include <string>

namespace model_validator::torchscript {

/// Registers operators with LibTorch that only a table in `rules/operators` describes: they can be
/// read, not run. The table of a namespace is read when one of its operators is missing.
/// @param names  operators as `torchvision::nms`; those that LibTorch knows are left alone
/// @throws Error (`bad-operator-table`)
void register_missing_operators(const std::set<std::string>& names);

/// Whether an operator comes from such a table, as `torchvision::nms`.
bool is_only_described(const std::string& name);

} // namespace model_validator::torchscript
