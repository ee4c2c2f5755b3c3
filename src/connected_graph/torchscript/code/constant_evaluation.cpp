#include "connected_graph/torchscript/code/constant_evaluation.h"

#include "connected_graph/torchscript/code/items.h"
#include "connected_graph/torchscript/ir/collection_facts.h"
#include "connected_graph/torchscript/ir/operator_effects.h"

#include <boost/container_hash/hash.hpp>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>
#include <array>

namespace model_validator::torchscript {
namespace {

using std::string_view_literals::operator""sv;

/// Operators on numbers whose result is a number.
constexpr std::array arithmetic = {"aten::eq"sv,
                                   "aten::ne"sv,
                                   "aten::lt"sv,
                                   "aten::le"sv,
                                   "aten::gt"sv,
                                   "aten::ge"sv,
                                   "aten::add"sv,
                                   "aten::sub"sv,
                                   "aten::mul"sv,
                                   "aten::div"sv,
                                   "aten::neg"sv,
                                   "aten::floordiv"sv,
                                   "aten::remainder"sv,
                                   "aten::__and__"sv,
                                   "aten::__or__"sv,
                                   "aten::__xor__"sv,
                                   "aten::__not__"sv,
                                   "aten::Bool"sv,
                                   "aten::Int"sv,
                                   "aten::Float"sv,
                                   "aten::ceil"sv,
                                   "aten::floor"sv,
                                   "aten::sqrt"sv,
                                   "prim::min"sv,
                                   "prim::max"sv,
                                   "aten::abs"sv,
                                   "aten::__range_length"sv,
                                   "aten::__derive_index"sv,
                                   "aten::__round_to_zero_floordiv"sv};

/// Operators on lists of numbers whose result is a number.
constexpr std::array of_lists = {"aten::any"sv, "aten::all"sv, "aten::sum"sv, "prim::min"sv,
                                 "prim::max"sv};

/// Further queries that have no side effect and read no tensor data.
constexpr std::array repeatable = {
    "aten::__is__"sv,          "aten::__isnot__"sv,           "prim::isinstance"sv,
    "aten::is_grad_enabled"sv, "aten::is_autocast_enabled"sv, "aten::stride"sv,
    "aten::ScalarImplicit"sv};

template <class Names> bool among(const Names& names, const Node& node) {
  return std::find(names.begin(), names.end(), node.kind().toQualString()) != names.end();
}

bool is_tensor(const Value& value) { return value.type()->kind() == c10::TypeKind::TensorType; }

bool is_number(const c10::IValue& value) {
  return value.isInt() || value.isDouble() || value.isBool();
}

bool all_numbers(const std::vector<Abstract>& inputs) {
  return !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), [](const Abstract& input) {
    return input->known() && is_number(*input->known());
  });
}

bool compares(const Node& node) { return node.kind() == aten::eq || node.kind() == aten::ne; }

bool same_member(const c10::ivalue::EnumHolder& a, const c10::ivalue::EnumHolder& b) {
  return a.qualifiedClassName() == b.qualifiedClassName() && a.name() == b.name();
}

/// Of what is not a number: strings, devices, members of an enumeration.
std::optional<bool> are_equal(const c10::IValue& a, const c10::IValue& b) {
  if (a.isString() && b.isString()) return equal_keys(a, b);
  if (a.isDevice() && b.isDevice()) return a.toDevice() == b.toDevice();
  if (a.isEnum() && b.isEnum()) return same_member(*a.toEnumHolder(), *b.toEnumHolder());
  return std::nullopt;
}

std::optional<c10::IValue> compare(const Node& node, const std::vector<Abstract>& inputs) {
  if (inputs.size() != 2 || !inputs[0]->known() || !inputs[1]->known()) return std::nullopt;
  const auto equal = are_equal(*inputs[0]->known(), *inputs[1]->known());
  if (!equal) return std::nullopt;
  return c10::IValue(*equal == (node.kind() == aten::eq));
}

std::optional<c10::IValue> identity(const Node& node, const std::vector<Abstract>& inputs) {
  const std::optional<bool> a = is_none(*inputs[0]);
  const std::optional<bool> b = is_none(*inputs[1]);
  if (!a || !b || !(*a || *b)) return std::nullopt;
  return c10::IValue((*a && *b) == (node.kind() == aten::__is__));
}

std::optional<c10::IValue> run(const Node& node, torch::jit::Stack stack) {
  try {
    node.getOperation()(stack);
    if (stack.size() == 1 && is_number(stack[0])) return stack[0];
  } catch (const std::exception&) {
    // Division by zero and the like: the model would fail there too, if it got there.
  }
  return std::nullopt;
}

/// A list of numbers, if all are known.
std::optional<c10::IValue> known_list(const Node& node, const Items& items) {
  const auto type = node.input()->type()->cast<c10::ListType>();
  if (!type || !items.exact || items.dict) return std::nullopt;
  c10::impl::GenericList list(type->getElementType());
  for (const Abstract& item : items.values) {
    if (!item->known() || !is_number(*item->known()) ||
        !item->known()->type()->isSubtypeOf(*type->getElementType()))
      return std::nullopt;
    list.push_back(*item->known());
  }
  return c10::IValue(list);
}

std::uint64_t number_of_constant(const c10::IValue& value) {
  std::size_t hash = static_cast<std::size_t>(value.isNone());
  boost::hash_combine(hash, value.tagKind());
  if (value.isInt()) boost::hash_combine(hash, value.toInt());
  if (value.isDouble()) boost::hash_combine(hash, value.toDouble());
  if (value.isBool()) boost::hash_combine(hash, value.toBool());
  if (value.isString()) boost::hash_combine(hash, value.toStringRef());
  if (value.isDevice()) boost::hash_combine(hash, value.toDevice().str());
  if (value.isEnum()) {
    boost::hash_combine(hash, value.toEnumHolder()->qualifiedClassName());
    boost::hash_combine(hash, value.toEnumHolder()->name());
  }
  return hash;
}

} // namespace

std::optional<c10::IValue> evaluate(const Node& node, const std::vector<Abstract>& inputs) {
  if (node.outputs().size() != 1) return std::nullopt;
  const bool is = node.kind() == aten::__is__ || node.kind() == aten::__isnot__;
  if (is && inputs.size() == 2) return identity(node, inputs);
  if (compares(node))
    if (auto result = compare(node, inputs)) return result;
  if (inputs.size() == 1 && inputs[0]->items()) {
    const auto list = among(of_lists, node) ? known_list(node, *inputs[0]->items()) : std::nullopt;
    return list ? run(node, {*list}) : std::nullopt;
  }
  if (!among(arithmetic, node) || !all_numbers(inputs)) return std::nullopt;
  torch::jit::Stack numbers;
  for (const Abstract& input : inputs) numbers.push_back(*input->known());
  return run(node, std::move(numbers));
}

bool is_repeatable_query(const Node& node) {
  if (node.outputs().size() != 1 || is_tensor(*node.output())) return false;
  return among(repeatable, node) || among(arithmetic, node) ||
         (describes(node) && is_tensor(*node.input(0)));
}

std::uint64_t number_of(c10::Symbol kind, const std::vector<Abstract>& inputs) {
  std::size_t hash = 0;
  boost::hash_combine(hash, std::string(kind.toQualString()));
  for (const Abstract& input : inputs) {
    boost::hash_combine(hash, input->known() ? number_of_constant(*input->known()) : input->number);
    boost::hash_combine(hash, input->negated);
  }
  return hash;
}

} // namespace model_validator::torchscript
