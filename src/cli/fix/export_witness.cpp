#include "cli/fix/export_witness.h"

#include "cli/fix/export_witness_source.h"
#include "files/json_text.h"
#include "files/parsed_json.h"
#include "text/lists.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

namespace model_validator::cli {
namespace {

namespace fs = std::filesystem;

fs::path facts_file(const fs::path& output) { return output.string() + ".facts"; }

constexpr int deepest = 100;

ParsedJson parsed(const ExportFacts& facts) { return parse_json(facts.text, deepest); }

bool is_child(const ParsedJson& child) {
  return child.is_array() && child.size() == 2 && child[0].is_string() && child[1].is_string();
}

/// Whether these are facts as the witness writes them: what an export runs may write others.
bool are_of_witness(const ParsedJson& facts) {
  if (!facts.is_object()) return false;
  const auto children = facts.find("children"), scripted = facts.find("scripted");
  return children != facts.end() && children->is_array() && facts.contains("state") &&
         facts.contains("configurations") && facts["configurations"].is_object() &&
         scripted != facts.end() && scripted->is_boolean() &&
         std::ranges::all_of(*children, is_child);
}

/// The first of the children that an edit did not leave where it was; empty for none.
std::string moved_child(const nlohmann::json& before, const nlohmann::json& after) {
  auto there = after.begin();
  for (const nlohmann::json& child : before) {
    there = std::find(there, after.end(), child);
    if (there == after.end()) return child.at(0).get<std::string>();
  }
  return {};
}

/// What a network does beyond computing outputs, as digests.
struct Behaviour {
  const char* key;
  const char* difference;
  const char* holds;        ///< a line of the report; none: it is told with another
  const char* not_compared; ///< what is told where it is not known
};
constexpr std::array behaviours = {
    Behaviour{"random", "making it draws other random numbers", nullptr, nullptr},
    Behaviour{"step",
              "a step of training differs: its outputs, its gradients, the random state, or "
              "the state after it",
              "a step: outputs, gradients, random state and state are the same", "gradients"},
    Behaviour{"modes", "`train()` and `eval()` put its modules into other modes", nullptr, nullptr},
    Behaviour{"copies", "a deep copy, or a pickle there and back, computes something else",
              "a deep copy, and a pickle there and back, compute the same", "copies"},
    Behaviour{"dtypes",
              "in `double()`, in `bfloat16()` or under `autocast` it computes something else",
              "in `double()`, in `bfloat16()` and under `autocast` every bit is the same",
              "other dtypes"},
    Behaviour{"again", "it computes something else once a caller has written into its outputs",
              nullptr, nullptr},
    Behaviour{"compiled", "scripted, it computes something else", nullptr, nullptr}};

std::vector<std::string> configurations_tried(const nlohmann::json& known) {
  std::vector<std::string> tried;
  for (const auto& [name, digest] : known["configurations"].items())
    if (digest.is_array()) tried.push_back('`' + name + '`');
  return tried;
}

/// The first configuration that made a network before, and another one now.
std::string changed_configuration(const nlohmann::json& was, const nlohmann::json& is) {
  for (const auto& [name, digest] : was["configurations"].items())
    if (digest.is_array() && is["configurations"].value(name, nlohmann::json()) != digest)
      return name;
  return {};
}

} // namespace

void write_witness(const fs::path& folder, const verify::InputOptions& inputs) {
  const auto absolute = [](const fs::path& file) { return fs::absolute(file).string(); };
  const Json named{{"specs", inputs.specs}, {"files", json_array(inputs.files, absolute)}};
  std::ofstream(folder / "inputs.json", std::ios::binary) << json_text(named);
  std::ofstream(folder / "sitecustomize.py", std::ios::binary) << export_witness_source();
}

void call_witness(const fs::path& folder, const fs::path& output) {
  const char* known = std::getenv("PYTHONPATH"); // NOLINT: the process has one thread
  const std::string path = folder.string() + (known && *known ? ':' + std::string(known) : "");
  ::setenv("PYTHONPATH", path.c_str(), 1);                            // NOLINT
  ::setenv("MODEL_VALIDATOR_WITNESS", facts_file(output).c_str(), 1); // NOLINT
}

ExportFacts facts_of(const fs::path& output) {
  constexpr std::uint64_t most = std::uint64_t{64} << 20;
  ExportFacts facts{read_regular_file(facts_file(output), most).bytes};
  return are_of_witness(parsed(facts)) ? facts : ExportFacts();
}

std::string difference(const ExportFacts& before, const ExportFacts& after) {
  const nlohmann::json was = parsed(before), is = parsed(after);
  if (!was.is_object()) return {};
  if (!is.is_object()) return "the export no longer shows what it exports";
  if (const auto child = moved_child(was["children"], is["children"]); !child.empty())
    return "the child `" + child + "` has another class or place among the others";
  if (was["state"] != is["state"])
    return "a checkpoint of before would not load: the names, shapes or order of the `state_dict` "
           "differ";
  for (const Behaviour& each : behaviours)
    if (const auto known = was.find(each.key);
        known != was.end() && !known->is_null() && *known != is.value(each.key, nlohmann::json()))
      return each.difference;
  if (const auto other = changed_configuration(was, is); !other.empty())
    return "with `" + other + "`, the network has another state or other outputs";
  if (was["scripted"] == true && is["scripted"] == false)
    return "`torch.jit.script` compiled the network before, and does no longer";
  return {};
}

Compared compared(const ExportFacts& facts) {
  const nlohmann::json known = parsed(facts);
  Compared result;
  if (!known.is_object()) {
    result.not_compared = {"the order of children",
                           "checkpoints",
                           "gradients",
                           "copies",
                           "`torch.jit.script`",
                           "other configurations of the model"};
  } else {
    result.same = {{"children", "the same classes in the same order, but for the new ones"},
                   {"checkpoint", "one of before loads, with `strict=True`"}};
    for (const Behaviour& each : behaviours) {
      const bool has = known.contains(each.key) && !known[each.key].is_null();
      if (has && each.holds)
        result.same.emplace_back(each.key, each.holds);
      else if (!has && each.not_compared)
        result.not_compared.emplace_back(each.not_compared);
    }
    if (known["scripted"] == true)
      result.same.emplace_back("scripting", "`torch.jit.script` compiles the network as before");
    const std::vector<std::string> tried = configurations_tried(known);
    if (!tried.empty())
      result.same.emplace_back("configured", "every bit is the same with " + list_in_words(tried));
    result.not_compared.emplace_back(tried.empty() ? "other configurations of the model"
                                                   : "further configurations");
  }
  result.not_compared.emplace_back("code that neither the export nor `--prove-with` runs");
  return result;
}

} // namespace model_validator::cli
