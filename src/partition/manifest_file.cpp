#include "partition/manifest_file.h"

#include "report/atomic_file.h"
#include "report/json_text.h"

#include <model_validator/error.h>

#include <fstream>

namespace model_validator::partition {
namespace {

constexpr const char* schema = "model_validator-pieces/1";

Json to_json(const PieceValue& value) {
  Json shape;
  if (value.tensor.shape) {
    shape = Json::array();
    for (const std::int64_t size : *value.tensor.shape)
      shape.push_back(size < 0 ? Json() : Json(size));
  }
  return {{"name", value.name},
          {"type", value.type},
          {"shape", shape},
          {"dtype", value.tensor.dtype.empty() ? Json() : Json(value.tensor.dtype)}};
}

Json to_json(const std::vector<PieceValue>& values) {
  Json list = Json::array();
  for (const PieceValue& value : values) list.push_back(to_json(value));
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

Json to_json(const Piece& piece) {
  return {{"file", piece.file},
          {"target", piece.target},
          {"ops", piece.ops},
          {"inputs", to_json(piece.inputs)},
          {"outputs", to_json(piece.outputs)}};
}

PieceValue value_from(const Json& json) {
  PieceValue value{json.at("name"), json.at("type"), {}};
  if (!json.at("dtype").is_null()) value.tensor.dtype = json.at("dtype");
  if (json.at("shape").is_null()) return value;
  value.tensor.shape.emplace();
  for (const Json& size : json.at("shape"))
    value.tensor.shape->push_back(size.is_null() ? -1 : size.get<std::int64_t>());
  return value;
}

std::vector<PieceValue> values_from(const Json& json) {
  std::vector<PieceValue> values;
  for (const Json& value : json) values.push_back(value_from(value));
  return values;
}

ResultTree tree_from(const Json& json) {
  using Kind = ResultTree::Kind;
  ResultTree tree;
  if (json.is_null()) {
    tree.kind = Kind::none;
    return tree;
  }
  if (json.contains("value")) {
    tree.value = json.at("value");
    return tree;
  }
  for (const auto& [name, kind] : {std::pair("tuple", Kind::tuple), std::pair("list", Kind::list),
                                   std::pair("dict", Kind::dict)})
    if (json.contains(name)) {
      tree.kind = kind;
      for (const Json& item : json.at(name)) tree.items.push_back(tree_from(item));
    }
  if (json.contains("keys")) tree.keys = json.at("keys").get<std::vector<std::string>>();
  return tree;
}

/// A piece lies beside its manifest.
std::string file_from(const Json& json) {
  const std::filesystem::path file = json.at("file").get<std::string>();
  if (file.has_parent_path() || file.empty() || file == "..")
    throw std::invalid_argument("a piece lies elsewhere");
  return file.string();
}

Manifest manifest_from(const Json& json) {
  if (json.at("schema") != schema) throw std::invalid_argument("another schema");
  Manifest manifest{json.at("model"), json.at("format"), values_from(json.at("inputs")), {}, {}};
  for (const Json& piece : json.at("pieces"))
    manifest.pieces.push_back({file_from(piece), piece.at("target"), piece.at("ops"),
                               values_from(piece.at("inputs")), values_from(piece.at("outputs"))});
  manifest.result = tree_from(json.at("result"));
  return manifest;
}

} // namespace

Manifest read_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / manifest_name;
  std::ifstream stream(file);
  if (!stream) throw Error("not-found", file.string(), "there is no such file");
  try {
    return manifest_from(Json::parse(stream));
  } catch (const std::exception& failure) {
    throw Error("damaged-manifest", file.string(),
                std::string("this is no manifest of pieces: ") + failure.what(),
                "divide the model again");
  }
}

void write_manifest(const Manifest& manifest, const std::filesystem::path& folder) {
  Json json;
  json["schema"] = schema;
  json["model"] = manifest.model;
  json["format"] = manifest.format;
  json["inputs"] = to_json(manifest.inputs);
  json["pieces"] = Json::array();
  for (const Piece& piece : manifest.pieces) json["pieces"].push_back(to_json(piece));
  json["result"] = to_json(manifest.result);
  AtomicFile file(folder / manifest_name);
  file.stream() << json_text(json, 2) << "\n";
  file.commit();
}

} // namespace model_validator::partition
