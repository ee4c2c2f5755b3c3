#include "verify/flat_program/program_arguments.h"

#include "connected_graph/exported_program/arguments.h"
#include "files/whole_number.h"

#include <model_validator/data/dtype.h>
#include <model_validator/error.h>

#include <ATen/ops/scalar_tensor.h>
#include <c10/core/ScalarType.h>
#include <torch/csrc/jit/ir/constants.h>

#include <array>
#include <limits>

namespace model_validator::verify {
namespace {

using exported_program::Json;

/// JSON has no infinities and no NaN: they are written as strings.
double exported_real(const Json& json) {
  if (!json.is_string()) return json.get<double>();
  const std::string text = json.get<std::string>();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return text.starts_with('-') ? -infinity : infinity;
}

/// The schema's numbers: contiguous, channels_last, channels_last_3d, preserve.
std::int64_t memory_format_of(const Json& json) {
  constexpr std::array formats{c10::MemoryFormat::Contiguous, c10::MemoryFormat::Contiguous,
                               c10::MemoryFormat::ChannelsLast, c10::MemoryFormat::ChannelsLast3d,
                               c10::MemoryFormat::Preserve};
  return static_cast<std::int64_t>(formats.at(whole_number<std::size_t>(json)));
}

/// The schema's numbers, from 1: sparse_coo, sparse_csr, sparse_csc, sparse_bsr, sparse_bsc,
/// mkldnn, strided.
std::int64_t layout_of(const Json& json) {
  constexpr std::array layouts{c10::Layout::Strided,   c10::Layout::Sparse,
                               c10::Layout::SparseCsr, c10::Layout::SparseCsc,
                               c10::Layout::SparseBsr, c10::Layout::SparseBsc,
                               c10::Layout::Mkldnn,    c10::Layout::Strided};
  return static_cast<std::int64_t>(layouts.at(whole_number<std::size_t>(json)));
}

/// A program exported on a GPU runs on the CPU like any other.
c10::IValue device_of(const Json& json) {
  const std::string type = json.at("type").get<std::string>();
  return c10::Device(type == "meta" ? c10::kMeta : c10::kCPU);
}

bool expects(const c10::TypePtr& expected, c10::TypeKind kind) {
  if (!expected) return false;
  const auto optional = expected->cast<c10::OptionalType>();
  return (optional ? optional->getElementType() : expected)->kind() == kind;
}

c10::TypePtr list_element(const c10::TypePtr& expected) {
  if (!expected) return nullptr;
  const auto optional = expected->cast<c10::OptionalType>();
  const auto list = (optional ? optional->getElementType() : expected)->cast<c10::ListType>();
  return list ? list->getElementType() : nullptr;
}

/// A Python number where the operator takes a tensor: it takes part as a number when dtypes are
/// promoted.
c10::IValue wrapped_number(const c10::Scalar& number) {
  const at::Tensor tensor =
      at::scalar_tensor(number, at::TensorOptions().dtype(number.isFloatingPoint() ? at::kDouble
                                                          : number.isBoolean()     ? at::kBool
                                                                                   : at::kLong));
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

c10::IValue number_as(const c10::Scalar& number, const c10::TypePtr& expected) {
  if (expects(expected, c10::TypeKind::TensorType)) return wrapped_number(number);
  if (expects(expected, c10::TypeKind::FloatType)) return number.toDouble();
  return c10::IValue(number);
}

c10::IValue integers_as(const Json& json, const c10::TypePtr& expected) {
  const auto element = list_element(expected);
  if (element && element->kind() == c10::TypeKind::FloatType) {
    std::vector<double> reals;
    for (const Json& number : json) reals.push_back(number.get<double>());
    return reals;
  }
  std::vector<std::int64_t> numbers;
  for (const Json& number : json) numbers.push_back(whole_number<std::int64_t>(number));
  return numbers;
}

c10::IValue reals_of(const Json& json) {
  std::vector<double> reals;
  for (const Json& number : json) reals.push_back(exported_real(number));
  return reals;
}

c10::IValue flags_of(const Json& json) {
  c10::List<bool> flags;
  for (const Json& flag : json) flags.push_back(flag.get<bool>());
  return flags;
}

c10::IValue texts_of(const Json& json) {
  c10::List<std::string> texts;
  for (const Json& text : json) texts.push_back(text.get<std::string>());
  return texts;
}

/// What describes a tensor.
std::optional<c10::IValue> property_in(const std::string& kind, const Json& value) {
  if (kind == "as_memory_format") return memory_format_of(value);
  if (kind == "as_layout") return layout_of(value);
  if (kind == "as_device") return device_of(value);
  if (kind != "as_scalar_type") return std::nullopt;
  const auto dtype = scalar_type_of(whole_number<int>(value));
  return dtype ? std::optional<c10::IValue>(static_cast<std::int64_t>(*dtype)) : std::nullopt;
}

std::optional<c10::IValue> constant_in(const std::string& kind, const Json& value,
                                       const c10::TypePtr& expected) {
  if (kind == "as_none") return c10::IValue();
  if (kind == "as_int") return number_as(whole_number<std::int64_t>(value), expected);
  if (kind == "as_float") return number_as(exported_real(value), expected);
  if (kind == "as_bool") return number_as(value.get<bool>(), expected);
  if (kind == "as_string") return value.get<std::string>();
  if (kind == "as_complex")
    return c10::complex<double>(exported_real(value.at("real")), exported_real(value.at("imag")));
  if (kind == "as_ints") return integers_as(value, expected);
  if (kind == "as_floats") return reals_of(value);
  if (kind == "as_bools") return flags_of(value);
  if (kind == "as_strings") return texts_of(value);
  return property_in(kind, value);
}

torch::jit::Value* defined_value(const std::string& name, const ProgramScope& scope) {
  const auto found = scope.find(name);
  if (found == scope.end())
    throw Error(ErrorKind::damaged_exported_program, "",
                "`" + name + "` is used, but nothing before it produces it",
                "export the model again");
  return found->second;
}

torch::jit::Value* list_of(torch::jit::Graph& graph,
                           const std::vector<torch::jit::Value*>& elements,
                           const c10::TypePtr& element) {
  return graph.insertNode(graph.createList(element, elements))->output();
}

/// A symbolic number: known, or the value of that name.
torch::jit::Value* symbolic(torch::jit::Graph& graph, const Json& json,
                            const c10::TypePtr& expected, const ProgramScope& scope) {
  if (const auto name = json.find("as_name"); name != json.end())
    return defined_value(name->get<std::string>(), scope);
  for (const auto& [kind, value] : json.items())
    if (const auto constant = constant_in(kind, value, expected))
      return graph.insertConstant(*constant);
  throw Error(ErrorKind::damaged_exported_program, "",
              "a symbolic number has neither name nor value", "export the model again");
}

torch::jit::Value* tensor_or_none(torch::jit::Graph& graph, const Json& json,
                                  const ProgramScope& scope) {
  const auto tensor = json.find("as_tensor");
  return tensor == json.end() ? graph.insertConstant(c10::IValue())
                              : defined_value(tensor->at("name").get<std::string>(), scope);
}

std::vector<torch::jit::Value*> elements_of(torch::jit::Graph& graph, const std::string& kind,
                                            const Json& list, const ProgramScope& scope) {
  std::vector<torch::jit::Value*> values;
  for (const Json& element : list) {
    if (kind == "as_tensors")
      values.push_back(defined_value(element.at("name").get<std::string>(), scope));
    else if (kind == "as_optional_tensors")
      values.push_back(tensor_or_none(graph, element, scope));
    else
      values.push_back(symbolic(graph, element, nullptr, scope));
  }
  return values;
}

c10::TypePtr element_type(const std::string& kind) {
  if (kind == "as_tensors") return c10::TensorType::get();
  if (kind == "as_optional_tensors") return c10::OptionalType::ofTensor();
  if (kind == "as_sym_ints") return c10::IntType::get();
  if (kind == "as_sym_floats") return c10::FloatType::get();
  if (kind == "as_sym_bools") return c10::BoolType::get();
  return nullptr;
}

/// The schema's union has one member.
std::pair<std::string, const Json*> member_of(const Json& argument) {
  if (!argument.is_object() || argument.size() != 1)
    throw Error(ErrorKind::damaged_exported_program, "", "an argument has no single kind",
                "export the model again");
  return {argument.begin().key(), &argument.begin().value()};
}

} // namespace

std::optional<c10::ScalarType> scalar_type_of(int number) {
  constexpr int complex_half = 9;
  constexpr std::array complexes{c10::ScalarType::ComplexHalf, c10::ScalarType::ComplexFloat,
                                 c10::ScalarType::ComplexDouble};
  if (number >= complex_half && number < complex_half + static_cast<int>(complexes.size()))
    return complexes[static_cast<std::size_t>(number - complex_half)];
  const auto dtype = dtype_numbered(&DTypeFacts::exported, number);
  if (!dtype) return std::nullopt;
  const auto found = c10::getStringToDtypeMap().find(to_string(*dtype));
  return found == c10::getStringToDtypeMap().end() ? std::nullopt : std::optional(found->second);
}

torch::jit::Value* value_of(torch::jit::Graph& graph, const Json& argument,
                            const c10::TypePtr& expected, const ProgramScope& scope) {
  const auto [kind, value] = member_of(argument);
  if (kind == "as_tensor") return defined_value(value->at("name").get<std::string>(), scope);
  if (kind == "as_optional_tensor") return tensor_or_none(graph, *value, scope);
  if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool")
    return symbolic(graph, *value, expected, scope);
  if (kind == "as_tensors" && value->empty() && list_element(expected))
    return list_of(graph, {}, list_element(expected)); // the exporter does not know what is in it
  if (const auto type = element_type(kind)) {
    const auto optional = list_element(expected);
    const bool wants_optional = optional && optional->kind() == c10::TypeKind::OptionalType;
    return list_of(graph, elements_of(graph, kind, *value, scope),
                   wants_optional ? optional : type);
  }
  if (const auto constant = constant_in(kind, *value, expected))
    return graph.insertConstant(*constant);
  throw Error(ErrorKind::not_runnable, "",
              "an argument of the kind `" + kind + "` cannot be given to LibTorch",
              "verify the TorchScript or ONNX file");
}

std::vector<torch::jit::Value*> values_of(torch::jit::Graph& graph, const Json& argument,
                                          const ProgramScope& scope) {
  const auto [kind, value] = member_of(argument);
  if (element_type(kind)) return elements_of(graph, kind, *value, scope);
  if (kind == "as_ints" || kind == "as_floats" || kind == "as_bools") {
    std::vector<torch::jit::Value*> values;
    for (const Json& number : *value)
      values.push_back(
          graph.insertConstant(*constant_in(kind.substr(0, kind.size() - 1), number, nullptr)));
    return values;
  }
  return {value_of(graph, argument, nullptr, scope)};
}

std::vector<std::string> names_in(const Json& output) {
  const auto names = exported_program::take_apart(output);
  return names.symbols.empty() ? names.tensors : names.symbols;
}

} // namespace model_validator::verify
