#include "introspection/structure.h"

#include "introspection/digest.h"
#include "introspection/ir_text.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

namespace model_validator {
namespace {

/// Every parameter, used or not: its place in an ONNX file, else its path; and its type.
std::vector<std::string> parameter_lines(const ConnectedGraph& graph) {
  std::vector<std::string> lines;
  for (ParameterId id = 0; id < graph.parameters().size(); ++id) {
    const Parameter& parameter = graph.parameters()[id];
    const bool by_place = graph.origin.format == FileFormat::onnx;
    lines.push_back((by_place ? std::to_string(id) : parameter.path) + " " +
                    to_text(parameter.type));
  }
  // The order in which a module's tensors were registered is not structure.
  std::ranges::sort(lines);
  return lines;
}

using Values = std::map<std::string, AttributeValue>;

Values values_of(const Op& op) {
  Values values;
  if (op.kind == OpKind::input) return values;
  const auto add = [&values](const std::vector<Attribute>& attributes) {
    for (const Attribute& attribute : attributes) values.emplace(attribute.name, attribute.value);
  };
  add(op.attributes);
  if (op.body)
    for (const Operator& part : *op.body) add(part.attributes);
  return values;
}

std::string against(const std::string& what, const std::string& a, const std::string& b) {
  return what + " " + (a.empty() ? "nothing" : a) + " against " + (b.empty() ? "nothing" : b);
}

/// How two long lists differ; empty for values that are written out.
template <class T>
std::string in_long_lists(const std::string& name, const std::vector<T>& a,
                          const std::vector<T>& b) {
  constexpr std::size_t written_out = 16;
  if (std::max(a.size(), b.size()) <= written_out) return {};
  if (a.size() != b.size())
    return "`" + name + "` has " + std::to_string(a.size()) + " elements against " +
           std::to_string(b.size());
  std::size_t count = 0, first = 0;
  for (std::size_t i = a.size(); i-- > 0;)
    if (to_python(AttributeValue(T(a[i]))) != to_python(AttributeValue(T(b[i])))) {
      first = i;
      ++count;
    }
  return "`" + name + "` differs in " + std::to_string(count) + " of " + std::to_string(a.size()) +
         " elements, first in " +
         against("`[" + std::to_string(first) + "]`,", to_python(AttributeValue(T(a[first]))),
                 to_python(AttributeValue(T(b[first]))));
}

template <class T> constexpr bool is_list = false;
template <class T> constexpr bool is_list<std::vector<T>> = true;

std::string between(const std::string& name, const AttributeValue& a, const AttributeValue& b) {
  std::string lists;
  std::visit(
      [&](const auto& one) {
        using Value = std::decay_t<decltype(one)>;
        if constexpr (is_list<Value>)
          if (const auto* other = std::get_if<Value>(&b)) lists = in_long_lists(name, one, *other);
      },
      a);
  return lists.empty() ? against("`" + name + "` is", to_python(a), to_python(b)) : lists;
}

/// The first attribute that differs, in words; empty where none does.
std::string attribute_difference(const Op& a, const Op& b) {
  const Values first = values_of(a);
  const Values second = values_of(b);
  for (const auto& [name, value] : first) {
    const auto found = second.find(name);
    if (found == second.end()) return against("`" + name + "` is", to_python(value), "");
    if (to_python(value) != to_python(found->second)) return between(name, value, found->second);
  }
  for (const auto& [name, value] : second)
    if (first.find(name) == first.end()) return against("`" + name + "` is", "", to_python(value));
  return {};
}

/// What an op reads, by number of operand, each with the number of its output.
std::vector<std::tuple<std::size_t, OpId, std::size_t>> operands_of(const ConnectedGraph& graph,
                                                                    OpId id) {
  std::vector<std::tuple<std::size_t, OpId, std::size_t>> operands;
  for (const auto edge : boost::make_iterator_range(boost::in_edges(id, graph.graph()))) {
    const Product& product = graph.graph()[edge];
    operands.emplace_back(product.input, boost::source(edge, graph.graph()), product.output);
  }
  std::ranges::sort(operands);
  return operands;
}

/// The first operand that comes from elsewhere, in words; empty where none does.
std::string operand_difference(const ConnectedGraph& first, OpId a, const ConnectedGraph& second,
                               OpId b) {
  const auto one = operands_of(first, a);
  const auto other = operands_of(second, b);
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    if (one[i] == other[i]) continue;
    const auto& [input, from, output] = one[i];
    const auto& [input_of_other, from_in_other, output_in_other] = other[i];
    const auto named = [](const std::string& name, std::size_t result) {
      return "`" + name + "`" + (result > 0 ? "#" + std::to_string(result) : "");
    };
    return against("operand " + std::to_string(input) + " is", named(first.op(from).name, output),
                   named(second.op(from_in_other).name, output_in_other));
  }
  return {};
}

/// A part of what an op is, in words.
struct Aspect {
  const char* what;
  std::string (*said)(const ConnectedGraph& graph, OpId id);
  bool only_if_both_say_it = false;
};

std::string types_of_parameters(const ConnectedGraph& graph, OpId id) {
  std::string text;
  for (const ParameterId parameter : graph.op(id).parameters)
    text += (text.empty() ? "" : ", ") + to_text(graph.parameters()[parameter].type);
  return text;
}

std::string schema_of(const ConnectedGraph& graph, OpId id) { return graph.op(id).schema; }

std::string count_of_operands(const ConnectedGraph& graph, OpId id) {
  return std::to_string(boost::in_degree(id, graph.graph()));
}

constexpr std::array of_itself{
    Aspect{"its parameters are", types_of_parameters},
    Aspect{"the schema is", schema_of},
    Aspect{"the number of operands is", count_of_operands},
};

std::string class_of(const ConnectedGraph& graph, OpId id) {
  const ModuleId module = graph.op(id).module;
  return module == none ? "" : "`" + graph.module(module).class_name + "`";
}

/// Those of an ONNX file have names that its exporter chose.
std::string parameters_of(const ConnectedGraph& graph, OpId id) {
  std::string names;
  if (graph.origin.format == FileFormat::onnx) return names;
  for (const ParameterId each : graph.op(id).parameters) {
    const Parameter& parameter = graph.parameters()[each];
    names +=
        (names.empty() ? "`" : ", `") + parameter.path + (parameter.buffer ? "` (a buffer)" : "`");
  }
  return names;
}

std::string schemas_run(const ConnectedGraph& graph, OpId id) {
  std::string schemas;
  if (graph.op(id).body)
    for (const Operator& part : *graph.op(id).body)
      schemas += (schemas.empty() ? "`" : ", `") + part.schema + "`";
  return schemas;
}

std::string results_stated(const ConnectedGraph& graph, OpId id) {
  std::string types;
  if (!has_stated_type(graph, graph.op(id))) return types;
  for (const TensorType& type : graph.op(id).outputs)
    types += (types.empty() ? "" : ", ") + to_text(type);
  return types;
}

constexpr std::array of_its_place{
    Aspect{"the module's class is", class_of},
    Aspect{"its parameters are", parameters_of, true},
    Aspect{"it runs", schemas_run},
    Aspect{"it is", results_stated, true},
};

/// The first of these that differs, in words; empty where none does.
std::string difference_in(std::span<const Aspect> aspects, const ConnectedGraph& first, OpId a,
                          const ConnectedGraph& second, OpId b) {
  for (const Aspect& aspect : aspects) {
    const std::string one = aspect.said(first, a), other = aspect.said(second, b);
    if (aspect.only_if_both_say_it && (one.empty() || other.empty())) continue;
    if (one != other) return against(aspect.what, one, other);
  }
  return {};
}

std::string difference(const ConnectedGraph& first, OpId a, const ConnectedGraph& second, OpId b) {
  const Op& one = first.op(a);
  const Op& other = second.op(b);
  if (one.type != other.type)
    return against("the operation is", "`" + one.type + "`", "`" + other.type + "`");
  if (one.kind != other.kind)
    return against("`" + one.type + "` is a", to_string(one.kind), to_string(other.kind));
  std::string found = attribute_difference(one, other);
  if (found.empty()) found = difference_in(of_itself, first, a, second, b);
  if (found.empty()) found = operand_difference(first, a, second, b);
  if (found.empty()) found = difference_in(of_its_place, first, a, second, b);
  return found.empty() ? "it is in another branch or loop, or shares its weights with other ops"
                       : found;
}

/// How what the files say beside their ops differs, in words; empty where it does not.
std::string statement_difference(const ConnectedGraph& first, const ConnectedGraph& second) {
  constexpr std::size_t longest_shown = 40;
  std::map<std::string, std::pair<std::string, std::string>> said;
  for (const Statement& each : first.origin.statements) said[each.what].first = each.value;
  for (const Statement& each : second.origin.statements) said[each.what].second = each.value;
  for (const auto& [what, values] : said) {
    const auto& [one, other] = values;
    if (one == other) continue;
    const bool shown = std::max(one.size(), other.size()) <= longest_shown;
    return shown ? against("the " + what + " is", one, other) : "what differs is the " + what;
  }
  return {};
}

} // namespace

