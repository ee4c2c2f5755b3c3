#include "verify/flat_program/program_results.h"

#include <model_validator/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace model_validator::verify {
namespace {

using Json = nlohmann::json;
using ResultValues = std::vector<torch::jit::Value*>;

constexpr int max_result_depth = 64;

/// The keys of a dict, of a `ModelOutput`, of a named tuple; none for what has none.
std::vector<std::string> result_keys(const Json& node) {
  if (!node.at("context").is_string()) return {};
  const Json context = Json::parse(node["context"].get<std::string>(), nullptr, false);
  if (!context.is_array() || context.size() != node.at("children_spec").size()) return {};
  std::vector<std::string> keys;
  for (const Json& key : context)
    keys.push_back(key.is_string() ? key.get<std::string>() : key.dump());
  const bool distinct = std::set<std::string>(keys.begin(), keys.end()).size() == keys.size();
  return distinct ? keys : std::vector<std::string>{};
}

bool all_tensors(const ResultValues& values) {
  return std::all_of(values.begin(), values.end(), [](const torch::jit::Value* value) {
    return value->type()->kind() == c10::TypeKind::TensorType;
  });
}

class ResultBuilder {
public:
  ResultBuilder(torch::jit::Graph& graph, const ResultValues& leaves)
      : graph_(graph), leaves_(leaves) {}

  torch::jit::Value* build(const Json& node, int depth) {
    if (depth > max_result_depth)
      throw Error(ErrorKind::damaged_exported_program, "", "its results are nested too deeply",
                  "export the model again");
    if (node.at("type").is_null()) return next_leaf();
    ResultValues children;
    for (const Json& child : node.at("children_spec")) children.push_back(build(child, depth + 1));
    const std::string type = node["type"].get<std::string>();
    if (type == "builtins.list" && all_tensors(children) && !children.empty())
      return graph_.insertNode(graph_.createList(c10::TensorType::get(), children))->output();
    const auto keys = result_keys(node);
    if (keys.empty()) return graph_.insertNode(graph_.createTuple(children))->output();
    if (type != "collections.namedtuple" && all_tensors(children)) return dict(keys, children);
    return named_tuple(keys, children);
  }

private:
  torch::jit::Value* next_leaf() {
    if (next_ >= leaves_.size())
      throw Error(ErrorKind::damaged_exported_program, "",
                  "it returns fewer values than it says that it returns", "export the model again");
    return leaves_[next_++];
  }

  torch::jit::Value* dict(const std::vector<std::string>& keys, const ResultValues& values) {
    ResultValues names;
    for (const std::string& key : keys) names.push_back(graph_.insertConstant(key));
    return graph_
        .insertNode(
            graph_.createDict(c10::StringType::get(), c10::TensorType::get(), names, values))
        ->output();
  }

  torch::jit::Value* named_tuple(const std::vector<std::string>& keys, const ResultValues& values) {
    std::vector<c10::TypePtr> types;
    for (const torch::jit::Value* value : values) types.push_back(value->type());
    const auto type = c10::TupleType::createNamed(c10::QualifiedName("Results"), keys, types);
    return graph_.insertNode(graph_.createTuple(values, type))->output();
  }

  torch::jit::Graph& graph_;
  const ResultValues& leaves_;
  std::size_t next_ = 0;
};

} // namespace

torch::jit::Value* put_together(torch::jit::Graph& graph, const std::string& structure,
                                const ResultValues& leaves) {
  constexpr std::size_t tree = 1; // after the version
  if (!structure.empty())
    return ResultBuilder(graph, leaves).build(Json::parse(structure).at(tree), 0);
  return leaves.size() == 1 ? leaves[0] : graph.insertNode(graph.createTuple(leaves))->output();
}

} // namespace model_validator::verify
