#include "rules/judging/file_form.h"

#include "connected_graph/attributes.h"
#include "connected_graph/value_readers.h"
#include "rules/judging/operator_name.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <string_view>
#include <variant>
#include <vector>

namespace model_validator::rules {
namespace {

/// Pass a tensor on as it is. Which of them an exporter writes says nothing of the model.
constexpr auto identities = word_array<"alias detach detach_ lift_fresh lift_fresh_copy">;

/// Read a tensor's value in TorchScript; a program has `item` for all of them.
constexpr auto casts =
    word_array<"Bool Complex ComplexImplicit Float FloatImplicit Int IntImplicit ScalarImplicit">;

/// What torch.nn's attention and encoder layers run without gradients, instead of the operators
/// that are exported. The rest of these, besides attention, are linear layers and the like.
constexpr auto fast_paths =
    word_array<"_native_multi_head_attention _transformer_encoder_layer_fwd">;

/// Second names of operators, and those by which a trace calls them.
constexpr auto second_names = word_array<
    "absolute=abs arccos=acos arccosh=acosh arcsin=asin arcsinh=asinh arctan=atan "
    "arctan2=atan2 arctanh=atanh clip=clamp concat=cat concatenate=cat det=linalg_det "
    "divide=div fix=trunc ger=outer greater=gt greater_equal=ge inverse=linalg_inv less=lt "
    "less_equal=le matrix_exp=linalg_matrix_exp matrix_power=linalg_matrix_power "
    "moveaxis=movedim multiply=mul negative=neg not_equal=ne row_stack=vstack subtract=sub "
    "swapaxes=transpose swapdims=transpose true_divide=div">;

/// Python asks for the overload of tensors first, also with a number.
constexpr auto takes_numbers_as_tensors = word_array<"add div mul sub">;

/// Arithmetic that TorchScript has for numbers too.
constexpr auto arithmetic =
    word_array<"add div eq floordiv ge gt le lt mul ne neg pow remainder sub">;
constexpr auto numbers = word_array<"bool float float_int int int_float">;

/// What a program knows of its values.
constexpr auto sizes = word_array<"dim is_floating_point len numel size">;

/// Whether an operator is one of TorchScript's language: of sizes, numbers, lists, dicts and the
/// like.
bool is_of_language(const OperatorName& name) {
  if (name.space == "prim") return true;
  if (contains(numbers, name.overload) && contains(arithmetic, name.base)) return true;
  const std::string_view overload = name.overload;
  return name.space == "aten" &&
         (contains(sizes, name.base) || overload == "t" || overload == "str" ||
          overload == "left_t" || overload == "right_" || overload.starts_with("Dict_") ||
          overload.ends_with("_list") || name.base == "tensor" || name.base.starts_with("__is") ||
          name.base == "__not__");
}

bool yields_tensors(const Operator& op) {
  const auto* type = find_attribute<std::string>(op.attributes, "result");
  return type == nullptr || type->find("Tensor") != std::string::npos;
}

/// How many dimensions a convolution is over, by its strides; 0 where they are computed.
std::size_t dimensions(const Operator& op) {
  const auto* list = find_attribute<std::vector<std::int64_t>>(op.attributes, "stride");
  return list == nullptr ? 0 : list->size();
}

/// `_convolution` is what a trace writes for each convolution.
OperatorName exported_convolution(const Operator& op, const OperatorName& traced) {
  const std::string over = std::to_string(dimensions(op)) + "d";
  if (over == "0d") return {traced.space, "convolution", {}};
  if (traced.base == "_convolution_mode") return {traced.space, "conv" + over, "padding"};
  if (!is_true(op.attributes, "transposed")) return {traced.space, "conv" + over, {}};
  return {traced.space, "conv_transpose" + over, over == "1d" ? "" : "input"};
}

OperatorName exported(const Operator& op, OperatorName name) {
  constexpr std::string_view twin = "hacked_twin", python = "prim_";
  if (name.base == "_convolution" || name.base == "_convolution_mode")
    return exported_convolution(op, name);
  if (contains(casts, name.base)) return {name.space, "item", {}};
  if (contains(fast_paths, name.base)) return {name.space, "scaled_dot_product_attention", {}};
  if (name.overload.starts_with("Scalar") &&
      contains(takes_numbers_as_tensors, name.functional().base))
    name.overload.replace(0, 6, "Tensor"); // also `Scalar_mode`
  else if (name.overload.empty() && name.base.starts_with("upsample_"))
    name.overload = "vec";
  else if (name.overload.ends_with(twin)) // indices that are all given
    name.overload = name.overload == twin ? "" : "Tensor";
  else if (name.base == "to" && name.overload.starts_with(python))
    name.overload = name.overload == "prim_Device" ? "device" : "dtype";
  return name;
}

OperatorName traced(OperatorName name) {
  const bool convolution =
      name.base.size() == 6 && name.base.starts_with("conv") && name.base.back() == 'd';
  if (convolution || name.base.starts_with("conv_transpose"))
    return {name.space, name.overload == "padding" ? "_convolution_mode" : "_convolution", {}};
  const std::string base = name.functional().base;
  if (const std::string_view first = paired_with(base, second_names); !first.empty())
    name.base.replace(0, base.size(), first);
  return name;
}

/// The number that the second operand of an op is in the file, of a tensor without dimensions.
const AttributeValue* number_added(const ConnectedGraph& graph, OpId id) {
  const auto& edges = graph.graph();
  for (auto [edge, end] = boost::in_edges(id, edges); edge != end; ++edge) {
    const Op& from = graph.op(boost::source(*edge, edges));
    if (edges[*edge].input != 1 || from.kind != OpKind::constant) continue;
    if (const AttributeValue* value = find_attribute(from.attributes, "value")) return value;
  }
  return nullptr;
}

} // namespace

FileForm::FileForm(const TargetProfile& profile, const ConnectedGraph& graph) : graph_(graph) {
  if (profile.modules || graph.origin.format == FileFormat::onnx) return;
  const bool file_is_program = graph.origin.format == FileFormat::exported_program;
  program_ = file_is_program || profile.functionalised;
  if (file_is_program == profile.functionalised) return;
  change_ = profile.functionalised ? Change::to_program : Change::to_trace;
  if (change_ == Change::to_program) numbers_.emplace(graph);
  for (const Operator& op : graph.file_operators)
    if (!yields_tensors(op)) language_.insert(op.schema);
}

bool FileForm::has(OpId id) const {
  if (!program_) return true;
  const OpKind kind = graph_.op(id).kind;
  if (kind == OpKind::query) return reads_values(graph_, id);
  return kind != OpKind::control_flow || !numbers_ || numbers_->source_of_condition(id) != none;
}

bool FileForm::is_left_out(const Operator& op) const {
  if (!program_) return false;
  const OperatorName name = parse_operator_name(op.schema);
  if (name.space == "aten" && contains(identities, name.base)) return true;
  return change_ == Change::to_program && (is_of_language(name) || language_.contains(op.schema));
}

Operator FileForm::renamed(Operator op) const {
  const OperatorName name = parse_operator_name(op.schema);
  if (name.space == "aten" && change_ != Change::none)
    op.schema = (change_ == Change::to_program ? exported(op, name) : traced(name)).with_overload();
  return op;
}

std::optional<Operator> FileForm::written(const Operator& op) const {
  return is_left_out(op) ? std::nullopt : std::optional(renamed(op));
}

std::optional<Operator> FileForm::written(OpId id) const {
  const Op& op = graph_.op(id);
  Operator itself{op.schema, op.attributes, graph_.location(op.frame), {}};
  if (op.kind != OpKind::functional) return renamed(std::move(itself)); // `has` decides
  std::optional<Operator> result = written(itself);
  if (!result || change_ != Change::to_program) return result;
  const OperatorName name = parse_operator_name(result->schema).functional();
  if (name.overload == "Tensor" && contains(takes_numbers_as_tensors, name.base))
    if (const AttributeValue* number = number_added(graph_, id))
      result->attributes.push_back({"other", *number});
  return result;
}

} // namespace model_validator::rules
