#include "connected_graph/shapes/relations.h"

#include "connected_graph/shapes/relation.h"
#include "connected_graph/shapes/relation_text.h"

#include <model_validator/data/words.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace model_validator::shapes {
namespace {

using Known = std::unordered_map<std::string, std::vector<Relation>>;

std::string_view next_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

/// Reads `relation_text`.
Known all_relations() {
  Known known;
  std::vector<std::string_view> schemas, inputs;
  for (std::string_view text = relation_text; !text.empty();) {
    const std::string_view line = next_line(text);
    if (line.starts_with(' ')) {
      for (const std::string_view schema : schemas)
        known[std::string(schema)].emplace_back(line.substr(2), inputs);
      continue;
    }
    const std::size_t end = line.find(": ");
    if (end == std::string_view::npos) continue;
    const auto named = words_in(line.substr(0, end)), listed = words_in(line.substr(end + 2));
    schemas.assign(named.begin(), named.end());
    inputs.assign(listed.begin(), listed.end());
  }
  return known;
}

} // namespace

void check_relations(Inference& at) {
  static const Known known = all_relations();
  const std::string domain = at.node.domain.empty() ? "onnx" : std::string(at.node.domain);
  const auto found = known.find(domain + "::" + std::string(at.node.type));
  if (found == known.end()) return;
  for (const Relation& relation : found->second)
    if (const auto breach = relation.breach(at)) {
      const Fails fails = breach->inputs.empty() ? Fails::at_load : Fails::when_run;
      at.cannot_fit(breach->which, breach->sentence, breach->inputs, fails);
      return;
    }
}

} // namespace model_validator::shapes
