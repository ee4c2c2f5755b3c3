#pragma once

#include <model_validator/file_rules.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace model_validator {

struct HalfRules;      // of <model_validator/half_rules.h>
struct QuantiserRules; // of <model_validator/quantiser_rules.h>

/// What to use instead of an operator, for calls with the arguments that it was checked with.
struct Replacement {
  std::string text;
  /// By name: the arguments that are no tensors, with their values.
  std::map<std::string, ConstraintValue> arguments;
  std::vector<int> ranks; ///< of each tensor argument; empty: any
};

/// AIMET's tables: which module classes it maps to an op type, and which functionals it knows.
struct ModuleTables {
  /// Class → op type. A class is named in full (`torch.nn.modules.conv.Conv2d`), or without its
  /// module (`Concat`) for any class of that name.
  std::map<std::string, std::string, std::less<>> op_type_map;
  std::set<std::string, std::less<>> functional_ops; ///< op types that need no module
  std::set<std::string, std::less<>> passed_through; ///< not ops at all
  /// Classes that can be quantised, or need not be; by their full names.
  std::set<std::string, std::less<>> quantised_classes;

  /// The op type of a class; null for one that is not mapped.
  const std::string* op_type_of(std::string_view class_name) const;
};

/// What a target compiles: data read from `rules/NAME.toml`.
struct TargetProfile {
  std::string name;
  std::string table; ///< of the rules: `openvino-onnx` behind `openvino`; empty: of that name
  std::string description;
  std::string package; ///< where the table was read: `torch 2.13.0`
  std::string date;    ///< when, ISO 8601
  std::string made_by; ///< the script that made it, from the source tree's root
  std::string url;
  std::string refusal; ///< the target's own words for an operator without an entry, with the
                       ///< placeholders `{operator}` and `{opset}`
  std::vector<std::string> notes;
  int opset = 0;                 ///< the one judged for; 0 if the target has none
  std::pair<int, int> opsets;    ///< the smallest and largest that can be requested
  bool overloads = false;        ///< operators are keyed with overload (`aten::add.Tensor`)
  bool inplace_distinct = false; ///< `aten::add_` needs an entry of its own
  bool functionalised = false;   ///< judges exported programs, which have no language operators
  bool falls_back = false;       ///< what it does not take runs elsewhere, so that nothing fails
  bool frozen = false;           ///< the converter judges the frozen graph
  bool whole_code = false;       ///< it builds every arm, and what only raises, warns or prints
  bool takes_plugins = false;    ///< looks for a plugin of an operator's name where it has none
  std::set<std::string, std::less<>> plugins; ///< the user's: an operator's name, or its schema
  std::vector<std::string> symmetric; ///< `weights`, `activations`: whose zero points must be 0
  std::string symmetric_reason;       ///< the target's own words
  std::string saturates; ///< what its kernels do with products of uint8 and int8; empty: nothing
  std::string default_arguments; ///< why it refuses a scripted model whose forward has arguments
                                 ///< with defaults; empty: it does not
  std::map<std::string, int, std::less<>> operators; ///< the first opset that has each; 0: always
  /// Never reach the converter's table: folded, eliminated or rewritten by its own passes.
  std::set<std::string, std::less<>> removed_by_passes;
  /// Decomposed before the table lookup: of the resulting operators, those that the target lacks.
  std::map<std::string, std::vector<std::string>, std::less<>> decomposed;
  std::map<std::string, Replacement, std::less<>> replacements; ///< by operator
  FileRules file;
  std::vector<std::string> counterpart_names; ///< of the target's tables for files of other kinds
  /// Those tables, under this profile's name; none of a profile that was loaded from a file.
  std::vector<std::shared_ptr<const TargetProfile>> counterparts;
  Release release; ///< the one judged for: the newest that is known, or the one asked for after `@`
  std::optional<ModuleTables> modules; ///< of a target that knows module classes, not operators
  std::shared_ptr<const QuantiserRules> quantiser; ///< of a target that quantises, or null
  std::shared_ptr<const HalfRules> half;           ///< of a smaller format of numbers, or null
};

/// Reads one profile. @throws Error (`bad-profile`) with file, line and reason.
TargetProfile load_target_profile(const std::filesystem::path& file);
/// Reads a built-in profile by its name, with the opset after `@` where one is asked for: `onnx`,
/// `onnx@13`. @throws Error (`unknown-target`, `bad-opset`, `bad-profile`)
TargetProfile load_target(std::string_view name);
/// Reads AIMET's tables. @throws Error (`bad-profile`).
ModuleTables load_module_tables(const std::filesystem::path& file);
/// The folder that holds the built-in rules. @throws Error (`no-rules`) when it cannot be found.
std::filesystem::path rules_folder();
/// Names of the built-in profiles, sorted.
std::vector<std::string> target_names();

} // namespace model_validator
