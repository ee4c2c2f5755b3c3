#include "verify/run/signature.h"

#include "connected_graph/torchscript/file/method.h"
#include "verify/inputs/strided_copy.h"

#include <model_validator/error.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/stack.h>

namespace model_validator::verify {
namespace {

using Kind = InputNeed::Kind;

c10::TypePtr inside_optional(const c10::TypePtr& type) {
  const auto optional = type->cast<c10::OptionalType>();
  return optional ? optional->getElementType() : type;
}

Kind kind_of(const c10::TypePtr& declared) {
  switch (inside_optional(declared)->kind()) {
  case c10::TypeKind::TensorType: return Kind::tensor;
  case c10::TypeKind::IntType:
  case c10::TypeKind::FloatType:
  case c10::TypeKind::BoolType:
  case c10::TypeKind::StringType: return Kind::number;
  default: return Kind::other;
  }
}

bool is_number(const Value& value) {
  return std::holds_alternative<bool>(value.data) ||
         std::holds_alternative<std::int64_t>(value.data) ||
         std::holds_alternative<double>(value.data);
}

[[noreturn]] void refuse(const std::string& name, const c10::TypePtr& type, const Value& value) {
  throw Error(ErrorKind::bad_inputs, "",
              "the input `" + name + "` expects a " + type->annotation_str() + " but is given a " +
                  kind_name(value));
}

c10::IValue fitted(const std::string& name, const c10::TypePtr& type, const Value& value);

template <class T>
const T& expect(const std::string& name, const c10::TypePtr& type, const Value& value) {
  const auto* held = std::get_if<T>(&value.data);
  if (held == nullptr) refuse(name, type, value);
  return *held;
}

c10::IValue fitted_list(const std::string& name, const c10::TypePtr& type, const Value& value) {
  const auto element = type->expect<c10::ListType>()->getElementType();
  c10::impl::GenericList list(element);
  for (const auto& item : expect<Sequence>(name, type, value).items)
    list.push_back(fitted(name, element, item));
  return list;
}

c10::IValue fitted_tuple(const std::string& name, const c10::TypePtr& type, const Value& value) {
  const auto& items = expect<Sequence>(name, type, value).items;
  const auto elements = type->expect<c10::TupleType>()->elements();
  if (elements.size() != items.size()) refuse(name, type, value);
  std::vector<c10::IValue> result;
  for (std::size_t i = 0; i < elements.size(); ++i)
    result.push_back(fitted(name, elements[i], items[i]));
  return c10::ivalue::Tuple::create(std::move(result));
}

c10::IValue fitted_dict(const std::string& name, const c10::TypePtr& type, const Value& value) {
  const auto dict_type = type->expect<c10::DictType>();
  c10::impl::GenericDict dict(dict_type->getKeyType(), dict_type->getValueType());
  for (const auto& [key, item] : expect<Dict>(name, type, value).items)
    dict.insert(key, fitted(name, dict_type->getValueType(), item));
  return dict;
}

/// A list of numbers, which Python's functions accept for a tensor: lengths, weights of classes.
at::Tensor tensor_of_numbers(const std::string& name, const c10::TypePtr& type,
                             const Sequence& items, const Value& value) {
  std::vector<at::Tensor> numbers;
  for (const auto& item : items.items) {
    if (!is_number(item)) refuse(name, type, value);
    numbers.push_back(to_torch(as_tensor(item)));
  }
  if (numbers.empty()) return at::empty({0});
  const auto tensor = at::stack(numbers);
  return tensor.is_floating_point() ? tensor.to(at::kFloat) : tensor;
}

c10::IValue fitted_tensor(const std::string& name, const c10::TypePtr& type, const Value& value) {
  if (const auto* sequence = std::get_if<Sequence>(&value.data))
    return tensor_of_numbers(name, type, *sequence, value);
  if (std::holds_alternative<Dict>(value.data) || std::holds_alternative<std::string>(value.data))
    refuse(name, type, value);
  return to_torch(as_tensor(value));
}

/// A file holds a number as an array with one element.
c10::IValue fitted_number(const c10::TypePtr& type, const Value& value) {
  if (!std::holds_alternative<Tensor>(value.data)) return to_ivalue(value);
  const auto scalar = to_torch(as_tensor(value)).item();
  if (type->kind() == c10::TypeKind::FloatType) return scalar.toDouble();
  if (type->kind() == c10::TypeKind::IntType) return scalar.toLong();
  return scalar.toBool();
}

c10::IValue fitted(const std::string& name, const c10::TypePtr& declared, const Value& value) {
  if (std::holds_alternative<None>(value.data)) return {};
  const auto type = inside_optional(declared);
  switch (type->kind()) {
  case c10::TypeKind::ListType: return fitted_list(name, type, value);
  case c10::TypeKind::TupleType: return fitted_tuple(name, type, value);
  case c10::TypeKind::DictType: return fitted_dict(name, type, value);
  case c10::TypeKind::TensorType: return fitted_tensor(name, type, value);
  case c10::TypeKind::IntType:
  case c10::TypeKind::FloatType:
  case c10::TypeKind::BoolType: return fitted_number(type, value);
  default: return to_ivalue(value);
  }
}

} // namespace

at::Tensor to_torch(const Tensor& tensor) {
  const auto dense = row_major(tensor);
  const auto dtype = c10::getStringToDtypeMap().find(to_string(dense.view.dtype));
  if (dtype == c10::getStringToDtypeMap().end())
    throw Error(ErrorKind::unsupported_value, "",
                std::string("LibTorch has no tensors of ") + to_string(dense.view.dtype));
  auto* data = const_cast<void*>(dense.view.data); // what may be written to gets a clone
  auto owner = dense.owner;
  return at::from_blob(
      data, dense.view.shape, [owner](void*) {}, at::TensorOptions().dtype(dtype->second));
}

c10::IValue to_ivalue(const Value& value) {
  struct Convert {
    c10::IValue operator()(const None&) const { return {}; }
    c10::IValue operator()(const Tensor& tensor) const { return to_torch(tensor); }
    c10::IValue operator()(const Sequence& sequence) const {
      std::vector<c10::IValue> items;
      for (const auto& item : sequence.items) items.push_back(to_ivalue(item));
      return c10::ivalue::Tuple::create(std::move(items));
    }
    c10::IValue operator()(const Dict& dict) const {
      c10::impl::GenericDict result(c10::StringType::get(), c10::AnyType::get());
      for (const auto& [key, item] : dict.items) result.insert(key, to_ivalue(item));
      return result;
    }
    c10::IValue operator()(bool flag) const { return flag; }
    c10::IValue operator()(std::int64_t number) const { return number; }
    c10::IValue operator()(double number) const { return number; }
    c10::IValue operator()(const std::string& text) const { return text; }
  };
  return std::visit(Convert{}, value.data);
}

namespace {

/// Of the first floating-point parameter or buffer; none in a module that has none, as a frozen
/// one.
std::optional<DType> dtype_of_weights(const torch::jit::Module& module) {
  const auto of_first = [](const auto& tensors) -> std::optional<DType> {
    for (const at::Tensor& tensor : tensors)
      if (tensor.defined() && tensor.is_floating_point())
        return dtype_numbered(&DTypeFacts::torch, static_cast<int>(tensor.scalar_type()));
    return std::nullopt;
  };
  const auto found = of_first(module.parameters());
  return found ? found : of_first(module.buffers());
}

} // namespace

std::vector<InputNeed> needs_of(const torch::jit::Module& module,
                                const std::filesystem::path& file) {
  std::vector<InputNeed> needs;
  const auto method = torchscript::method_of(module, "forward", file);
  const auto& arguments = method.function().getSchema().arguments();
  const auto of_weights = dtype_of_weights(module);
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    InputNeed need;
    need.dtype_of_weights = of_weights;
    need.name = arguments[i].name();
    need.type = arguments[i].type()->annotation_str();
    need.kind = kind_of(arguments[i].type());
    need.required =
        !arguments[i].default_value() && arguments[i].type()->kind() != c10::TypeKind::OptionalType;
    needs.push_back(std::move(need));
  }
  return needs;
}

std::vector<c10::IValue> to_arguments(const torch::jit::Module& module, const Sample& sample) {
  const auto& arguments = module.get_method("forward").function().getSchema().arguments();
  std::vector<c10::IValue> result;
  for (std::size_t i = 0; i < sample.size() && i + 1 < arguments.size(); ++i) {
    const auto& argument = arguments[i + 1];
    const bool given = !std::holds_alternative<None>(sample[i].data);
    if (!given && argument.default_value())
      result.push_back(*argument.default_value());
    else
      result.push_back(fitted(argument.name(), argument.type(), sample[i]));
  }
  return result;
}

std::vector<std::optional<Shape>> shapes_of(const std::vector<c10::IValue>& arguments) {
  std::vector<std::optional<Shape>> shapes;
  for (const c10::IValue& argument : arguments)
    shapes.push_back(argument.isTensor() ? std::optional(argument.toTensor().sizes().vec())
                                         : std::nullopt);
  return shapes;
}

} // namespace model_validator::verify
