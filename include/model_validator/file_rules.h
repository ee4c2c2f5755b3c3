#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace model_validator {

/// A value that a constraint names: `nullptr` stands for Python's `None`.
using ConstraintValue = std::variant<std::nullptr_t, bool, std::int64_t, double, std::string>;

/// Dtypes, sorted.
using DtypeSet = std::shared_ptr<const std::vector<std::string>>;
/// The dtypes of each type variable of an operator: `T` → `float32`, `float64`.
using DtypesOfVariables = std::map<std::string, DtypeSet, std::less<>>;

/// What one version of an ONNX operator takes and yields, by the runtime's own schema.
struct OperatorVersion {
  struct Parameter {
    enum class Kind : char { required, optional, variadic };
    std::string type; ///< a type variable, a dtype, or `any`
    Kind kind = Kind::required;
    std::size_t least = 1;   ///< if variadic: how many there must be
    bool homogeneous = true; ///< if variadic: whether all have one dtype
    std::string kinds = {};  ///< letters of `ValueKind` that it may be; empty: not told
  };
  struct Attribute {
    std::string kind; ///< `i`, `f`, `s`, `t`, `g`, or with `s` appended, a list of them
    bool required = false;
  };

  int since = 0; ///< the opset that introduced it
  std::vector<Parameter> inputs;
  std::vector<Parameter> outputs;
  std::map<std::string, Attribute, std::less<>> attributes;
  DtypesOfVariables allowed;            ///< by the schema
  std::vector<DtypesOfVariables> taken; ///< the combinations of dtypes that the runtime runs
  bool takes_all = false;               ///< whatever the schema allows
  bool any_attribute = false;           ///< attributes missing from the schema are ignored
};

/// An axis of an input of a node.
struct InputAxis {
  int input = 0;
  int axis = 0; ///< below 0: counted from the end
};

/// How long an axis of an operand is, or each of the equal parts that it is divided into.
struct AxisLength {
  int axis = 0; ///< below 0: counted from the end
  std::optional<std::int64_t> at_least;
  std::optional<std::int64_t> at_most;
  bool free = false; ///< it follows from a size that the inputs leave free
  std::string parts; ///< the attribute that says how many parts there are; empty: one
};

/// A property of a node that a refusal depends on: it holds, it does not, or the file does not say.
struct NodeCondition {
  /// Its value, or an item of it, is one of `is`; if nothing is asked of it: it is there. Of
  /// PyTorch's operators also `overload`, `returned`, whether a result is an output of the model,
  /// and `used`, the number of the last result that is used, counted from 1.
  std::string attribute;
  bool argument = false; ///< one that the file does not give is computed when the model runs
  std::vector<ConstraintValue> is;
  /// Or it is there, or an item of it, and none of these. Of an input: a number of the file.
  std::vector<ConstraintValue> is_not;
  bool or_absent = false;               ///< or the attribute is not there
  std::optional<InputAxis> is_not_size; ///< or it is a number other than this size
  std::string is_not_attribute;         ///< or it is a number other than that of this attribute
  std::vector<std::string> types;       ///< or `boolean`, `integer`, `real`, `string`, `None`
  std::optional<double> below;          ///< or it is smaller
  std::optional<int> shorter_than;      ///< or it is a list of fewer items
  bool from_end = false;                ///< `is` and `is_not` count axes from the end of the result
  std::optional<int> axes_left;         ///< or it is a list of pairs for the last axes of the first
                                        ///< operand, of which fewer than this are left
  std::vector<std::string> dtypes_not;  ///< some operand has another dtype
  std::string mixed;         ///< `dtypes` of operands and results differ, or `ranks` of operands
  bool beyond_int32 = false; ///< of some operand, the file stores numbers that int32 does not hold
  std::optional<int> input;  ///< the input, by number, that the rest is about
  std::optional<int> output; ///< or the output
  std::vector<std::string> dtypes;
  std::vector<int> ranks;
  std::optional<int> rank_below;
  std::optional<int> rank_above;
  bool given = false;      ///< it is there
  bool absent = false;     ///< it is not there
  bool left_out = false;   ///< nor is it, but its place is
  bool unranked = false;   ///< it is there, and its rank is decided only when the model runs
  bool computed = false;   ///< it is there, and depends on the values of the model's inputs
  bool entry = false;      ///< it is there, and is an input of the model itself
  bool worked_out = false; ///< it is there, and is made by operators from sizes and constants
  bool constant = false; ///< it is there, and is a constant of the file, passed on or cast at most
  std::optional<AxisLength> length;
  std::optional<int> smaller_than_input; ///< some axis is shorter than that of this input
  std::optional<int> unlike_input;       ///< some axis has another size than that of this input
  std::optional<int> uneven_to_input;    ///< some axis neither divides that of this input nor is
                                         ///< a multiple of it
  std::string beside_axis;               ///< but for that of this attribute
  std::vector<std::string> elements; ///< the file shows this much of a sequence: `open`, `appended`
  bool empty = false;                ///< it has no elements
  bool filled = false;               ///< it has some
  bool free = false;  ///< some size of it follows from one that the inputs leave free
  int from_opset = 0; ///< of the operator's domain
  int below_opset = 0;

