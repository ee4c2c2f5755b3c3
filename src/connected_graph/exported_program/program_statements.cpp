#include "connected_graph/exported_program/program_statements.h"

#include "connected_graph/exported_program/program_sizes.h"

#include <map>
#include <string_view>

namespace model_validator::exported_program {
namespace {

/// Whether an argument is passed by place or by name; empty where the file does not say.
std::string kind_of(const Json& input) {
  const auto kind = input.find("kind");
  return kind == input.end() ? "" : kind->dump();
}

/// What a specification of an input or output says beside the name of its value.
std::string without_argument(Json specification) {
  for (auto& [kind, content] : specification.items())
    if (content.is_object()) content.erase("arg");
  return specification.dump() + ",";
}

/// Results that are constants, and what a specification says of those that are not the caller's.
std::string results_of(const Json& signature) {
  std::string results;
  for (const Json& spec : signature.at("output_specs"))
    if (const auto output = spec.find("user_output"); output != spec.end()) {
      const Json& argument = output->at("arg");
      results += (argument.contains("as_tensor") ? "tensor" : argument.dump()) + ",";
    } else {
      results += without_argument(spec);
    }
  return results;
}

/// Sizes as numbers and expressions, whose symbols are numbered as they appear.
std::string sizes_in_words(const std::vector<Json>& inputs) {
  std::map<std::string, std::size_t> symbols;
  std::string text;
  for (const Json& sizes : inputs)
    for (const Json& size : sizes) {
      const auto expression = size.find("as_expr");
      if (expression == size.end()) {
        text += size.dump() + ",";
        continue;
      }
      const std::string written = expression->at("expr_str");
      const std::string symbol = symbol_in(written);
      const auto number = symbols.try_emplace(symbol, symbols.size()).first->second;
      const auto at = symbol.empty() ? written.npos : written.find(symbol);
      text += at == written.npos
                  ? written
                  : std::string(written).replace(at, symbol.size(), "$" + std::to_string(number));
      text += ",";
    }
  return text;
}

} // namespace

void ProgramStatements::note_type(const Json& tensor) {
  if (!asked_) return;
  Json rest = tensor;
  rest.erase("sizes");
  if (rest.contains("strides") && rest["strides"].is_array())
    for (Json& stride : rest["strides"])
      if (stride.contains("as_expr")) stride = nullptr;
  rest_of_types_ += rest.dump();
}

void ProgramStatements::note_results(const Json& graph) {
  if (!asked_) return;
  const auto is_set = [](const Json& of, const char* flag) {
    const auto found = of.find(flag);
    return found != of.end() && *found == true;
  };
  unconverted_ += is_set(graph, "is_single_tensor_return") ? "one," : "list,";
  for (const Json& node : graph.at("nodes"))
    unconverted_ += is_set(node, "is_hop_single_tensor_return") ? "1" : "0";
}

void ProgramStatements::note_argument(const Json& input, bool in_graph) {
  if (!asked_) return;
  argument_names_ += input.value("name", "") + kind_of(input) + ",";
  if (!in_graph) unconverted_ += input.at("arg").dump();
}

void ProgramStatements::note_parameter(std::size_t argument, ParameterId parameter) {
  if (asked_)
    argument_names_ += std::to_string(argument) + " is " + std::to_string(parameter) + ",";
}

std::vector<Statement> ProgramStatements::of(const ProgramFile& source,
                                             const std::vector<Json>& input_sizes) && {
  if (!asked_) return {};
  const Json& program = source.program.at("graph_module");
  const Json& signature = program.at("signature");
  for (const Json& spec : signature.at("input_specs")) rest_of_types_ += without_argument(spec);
  for (const auto& [name, tensor] : source.tensors)
    rest_of_types_ += name + tensor.meta.dump() + tensor.rest.dump();
  std::vector<Statement> statements{
      {"list of results", results_of(signature)},
      {"rest of the types", std::move(rest_of_types_)},
      {"sizes of inputs", sizes_in_words(input_sizes)},
      {"names of operators' arguments", std::move(argument_names_)},
      {"rest of operators' arguments", std::move(unconverted_)},
  };
  for (const Json& call : program.value("module_call_graph", Json::array())) {
    const auto nesting = call.find("signature");
    if (call.at("fqn") != "" || nesting == call.end() || !nesting->is_object()) continue;
    statements.push_back({"nesting of arguments", nesting->value("in_spec", "")});
    statements.push_back({"nesting of results", nesting->value("out_spec", "")});
  }
  return statements;
}

} // namespace model_validator::exported_program
