#include "verify/flat_program/program_writer.h"

#include "connected_graph/exported_program/arguments.h"
#include "connected_graph/python_trace.h"
#include "verify/run/op_name.h"

#include <model_validator/error.h>

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/frontend/error_report.h>
#include <torch/jit.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace model_validator::verify {
namespace {

/// After `torch/ao/quantization/fx/_decomposed.py` of torch 2.13. An overload follows its
/// operator's name.
constexpr const char* operators_in_torchscript = R"(
def quantize_per_tensor(input: Tensor, scale: float, zero_point: int, quant_min: int, quant_max: int, dtype: int):
    return torch.clamp(torch.round(input.to(6) * (1.0 / scale)) + zero_point, quant_min, quant_max).to(dtype)

def quantize_per_tensor_tensor(input: Tensor, scale: Tensor, zero_point: Tensor, quant_min: int, quant_max: int,
                               dtype: int):
    return torch.clamp(torch.round(input.to(6) * (1.0 / scale.item())) + zero_point.item(), quant_min,
                       quant_max).to(dtype)

def dequantize_per_tensor(input: Tensor, scale: float, zero_point: int, quant_min: int, quant_max: int, dtype: int,
                          out_dtype: Optional[int] = None):
    return (input.to(6 if out_dtype is None else out_dtype) - zero_point) * scale

def dequantize_per_tensor_tensor(input: Tensor, scale: Tensor, zero_point: Tensor, quant_min: int, quant_max: int,
                                 dtype: int, out_dtype: Optional[int] = None):
    return (input.to(6 if out_dtype is None else out_dtype) - zero_point.item()) * scale.item()

def quantize_per_channel(input: Tensor, scales: Tensor, zero_points: Tensor, axis: int, quant_min: int, quant_max: int,
                         dtype: int):
    steps = torch.round(input.to(6).movedim(axis, -1) * (1.0 / scales)) + zero_points
    return torch.clamp(steps, quant_min, quant_max).movedim(-1, axis).to(dtype)

def dequantize_per_channel(input: Tensor, scales: Tensor, zero_points: Optional[Tensor], axis: int, quant_min: int,
                           quant_max: int, dtype: int, out_dtype: Optional[int] = None):
    steps = input.movedim(axis, -1)
    if zero_points is not None:
        steps = steps - zero_points
    return (steps * scales).movedim(-1, axis).to(6 if out_dtype is None else out_dtype)

def choose_qparams_tensor(input: Tensor, quant_min: int, quant_max: int, eps: float, dtype: int):
    least, most = torch.aminmax(input.to(6))
    least, most = torch.clamp(least, max=0), torch.clamp(most, min=0)
    scale = torch.clamp((most - least) / float(quant_max - quant_min), min=eps).reshape([1])
    zero_point = torch.clamp(quant_min - torch.round(least / scale), quant_min, quant_max)
    return scale.to(7), zero_point.to(4)
)";

using exported_program::Json;

constexpr std::string_view operator_prefix = "torch.ops.";
constexpr std::string_view higher_order_prefix = "torch.ops.higher_order.";

/// Python's functions on sizes, and the operators that compute the same.
constexpr auto python_operators = std::to_array<std::pair<std::string_view, const char*>>({
    {"_operator.add", "aten::add"},      {"_operator.sub", "aten::sub"},
    {"_operator.mul", "aten::mul"},      {"_operator.floordiv", "aten::floordiv"},
    {"_operator.truediv", "aten::div"},  {"_operator.mod", "aten::remainder"},
    {"_operator.neg", "aten::neg"},      {"_operator.pow", "aten::pow"},
    {"_operator.ge", "aten::ge"},        {"_operator.gt", "aten::gt"},
    {"_operator.le", "aten::le"},        {"_operator.lt", "aten::lt"},
    {"_operator.eq", "aten::eq"},        {"_operator.ne", "aten::ne"},
    {"_operator.and_", "aten::__and__"}, {"_operator.or_", "aten::__or__"},
    {"_operator.not_", "aten::__not__"}, {"math.floor", "aten::floor"},
    {"math.ceil", "aten::ceil"},         {"math.trunc", "aten::Int"},
    {"math.sqrt", "aten::sqrt"},         {"torch._sym_sqrt", "aten::sqrt"},
    {"torch.sym_float", "aten::Float"},  {"torch.sym_int", "aten::Int"},
    {"torch.sym_max", "prim::max"},      {"torch.sym_min", "prim::min"},
    {"torch.sym_not", "aten::__not__"},
});

/// Sizes are numbers when a model runs.
std::string plain_name(const std::string& name) {
  if (name == "aten::sym_size") return "aten::size";
  if (name == "aten::sym_stride") return "aten::stride";
  if (name == "aten::sym_numel") return "aten::numel";
  if (name == "aten::sym_storage_offset") return "aten::storage_offset";
  return name;
}