  /// Whether it is about what an attribute or argument is, not whether it is there.
  bool asks_value() const {
    return !is.empty() || !is_not.empty() || !types.empty() || below || shorter_than || axes_left;
  }
};

/// What a runtime does with an operator that it does not take as ONNX means it.
enum class Mishap : std::uint8_t {
  refused, ///< it does not load it
  fails,   ///< it loads it, and fails when it runs
  wrong,   ///< it loads it and runs it, and the numbers are wrong
  unknown, ///< nobody knows: it is a matter of a library that was not there when it was asked
  depends, ///< it runs it, and some values that no file shows come out wrong
};

/// Nodes that a runtime was seen not to take: those for which every condition holds.
struct NodeRefusal {
  std::vector<NodeCondition> when;
  std::string reason; ///< the runtime's own words; for wrong numbers, how wrong they are
  Mishap mishap = Mishap::refused;
  std::vector<std::string> parts = {}; ///< operators that the target lacks, which are left of it
};

/// What a runtime does with files of one form: a function, a body that yields what is made outside.
struct FormAnswer {
  std::string reason; ///< the runtime's own words; for wrong numbers, how wrong they are
  Mishap mishap = Mishap::refused;
};

/// What a runtime answered on some machine about nodes of one kind, or a model as a whole.
struct AskedAnswer {
  std::string answer; ///< `right`, `refused`, `failed`, `crashed`, `hung`, `differs`
  std::string reason; ///< in its own words

  bool is_right() const { return answer == "right"; }
  friend bool operator==(const AskedAnswer&, const AskedAnswer&) = default;
};

/// The newest versions that one release of a runtime loads.
struct Release {
  std::string version;
  int ir_version = 0;                ///< 0: no ceiling was found
  std::map<std::string, int> opsets; ///< domain → opset; a missing domain has no ceiling
};

/// A runtime's own words about a file that it does not load. `{version}` stands for the file's
/// version, `{newest}` for the newest that the runtime takes, `{domain}` for the opset's domain,
/// `{dtype}` and `{dtypes}` for the dtype found and those loaded.
struct FileSentences {
  std::string ir_version = "IR version {version} is newer than {newest}, the newest it loads";
  std::string opset = "opset {version} of {domain} is newer than {newest}, the newest it loads";
  std::string dtype = "data type {dtype} is not loaded, only {dtypes}";
  std::string open_sizes = {}; ///< of an input; empty: it takes any
};

/// What a target says of operators beside its list of them, and of ONNX files as they are.
struct FileRules {
  FileSentences sentences;
  std::vector<Release> releases;            ///< oldest first
  std::vector<std::string> dtypes;          ///< the only ones that it loads; empty: all
  std::vector<std::string> cast_to_float32; ///< run in float32 where there is no kernel for them
  bool folds_constants = false; ///< what depends on no input is computed before it is asked
  /// By operator, oldest version first; a missing operator has no schema.
  std::map<std::string, std::vector<OperatorVersion>, std::less<>> versions;
  /// By operator; of PyTorch's, as the target lists it.
  std::map<std::string, std::vector<NodeRefusal>, std::less<>> refused;

  /// By kind: the forms of files that it does not take, or computes wrongly.
  std::map<std::string, FormAnswer, std::less<>> forms;

  /// By question: where there are any, nothing is known of other nodes.
  std::map<std::string, AskedAnswer, std::less<>> asked;
  /// By the digest of their nodes.
  std::map<std::string, AskedAnswer, std::less<>> asked_models;

  /// Whether nothing is said of files.
  bool empty() const {
    const auto of_onnx = refused.lower_bound("onnx::");
    return releases.empty() && versions.empty() && forms.empty() && asked_models.empty() &&
           (of_onnx == refused.end() || !of_onnx->first.starts_with("onnx::"));
  }
};

} // namespace model_validator
