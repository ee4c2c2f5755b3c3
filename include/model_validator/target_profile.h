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

/// A condition that a target puts on operators it otherwise supports. Every field that is set must
/// hold; a condition on something unknown counts as holding.
struct OperatorConstraint {
  std::vector<std::string> overloads;     ///< the only overloads accepted; empty: all
  std::vector<std::string> not_overloads; ///< overloads refused
  std::vector<std::string> dtypes;        ///< the only tensor dtypes accepted; empty: all
  std::optional<int> min_rank;            ///< of the first tensor argument
  std::optional<int> max_rank;
  bool same_rank = false;             ///< all tensor arguments must have the same rank
  bool same_dtype = false;            ///< all inputs and results must have the same dtype
  std::vector<int> constant_operands; ///< tensor operands that may not depend on the model's inputs
  std::vector<int> computed_operands; ///< tensor operands that may not be inputs of the model
  std::optional<int> results;         ///< how many results may be used, counted from the first
  bool not_returned = false;          ///< no result may be an output of the model
  std::string attribute; ///< name of an argument with a condition; for an operator in the code of a
                         ///< file, `result` or `use`; empty: none
  std::vector<ConstraintValue> one_of;  ///< the only values accepted; for a list, of each item
  std::vector<ConstraintValue> none_of; ///< values refused; for a list, of any item
  std::vector<std::string> not_types;   ///< refused: `boolean`, `integer`, `real`, `string`, `None`
  bool from_end = false; ///< the values count dimensions from the end of the result: -1 is the last
  std::optional<double> minimum; ///< of the argument, or of each of its items
  std::optional<double> maximum;
  std::optional<int> min_length; ///< of the argument, a list
  /// The argument is a list with a pair for each of the last dimensions of the first tensor, which
  /// must have this many dimensions before them.
  std::optional<int> dimensions_before_pairs;
  /// The only values of another argument for which the whole constraint applies; empty: all.
  std::map<std::string, std::vector<ConstraintValue>> where;
  bool must_be_constant = false;  ///< the argument may not be computed by the model
  int below_opset = 0;            ///< the condition is lifted from this opset on; 0: never
  std::vector<std::string> parts; ///< operators the target lacks, left over if the condition fails
  std::string reason;             ///< the target's own words
};

/// What to use instead of an operator, for calls with the arguments that it was checked with.
struct Replacement {
  std::string text;
  /// By name: the arguments that are no tensors, with their values.
  std::map<std::string, ConstraintValue> arguments;
  std::vector<int> ranks; ///< of each tensor argument; empty: any
};

/// What a target states of one operator.
struct OperatorRule {
  int since_opset = 0; ///< 0: always
  std::vector<OperatorConstraint> constraints;
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
  std::map<std::string, OperatorRule, std::less<>> operators;
  /// Never reach the converter's table: folded, eliminated or rewritten by its own passes.
  std::set<std::string, std::less<>> removed_by_passes;
  /// Decomposed before the table lookup: of the resulting operators, those that the target lacks.
  std::map<std::string, std::vector<std::string>, std::less<>> decomposed;
  std::map<std::string, Replacement, std::less<>> replacements; ///< by operator
  FileRules file;                                               ///< of a target of ONNX files
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
