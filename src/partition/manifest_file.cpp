#include "partition/manifest_file.h"

#include "files/json_text.h"
#include "files/plain_file.h"

#include <ostream>

namespace model_validator::partition {
namespace {

Json to_json(const SubgraphValue& value) {
  Json json{{"name", value.name},
            {"type", value.type},
            {"shape", shape_json(value.tensor.shape)},
            {"dtype", text_or_null(value.tensor.dtype)}};
  if (!value.constant.empty()) json["constant"] = value.constant;
  return json;
}

Json to_json(const std::vector<SubgraphValue>& values) {
  Json list = Json::array();
  for (const SubgraphValue& value : values) list.push_back(to_json(value));
  return list;
}

Json to_json(const ResultTree& tree) {
  using Kind = ResultTree::Kind;
  if (tree.kind == Kind::value) return {{"value", tree.value}};
  if (tree.kind == Kind::none) return {};
  Json items = Json::array();
  for (const ResultTree& item : tree.items) items.push_back(to_json(item));
  const char* name = tree.kind == Kind::tuple ? "tuple" : tree.kind == Kind::list ? "list" : "dict";
  Json json{{name, items}};
  if (!tree.keys.empty()) json["keys"] = tree.keys;
  return json;
}

Json to_json(const Subgraph& subgraph) {
  return {{"file", subgraph.file},
          {"target", subgraph.target},
          {"ops", subgraph.ops},
          {"hash", subgraph.hash},
          {"inputs", to_json(subgraph.inputs)},
          {"outputs", to_json(subgraph.outputs)}};
}

} // namespace

void write_manifest(const Manifest& manifest, const std::filesystem::path& folder) {
  Json json;
  json["schema"] = manifest_schema;
  json["model"] = manifest.model;
  json["format"] = manifest.format;
  json["recorded"] = manifest.recorded;
  json["inputs"] = to_json(manifest.inputs);
  json["subgraphs"] = Json::array();
  for (const Subgraph& subgraph : manifest.subgraphs)
    json["subgraphs"].push_back(to_json(subgraph));
  json["result"] = to_json(manifest.result);
  write_plain_file(folder / manifest_name,
                   [&](std::ostream& out) { out << json_text(json, 2) << "\n"; });
}

} // namespace model_validator::partition
