#include "requests/model_request.h"

#include <algorithm>

namespace model_validator {

Reading reading_of(const ModelRequest& request) {
  // Member by member: GCC 12 destroys the members of an aggregate twice where a later one throws.
  Reading reading;
  for (const CalledModel& model : request.models) reading.models.push_back(model.path);
  reading.beside = request.beside();
  reading.writable = request.writable;
  reading.policy = request.limits.policy();
  reading.options = request.read;
  return reading;
}

const std::vector<ModelCommand>& model_commands() {
  static const std::vector<ModelCommand> all{
      {"graph",
       {{"MODEL", "the file; `-` reads standard input"}},
       true,
       {"format", "FORMAT", "json or dot (for Graphviz)", {"json", "dot"}},
       {"json", "dot", "code"},
       nullptr,
       false,
       nullptr,
       make_graph_request},
      {"inspect",
       {{"MODEL", "the file"}},
       false,
       {"output-format", "FORMAT", "table or json", {"table", "json"}},
       {"json", "table", "ir", "typed-ir", "ranges"},
       nullptr,
       false,
       nullptr,
       make_inspect_request},
      {"diff",
       {{"A", "a model"}, {"B", "the other"}},
       false,
       {"output-format", "FORMAT", "text, json, or html: a page", {"text", "json", "html"}},
       {"json", "text"},
       nullptr,
       false,
       nullptr,
       make_diff_request},
      {"partition",
       {{"MODEL", "the file"}},
       false,
       {"output-format", "FORMAT", "table, json, or html: a page", {"table", "json", "html"}},
       {"json", "table"},
       "list all lines of Python",
       true,
       "Exit status: 0 divided, 1 with --fallback none: an op runs nowhere, 2 usage or "
       "unreadable file, 3 internal error.",
       make_partition_request},
      {"quantise-plan",
       {{"MODEL", "the file, not quantised"}},
       false,
       {"output-format", "FORMAT", "table or json", {"table", "json"}},
       {"json", "table"},
       "list every node",
       false,
       nullptr,
       make_quantise_plan_request},
  };
  return all;
}

const ModelCommand* find_model_command(std::string_view name) {
  const auto found =
      std::ranges::find_if(model_commands(), [&](const auto& each) { return each.name == name; });
  return found == model_commands().end() ? nullptr : &*found;
}

} // namespace model_validator
