#include "files/parsed_json.h"
#include "partition/manifest_file.h"

#include <model_validator/error.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace model_validator::partition {
namespace {

/// Parsed, JSON takes up to thirty times its length.
constexpr std::uint64_t max_manifest_size = std::uint64_t{16} << 20;
constexpr int max_manifest_depth = 10'000; // that of a result is told apart
constexpr int max_result_depth = 200;

/// What is wrong with a manifest, as text.
class Damage : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string quoted(const std::string& name) { return "`" + name + "`"; }

const ParsedJson& member(const ParsedJson& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) throw Damage(quoted(key) + " is missing");
  return object.at(key);
}

std::string text_of(const ParsedJson& json, const char* what) {
  if (!json.is_string()) throw Damage(quoted(what) + " is not text");
  return json.get<std::string>();
}

std::string text(const ParsedJson& object, const char* key) {
  return text_of(member(object, key), key);
}

std::string text_or_nothing(const ParsedJson& object, const char* key) {
  return !object.contains(key) || object.at(key).is_null() ? "" : text(object, key);
}

const ParsedJson& list_of(const ParsedJson& json, const char* what) {
  if (!json.is_array()) throw Damage(quoted(what) + " is not a list");
  return json;
}

const ParsedJson& list(const ParsedJson& object, const char* key) {
  return list_of(member(object, key), key);
}

std::size_t count(const ParsedJson& object, const char* key) {
  const ParsedJson& json = member(object, key);
  if (!json.is_number_unsigned()) throw Damage(quoted(key) + " is not a count");
  return json.get<std::size_t>();
}

/// False where it is not told.
bool flag(const ParsedJson& object, const char* key) {
  if (!object.contains(key)) return false;
  if (!object.at(key).is_boolean()) throw Damage(quoted(key) + " is neither true nor false");
  return object.at(key).get<bool>();
}

std::int64_t size_from(const ParsedJson& json) {
  if (json.is_null()) return -1;
  if (!json.is_number_integer()) throw Damage("`shape` has something other than sizes");
  return json.get<std::int64_t>();
}

SubgraphValue value_from(const ParsedJson& json) {
  SubgraphValue value{text(json, "name"), text(json, "type"), {}};
  value.tensor.dtype = text_or_nothing(json, "dtype");
  value.constant = text_or_nothing(json, "constant");
  if (member(json, "shape").is_null()) return value;
  value.tensor.shape.emplace();
  for (const ParsedJson& size : list(json, "shape")) value.tensor.shape->push_back(size_from(size));
  return value;
}

std::vector<SubgraphValue> values_from(const ParsedJson& object, const char* key) {
  std::vector<SubgraphValue> values;
  for (const ParsedJson& value : list(object, key)) values.push_back(value_from(value));
  return values;
}

/// A subgraph is in its manifest's folder.
std::string file_from(const ParsedJson& json) {
  const std::string name = text(json, "file");
  const std::filesystem::path file = name;
  if (name.empty() || name == "." || name == ".." || file.has_parent_path())
    throw Damage("the subgraph " + quoted(name) + " does not lie in the folder");
  return name;
}

Subgraph subgraph_from(const ParsedJson& json) {
  return {file_from(json),
          text(json, "target"),
          count(json, "ops"),
          values_from(json, "inputs"),
          values_from(json, "outputs"),
          text_or_nothing(json, "hash")};
}

