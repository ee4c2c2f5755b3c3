#include "verify/flat_program/program_writer.h"
#include "verify/run/op_name.h"

#include <model_validator/error.h>

#include <algorithm>
#include <limits>

// Higher-order operators: those that take graphs.

namespace model_validator::verify {
namespace {

using exported_program::Json;

constexpr std::size_t max_graph_depth = 64;
constexpr std::size_t max_condition_depth = 3; // each is written twice

const Json& graph_at(const Json& inputs, std::size_t position) {
  return inputs.at(position).at("arg").at("as_graph").at("graph");
}

[[noreturn]] void refuse_higher_order(const std::string& name, const std::string& reason) {
  throw Error(ErrorKind::not_runnable, "", "`" + name + "` cannot be run: " + reason,
              "verify the ONNX file made of the program");
}

[[noreturn]] void refuse_depth(const std::string& what) {
  throw Error(ErrorKind::damaged_exported_program, "", what + " are nested too deeply",
              "export the model again");
}

bool is_flag(const Json& inputs, std::size_t position, bool wanted) {
  const Json& argument = inputs.at(position).at("arg");
  return argument.contains("as_bool") && argument["as_bool"].get<bool>() == wanted;
}

} // namespace

void ProgramWriter::write_higher_order(const std::string& name, const Json& node,
                                       ProgramScope& scope) {
  const Json& inputs = node.at("inputs");
  Control written;
  if (name == "cond")
    written = write_condition(inputs, scope);
  else if (name == "while_loop")
    written = write_while(inputs, scope);
  else if (name == "map_impl")
    written = write_map(inputs, scope);
  else if (name == "scan")
    written = write_scan(inputs, scope);
  else if (name == "wrap_with_autocast" && !is_flag(inputs, 2, false))
    refuse_higher_order(name, "operators under autocast choose their dtypes while they run");
  else if (name.starts_with("wrap") || name == "strict_mode" || name == "invoke_subgraph" ||
           name == "tag_activation_checkpoint" || name == "hints_wrapper")
    written.results = write_region(inputs, scope);
  else
    refuse_higher_order(name, "only conditions, loops, `map`, `scan` and regions are");
  bind_each(node, written.results, scope);
  if (written.node != nullptr) name_control(node, *written.node);
}

/// A loop whose results are all stacked gives none itself.
void ProgramWriter::name_control(const Json& node, torch::jit::Node& control) {
  const auto results = results_.find(&node);
  if (results == results_.end()) return;
  if (const OpId op = results->second.at(0).op; op != none) set_op_name(control, ops_.op(op).name);
}

void ProgramWriter::bind_each(const Json& node, const Values& results, ProgramScope& scope) {
  std::size_t position = 0;
  std::size_t number = 0;
  for (const Json& output : node.at("outputs")) {
    const auto names = names_in(output);
    if (names.empty()) ++position; // `None`
    for (const std::string& name : names) {
      if (position >= results.size()) return;
      scope[name] = results[position];
      name_result(node, number++, *results[position++]);
    }
  }
}

ProgramWriter::Values ProgramWriter::operands_from(const Json& inputs, std::size_t first,
                                                   const ProgramScope& scope) {
  Values operands;
  for (std::size_t i = first; i < inputs.size(); ++i)
    for (Value* value : values_of(graph_, inputs[i].at("arg"), scope)) operands.push_back(value);
  return operands;
}

ProgramWriter::Values ProgramWriter::call(const Json& graph, const Values& arguments) {
  if (depth_ >= max_graph_depth) refuse_depth("its subgraphs");
  ++depth_;
  ProgramScope scope;
  std::size_t position = 0;
  for (const Json& input : graph.at("inputs")) {
    const Json& value = input.begin().value();
    if (position < arguments.size() && value.is_object())
      scope[value.value("name", value.value("as_name", ""))] = arguments[position];
    ++position;
  }
  write_nodes(graph, scope);
  Values results;
  for (const Json& output : graph.at("outputs"))
    for (Value* value : values_of(graph_, output, scope)) results.push_back(value);
  --depth_;
  return results;
}

/// Inputs: what decides, the graph of each arm, and what both are given.
ProgramWriter::Control ProgramWriter::write_condition(const Json& inputs,
                                                      const ProgramScope& scope) {
  Value* decides = as_condition(value_of(graph_, inputs.at(0).at("arg"), nullptr, scope));
  const Values operands = operands_from(inputs, 3, scope);
  auto* branch = graph_.insertNode(graph_.create(torch::jit::prim::If, {decides}, 0));
  for (const std::size_t arm : {1, 2}) {
    auto* block = branch->addBlock();
    const torch::jit::WithInsertPoint inside(block);
    for (Value* result : call(graph_at(inputs, arm), operands)) block->registerOutput(result);
  }
  if (branch->blocks()[0]->outputs().size() != branch->blocks()[1]->outputs().size())
    throw Error(ErrorKind::damaged_exported_program, "",
                "the arms of a condition return different numbers of values",
                "export the model again");
  for (const Value* result : branch->blocks()[0]->outputs())
    branch->addOutput()->setType(result->type());
  return {branch, branch->outputs().vec()};
}

/// Inputs: the graph that decides, the graph of an iteration, what iterations hand on, and what
/// stays the same.
ProgramWriter::Control ProgramWriter::write_while(const Json& inputs, const ProgramScope& scope) {
  const Values carried = values_of(graph_, inputs.at(2).at("arg"), scope);
  const Values same = operands_from(inputs, 3, scope);
  const auto decide = [&](Values values) {
    if (conditions_ >= max_condition_depth) refuse_depth("the conditions of its loops");
    ++conditions_;
    values.insert(values.end(), same.begin(), same.end());
    Value* decided = as_condition(call(graph_at(inputs, 0), values).at(0));
    --conditions_;
    return decided;
  };
  Value* most = graph_.insertConstant(std::numeric_limits<std::int64_t>::max());
  Values given{most, decide(carried)};
  given.insert(given.end(), carried.begin(), carried.end());
  auto* loop = graph_.insertNode(graph_.create(torch::jit::prim::Loop, given, 0));
  auto* block = loop->addBlock();
  block->addInput()->setType(c10::IntType::get());
  Values values;
  for (const Value* value : carried) values.push_back(block->addInput()->setType(value->type()));
  const torch::jit::WithInsertPoint inside(block);
  Values arguments = values;
  arguments.insert(arguments.end(), same.begin(), same.end());
  const Values results = call(graph_at(inputs, 1), arguments);
  block->registerOutput(decide(results));
  for (Value* result : results) block->registerOutput(result);
  for (const Value* value : carried) loop->addOutput()->setType(value->type());
  return {loop, loop->outputs().vec()};
}

/// Inputs: the graph, the tensors that are gone through, and what stays the same.
ProgramWriter::Control ProgramWriter::write_map(const Json& inputs, const ProgramScope& scope) {
  return iterate(graph_at(inputs, 0), {}, values_of(graph_, inputs.at(1).at("arg"), scope),
                 operands_from(inputs, 2, scope));
}

/// Inputs: the graph, what iterations hand on, the tensors that are gone through, and what stays
/// the same.
ProgramWriter::Control ProgramWriter::write_scan(const Json& inputs, const ProgramScope& scope) {
  return iterate(graph_at(inputs, 0), values_of(graph_, inputs.at(1).at("arg"), scope),
                 values_of(graph_, inputs.at(2).at("arg"), scope), operands_from(inputs, 3, scope));
}

/// Goes through tensors along their first dimension: a graph takes what the iterations hand on, a
/// slice of each tensor, and what stays the same; what it returns behind what is handed on is
/// stacked.
ProgramWriter::Control ProgramWriter::iterate(const Json& body, const Values& carried,
                                              const Values& sliced, const Values& same) {
  if (sliced.empty()) refuse_higher_order("map", "it goes through no tensor");
  const std::size_t results_of_body = body.at("outputs").size();
  const std::size_t stacked = results_of_body - std::min(carried.size(), results_of_body);
  Value* first = graph_.insertConstant(std::int64_t{0});
  Values lists;
  for (std::size_t i = 0; i < stacked; ++i)
    lists.push_back(graph_.insertNode(graph_.createList(c10::TensorType::get(), {}))->output());
  Values given{insert("aten::size", {sliced[0], first}), graph_.insertConstant(true)};
  given.insert(given.end(), carried.begin(), carried.end());
  auto* loop = graph_.insertNode(graph_.create(torch::jit::prim::Loop, given, 0));
  auto* block = loop->addBlock();
  Value* index = block->addInput()->setType(c10::IntType::get());
  Values arguments;
  for (const Value* value : carried) arguments.push_back(block->addInput()->setType(value->type()));
  {
    const torch::jit::WithInsertPoint inside(block);
    for (Value* tensor : sliced)
      arguments.push_back(insert("aten::select", {tensor, first, index}));
    arguments.insert(arguments.end(), same.begin(), same.end());
    const Values results = call(body, arguments);
    block->registerOutput(graph_.insertConstant(true));
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (i < carried.size())
        block->registerOutput(results[i]);
      else
        insert("aten::append", {lists.at(i - carried.size()), results[i]});
    }
  }
  for (const Value* value : carried) loop->addOutput()->setType(value->type());
  Control written{loop, loop->outputs().vec()};
  for (Value* list : lists) written.results.push_back(insert("aten::stack", {list, first}));
  return written;
}

/// A graph that runs under a setting which does not change what it computes here.
ProgramWriter::Values ProgramWriter::write_region(const Json& inputs, const ProgramScope& scope) {
  const auto graph = std::ranges::find_if(
      inputs, [](const Json& input) { return input.at("arg").contains("as_graph"); });
  if (graph == inputs.end()) refuse_higher_order("wrap", "it has no graph");
  const auto position = static_cast<std::size_t>(graph - inputs.begin());
  return call(graph_at(inputs, position), operands_from(inputs, position + 1, scope));
}

} // namespace model_validator::verify
