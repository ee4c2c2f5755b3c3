#include "connected_graph/torchscript/file/operator_tables.h"

#include <model_validator/error.h>
#include <model_validator/target_profile.h>

#include <toml++/toml.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <filesystem>
#include <mutex>
#include <vector>

namespace model_validator::torchscript {
namespace {

/// Names of the operators that only tables describe.
std::set<std::string>& described() {
  static std::set<std::string> names;
  return names;
}

std::mutex& registering() {
  static std::mutex mutex;
  return mutex;
}

bool is_known(const std::string& name) {
  return !torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(name)).empty();
}

[[noreturn]] void bad_table(const std::filesystem::path& file, const std::string& why) {
  throw Error(ErrorKind::bad_operator_table, file.string(), why,
              "write `schemas = [\"namespace::name(Tensor x) -> Tensor\"]`");
}

/// Where a well-known package keeps the library of its operators.
std::string example_for(const std::string& name) {
  if (name.starts_with("torchvision::"))
    return ", here `_C.so` in the folder of the Python package torchvision";
  return {};
}

std::vector<std::string> schemas_of(const std::filesystem::path& file) {
  std::vector<std::string> schemas;
  try {
    const toml::table table = toml::parse_file(file.string());
    const toml::array* entries = table["schemas"].as_array();
    if (entries == nullptr) bad_table(file, "the operator table has no `schemas`");
    for (const toml::node& entry : *entries) {
      if (!entry.is_string()) bad_table(file, "a schema is not a string");
      schemas.push_back(entry.as_string()->get());
    }
  } catch (const toml::parse_error& error) {
    bad_table(file,
              std::string("the operator table is not TOML: ") + std::string(error.description()));
  }
  return schemas;
}

// Only through TorchScript's registry, not the dispatcher's: a library with the real operator may
// be loaded later, and the dispatcher aborts the process on a second definition.
void register_schema(const std::string& schema, const std::string& name) {
  const auto refuse = [name](torch::jit::Stack&) {
    throw Error(ErrorKind::unknown_operator, "",
                "operator `" + name +
                    "` cannot run: what it computes is in a library that was not "
                    "loaded",
                "name that library with `--op-library FILE`" + example_for(name));
  };
  torch::jit::registerOperator(torch::jit::Operator(schema, torch::jit::Operation(refuse),
                                                    c10::AliasAnalysisKind::FROM_SCHEMA));
  described().insert(name);
}

void register_table(const std::string& name_space) {
  const std::filesystem::path file = rules_folder() / "operators" / (name_space + ".toml");
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return;
  for (const std::string& text : schemas_of(file)) {
    try {
      const std::string name = torch::jit::parseSchema(text).name();
      if (!is_known(name)) register_schema(text, name);
    } catch (const std::exception&) {
      bad_table(file, "`" + text + "` is not an operator schema");
    }
  }
}

} // namespace

void register_missing_operators(const std::set<std::string>& names) {
  const std::lock_guard lock(registering());
  for (const std::string& name : names)
    if (!is_known(name)) register_table(name.substr(0, name.find("::")));
}

bool is_only_described(const std::string& name) {
  const std::lock_guard lock(registering());
  return described().count(name) != 0;
}

} // namespace model_validator::torchscript