const Json* argument_named(const Json& node, const std::string& name) {
  for (const Json& input : node.at("inputs"))
    if (input.at("name") == name) return &input.at("arg");
  return nullptr;
}

c10::FunctionSchema schema_of(const std::string& target) {
  const std::string schema = exported_program::schema_of_target(target);
  const auto dot = schema.find('.', schema.find("::"));
  const std::string name = plain_name(schema.substr(0, dot));
  const std::string overload = dot == std::string::npos ? "" : schema.substr(dot + 1);
  const auto found = c10::Dispatcher::singleton().findSchema({name, overload});
  if (found) return found->schema();
  throw Error(ErrorKind::unknown_operator, "", "LibTorch has no operator `" + schema + "`",
              "load the library that registers it with `--op-library`");
}

[[noreturn]] void refuse_operator(const std::string& target, const std::string& reason) {
  throw Error(ErrorKind::not_runnable, "", "`" + target + "` cannot be run: " + reason,
              "verify the TorchScript or ONNX file");
}

/// What a trace records of the Python calls around an operator, innermost first.
std::string stack_text(const Json& metadata) {
  const auto lines = parse_python_trace(metadata.value("stack_trace", ""));
  std::string text;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    text += line->location.file + "(" + std::to_string(line->location.line) +
            "): " + line->function + "\n";
  return text;
}

torch::jit::ScopePtr scope_of(const Json& metadata) {
  auto scope = c10::make_intrusive<torch::jit::Scope>();
  const auto stack = exported_program::parse_module_stack(metadata.value("nn_module_stack", ""));
  if (!stack.empty() && !stack.back().path.empty())
    scope = scope->push(c10::Symbol::scope(stack.back().path));
  return scope;
}

/// Gives the nodes inserted since `last` their line of Python.
void set_origin(torch::jit::Node* last, torch::jit::Node* end, const Json& metadata) {
  const std::string text = stack_text(metadata);
  if (text.empty()) return;
  const auto source = std::make_shared<torch::jit::Source>(text);
  for (auto* node = last->next(); node != end; node = node->next())
    node->setSourceRange(torch::jit::SourceRange(source, 0, text.size()));
}

} // namespace

torch::jit::GraphFunction* DecomposedOperators::find(const std::string& schema) {
  constexpr std::string_view prefix = "quantized_decomposed::";
  if (!schema.starts_with(prefix)) return nullptr;
  if (!unit_) unit_ = torch::jit::compile(operators_in_torchscript);
  std::string name = schema.substr(prefix.size());
  std::replace(name.begin(), name.end(), '.', '_');
  auto* function = unit_->find_function(c10::QualifiedName(name));
  return function == nullptr ? nullptr : &torch::jit::toGraphFunction(*function);
}

void ProgramWriter::write_nodes(const Json& graph, ProgramScope& scope) {
  for (const Json& node : graph.at("nodes")) write_node(node, scope);
}

void ProgramWriter::write_node(const Json& node, ProgramScope& scope) {
  const std::string target = node.at("target").get<std::string>();
  const Json& metadata = node.at("metadata");
  auto* end = graph_.insertPoint();
  auto* last = end->prev();
  const torch::jit::WithCurrentScope in_module(graph_, scope_of(metadata));
  try {
    if (target.starts_with(higher_order_prefix))
      write_higher_order(target.substr(higher_order_prefix.size()), node, scope);
    else if (target.starts_with(operator_prefix))
      write_operator(target, node, scope);
    else
      write_python_operator(target, node, scope);
  } catch (const torch::jit::ErrorReport&) {
    refuse_operator(target, "LibTorch has no operator for such arguments");
  } catch (const c10::Error&) { // where a list's elements are not what it holds
    refuse_operator(target, "LibTorch has no operator for such arguments");
  }
  set_origin(last, end, metadata);
}

void ProgramWriter::write_operator(const std::string& target, const Json& node,
                                   ProgramScope& scope) {
  if (target.starts_with("torch.ops.aten._assert_scalar")) return write_assertion(node, scope);
  if (auto* function = decomposed_.find(exported_program::schema_of_target(target)))
    return write_decomposed(*function, node, scope);
  const c10::FunctionSchema schema = schema_of(target);
  const Values inputs = arguments_of(node, schema, scope);
  auto* written = graph_.create(c10::Symbol::fromQualString(schema.name()), inputs, 0);
  for (const c10::Argument& result : schema.returns()) written->addOutput()->setType(result.type());
  graph_.insertNode(written);
  if (written->maybeOperator() == nullptr)
    refuse_operator(target, "LibTorch has no operator for such arguments");
  bind_outputs(node, written->outputs().vec(), scope);
}