std::string hash_structure(const ConnectedGraph& graph) {
  Digest digest;
  for (const std::string& line : ir_lines(graph, IrStyle::canonical)) {
    digest.add(line);
    digest.add("\n");
  }
  for (const std::string& line : parameter_lines(graph)) {
    digest.add(line);
    digest.add("\n");
  }
  for (const auto& [what, value] : graph.origin.statements) {
    digest.add(what + " " + std::to_string(value.size()) + " ");
    digest.add(value);
  }
  return digest.text();
}

std::optional<StructuralDifference> structural_difference(const ConnectedGraph& first,
                                                          const ConnectedGraph& second) {
  const auto a = ir_lines(first, IrStyle::canonical);
  const auto b = ir_lines(second, IrStyle::canonical);
  const std::size_t common = std::min(a.size(), b.size());
  const auto at = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin()).first -
      a.begin());
  if (at < common) return StructuralDifference{at, at, difference(first, at, second, at)};
  if (a.size() > common) return StructuralDifference{at, none, "the second model ends here"};
  if (b.size() > common) return StructuralDifference{none, at, "the first model ends here"};
  if (parameter_lines(first) != parameter_lines(second))
    return StructuralDifference{none, none, "parameters that no op uses differ"};
  if (std::string other = statement_difference(first, second); !other.empty())
    return StructuralDifference{none, none, std::move(other)};
  return std::nullopt;
}

} // namespace model_validator
