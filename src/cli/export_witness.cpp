#include "cli/export_witness.h"

#include "cli/export_witness_source.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace model_validator::cli {
namespace {

namespace fs = std::filesystem;

fs::path facts_file(const fs::path& output) { return output.string() + ".facts"; }

nlohmann::json parsed(const ExportFacts& facts) {
  return nlohmann::json::parse(facts.text, nullptr, false);
}

bool has(const nlohmann::json& facts, const char* name) {
  return facts.is_object() && facts.contains(name) && !facts[name].is_null();
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
  std::ifstream file(facts_file(output), std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return {text.str()};
}

std::string difference(const ExportFacts& before, const ExportFacts& after) {
  const nlohmann::json was = parsed(before), is = parsed(after);
  if (!was.is_object()) return {};
  if (!is.is_object()) return "the export no longer shows what it exports";
  if (has(was, "children") && has(is, "children"))
    if (const auto child = moved_child(was["children"], is["children"]); !child.empty())
      return "the child `" + child + "` has another class or place among the others";
  if (was.value("state", nlohmann::json()) != is.value("state", nlohmann::json()))
    return "a checkpoint of before would not load: the names, shapes or order of the `state_dict` "
           "differ";
  if (has(was, "defaults") && was["defaults"] != is.value("defaults", nlohmann::json()))
    return "with the defaults of its constructor, the network has another state or other outputs";
  if (was.value("scripted", false) && !is.value("scripted", false))
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
    if (known.value("scripted", false))
      result.same.emplace_back("scripting", "`torch.jit.script` compiles the network as before");
    if (has(known, "defaults"))
      result.same.emplace_back("defaults", "every bit is the same with the constructor's defaults");
    result.not_compared = {has(known, "defaults") ? "configurations but these two"
                                                  : "other configurations of the model"};
  }
  result.not_compared.emplace_back("code that the export does not run");
  return result;
}

} // namespace model_validator::cli