bool is_whole_number(const std::string& key) {
  const std::size_t sign = key.starts_with('-') ? 1 : 0;
  constexpr std::size_t max_digits = 18;
  return key.size() > sign && key.size() <= max_digits + sign &&
         std::all_of(key.begin() + static_cast<std::ptrdiff_t>(sign), key.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

bool is_key_of_dict(const std::string& key) {
  return (key.size() >= 2 && key.front() == '\'' && key.back() == '\'') || is_whole_number(key);
}

std::vector<std::string> keys_from(const ParsedJson& json, const ResultTree& tree) {
  std::vector<std::string> keys;
  if (json.contains("keys"))
    for (const ParsedJson& key : list(json, "keys")) keys.push_back(text_of(key, "keys"));
  const bool dict = tree.kind == ResultTree::Kind::dict;
  if (keys.size() != tree.items.size() && (dict || !keys.empty()))
    throw Damage("`result` does not have as many `keys` as values");
  if (dict && !std::all_of(keys.begin(), keys.end(), is_key_of_dict))
    throw Damage("`result` has a key that is neither a quoted word nor a whole number");
  return keys;
}

ResultTree tree_from(const ParsedJson& json, int depth = 0) {
  using Kind = ResultTree::Kind;
  if (depth > max_result_depth) throw Damage("`result` is nested too deep");
  ResultTree tree;
  if (json.is_null()) {
    tree.kind = Kind::none;
    return tree;
  }
  if (json.is_object() && json.contains("value")) {
    tree.value = text(json, "value");
    return tree;
  }
  for (const auto& [name, kind] : {std::pair("tuple", Kind::tuple), std::pair("list", Kind::list),
                                   std::pair("dict", Kind::dict)})
    if (json.is_object() && json.contains(name)) {
      tree.kind = kind;
      for (const ParsedJson& item : list(json, name))
        tree.items.push_back(tree_from(item, depth + 1));
      tree.keys = keys_from(json, tree);
      return tree;
    }
  throw Damage("`result` is neither a value, a tuple, a list, a dict nor null");
}

Manifest manifest_from(const ParsedJson& json) {
  const std::string schema = text(json, "schema");
  if (schema != manifest_schema)
    throw Damage("its schema is " + quoted(schema) + ", not " + quoted(manifest_schema));
  Manifest manifest{text(json, "model"), text(json, "format"), values_from(json, "inputs"), {}, {}};
  manifest.recorded = flag(json, "recorded");
  for (const ParsedJson& subgraph : list(json, "subgraphs"))
    manifest.subgraphs.push_back(subgraph_from(subgraph));
  manifest.result = tree_from(member(json, "result"));
  return manifest;
}

void require_given(const ResultTree& tree, const std::set<std::string>& given) {
  if (tree.kind == ResultTree::Kind::value && given.count(tree.value) == 0)
    throw Damage("nothing gives the result " + quoted(tree.value));
  for (const ResultTree& item : tree.items) require_given(item, given);
}

/// Every value that a subgraph takes, or the result holds, is a model input or was produced before.
void require_order_of_running(const Manifest& manifest) {
  std::set<std::string> given;
  for (const SubgraphValue& input : manifest.inputs) given.insert(input.name);
  for (const Subgraph& subgraph : manifest.subgraphs) {
    for (const SubgraphValue& input : subgraph.inputs)
      if (given.count(input.name) == 0)
        throw Damage("nothing gives the value " + quoted(input.name) + " before " +
                     quoted(subgraph.file) + " takes it");
    for (const SubgraphValue& output : subgraph.outputs) given.insert(output.name);
  }
  require_given(manifest.result, given);
}

ParsedJson parse(const std::filesystem::path& path) {
  const FileText text = read_regular_file(path, max_manifest_size);
  if (!text.why_not.empty()) throw Damage(text.why_not);
  ParsedJson json = parse_json(text.bytes, max_manifest_depth);
  if (json.is_discarded()) throw Damage("it is not JSON");
  return json;
}

} // namespace

Manifest read_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / manifest_name;
  if (!std::filesystem::exists(file))
    throw Error(ErrorKind::not_found, folder.string(), "the folder holds no manifest.json",
                "name a folder that `model_validator partition --emit` wrote");
  try {
    Manifest manifest = manifest_from(parse(file));
    require_order_of_running(manifest);
    return manifest;
  } catch (const Damage& damage) {
    throw Error(ErrorKind::damaged_manifest, file.string(),
                std::string("this is not a manifest of subgraphs: ") + damage.what(),
                "divide the model again");
  }
}

} // namespace model_validator::partition