ProgramWriter::Values ProgramWriter::arguments_of(const Json& node,
                                                  const c10::FunctionSchema& schema,
                                                  const ProgramScope& scope) {
  Values values;
  for (const c10::Argument& argument : schema.arguments()) {
    const Json* given = argument_named(node, argument.name());
    if (given != nullptr)
      values.push_back(value_of(graph_, *given, argument.type(), scope));
    else
      values.push_back(graph_.insertConstant(argument.default_value().value_or(c10::IValue())));
  }
  return values;
}

void ProgramWriter::write_decomposed(torch::jit::GraphFunction& function, const Json& node,
                                     ProgramScope& scope) {
  Values results = torch::jit::insertGraph(graph_, *function.graph(),
                                           arguments_of(node, function.getSchema(), scope));
  if (results.front()->type()->kind() == c10::TypeKind::TupleType)
    results = results.front()->node()->inputs().vec();
  bind_outputs(node, results, scope);
}

void ProgramWriter::write_python_operator(const std::string& target, const Json& node,
                                          ProgramScope& scope) {
  const auto found = std::ranges::find_if(python_operators,
                                          [&](const auto& each) { return each.first == target; });
  if (found == python_operators.end()) refuse_operator(target, "it is a function of Python");
  Values arguments;
  for (const Json& input : node.at("inputs"))
    arguments.push_back(value_of(graph_, input.at("arg"), nullptr, scope));
  bind_outputs(node, {insert(found->second, arguments)}, scope);
}

/// What the exporter relied on is checked, as Python checks it.
void ProgramWriter::write_assertion(const Json& node, const ProgramScope& scope) {
  const Json* condition = argument_named(node, "self");
  const Json* message = argument_named(node, "assert_msg");
  if (condition == nullptr) refuse_operator("aten::_assert_scalar", "it has no condition");
  const std::string text =
      message != nullptr ? message->value("as_string", "") : "a condition of the program";
  auto* branch = graph_.insertNode(graph_.create(
      torch::jit::prim::If, {as_condition(value_of(graph_, *condition, nullptr, scope))}, 0));
  branch->addBlock();
  const torch::jit::WithInsertPoint inside(branch->addBlock());
  auto* class_name = graph_.insertConstant(c10::IValue());
  graph_.insertNode(graph_.create(torch::jit::prim::RaiseException,
                                  {graph_.insertConstant(text), class_name}, 0));
}

/// Says of what holds a result of the program's node, by its number, which output of an op it is. A
/// list holds that result and those after it.
void ProgramWriter::name_result(const Json& node, std::size_t number, Value& holder) {
  const auto found = results_.find(&node);
  if (found == results_.end() || number >= found->second.size()) return;
  if (const auto& [op, output] = found->second[number]; op != none)
    set_op_output(holder, ops_.op(op).name, output);
}

void ProgramWriter::bind_outputs(const Json& node, const Values& results, ProgramScope& scope) {
  std::size_t position = 0;
  std::size_t number = 0;
  for (const Json& output : node.at("outputs")) {
    if (position >= results.size()) return;
    Value* result = results[position++];
    const std::string kind = output.begin().key();
    const auto names = names_in(output);
    name_result(node, number, *result);
    number += names.size();
    const bool is_list = result->type()->kind() == c10::TypeKind::ListType;
    if (!is_list) {
      if (!names.empty() && !names[0].empty()) scope[names[0]] = as_declared(kind, result);
      continue;
    }
    auto* unpacked = graph_.insertNode(graph_.createListUnpack(result, names.size()));
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!names[i].empty()) scope[names[i]] = unpacked->outputs()[i];
  }
}

/// `item` gives a number, which is one of the kind that the program says.
torch::jit::Value* ProgramWriter::as_declared(const std::string& kind, Value* value) {
  const auto is = [&](c10::TypeKind type) { return value->type()->kind() == type; };
  if (kind == "as_sym_int" && !is(c10::TypeKind::IntType)) return insert("aten::Int", {value});
  if (kind == "as_sym_float" && !is(c10::TypeKind::FloatType))
    return insert("aten::Float", {value});
  if (kind == "as_sym_bool") return as_condition(value);
  return value;
}

torch::jit::Value* ProgramWriter::as_condition(Value* value) {
  return value->type()->kind() == c10::TypeKind::BoolType ? value : insert("aten::Bool", {value});
}

torch::jit::Value* ProgramWriter::insert(const char* name, const Values& arguments) {
  std::vector<torch::jit::NamedValue> values(arguments.begin(), arguments.end());
  return graph_.insert(c10::Symbol::fromQualString(name), values);
}

} // namespace model_validator::verify
