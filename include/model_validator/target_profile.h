#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace model_validator {

/// A condition that a target puts on an operator it supports.
struct OperatorConstraint {
  std::vector<std::string> overloads; ///< the only overloads accepted; empty: all
  std::vector<std::string> dtypes;    ///< the only tensor dtypes accepted; empty: all
  std::string attribute;              ///< name of an argument with a condition; empty: none
  std::vector<std::variant<bool, std::int64_t, double, std::string>>
      one_of;                    ///< its values accepted
  std::optional<double> minimum; ///< of the argument
  std::optional<double> maximum;
  bool must_be_constant = false; ///< the argument may not be computed
  std::string reason;            ///< the target's own words
};

struct OperatorRule {
  int since_opset = 0; ///< 0: always
  std::vector<OperatorConstraint> constraints;
};

/// What a target compiles: data read from `rules/NAME.toml`.
struct TargetProfile {
  std::string name;
  std::string description;
  std::string package; ///< where the table was read: `torch 2.13.0`
  std::string date;    ///< when, ISO 8601
  std::string url;
  std::vector<std::string> notes;
  int opset = 0;                 ///< the one judged for; 0 where the target has none
  bool overloads = false;        ///< operators are keyed with overload (`aten::add.Tensor`)
  bool inplace_distinct = false; ///< `aten::add_` needs an entry of its own
  bool frozen = false;           ///< the converter judges the frozen graph
  std::map<std::string, OperatorRule, std::less<>> operators;
  std::set<std::string, std::less<>> removed_by_passes; ///< never reach the converter's table

  /// Why the target cannot take the operator; empty when it can.
  /// @param schema  `aten::add_.Tensor`
  // The verdict itself lives in the unsupported-ops check: this is data.
};

/// AIMET's tables: which module classes it maps to an op type, which functionals it knows.
struct ModuleTables {
  std::map<std::string, std::string, std::less<>> op_type_map; ///< class name → op type
  std::set<std::string, std::less<>> functional_ops;           ///< op types that need no module
  std::set<std::string, std::less<>> passed_through;           ///< not ops at all
};

/// Reads one profile. @throws Error (`bad-profile`) with file, line and reason.
TargetProfile load_target_profile(const std::filesystem::path& file);
/// Reads AIMET's tables. @throws Error (`bad-profile`).
ModuleTables load_module_tables(const std::filesystem::path& file);
/// The folder that holds the built-in rules. @throws Error (`no-rules`) when it cannot be found.
std::filesystem::path rules_folder();
/// Names of the built-in profiles, sorted.
std::vector<std::string> target_names();

} // namespace model_validator
