#include "cli/fix/export_witness.h"

#include "cli/fix/export_witness_source.h"
#include "files/parsed_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
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
         facts.contains("defaults") && scripted != facts.end() && scripted->is_boolean() &&
         std::all_of(children->begin(), children->end(), is_child);
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

} // namespace

void write_witness(const fs::path& folder) {
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
  if (!was["defaults"].is_null() && was["defaults"] != is["defaults"])
    return "with the defaults of its constructor, the network has another state or other outputs";
  if (was["scripted"] == true && is["scripted"] == false)
    return "`torch.jit.script` compiled the network before, and does no longer";
  return {};
}

Compared compared(const ExportFacts& facts) {
  const nlohmann::json known = parsed(facts);
  Compared result;
  if (!known.is_object()) {
    result.not_compared = {"the order of children", "checkpoints", "`torch.jit.script`",
                           "other configurations of the model"};
  } else {
    result.same = {{"children", "the same classes in the same order, but for the new ones"},
                   {"checkpoint", "one of before loads, with `strict=True`"}};
    if (known["scripted"] == true)
      result.same.emplace_back("scripting", "`torch.jit.script` compiles the network as before");
    if (!known["defaults"].is_null())
      result.same.emplace_back("defaults", "every bit is the same with the constructor's defaults");
    result.not_compared = {known["defaults"].is_null() ? "other configurations of the model"
                                                       : "configurations but these two"};
  }
  result.not_compared.emplace_back("code that the export does not run");
  return result;
}

} // namespace model_validator::cli
