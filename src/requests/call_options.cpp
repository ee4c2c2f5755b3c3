#include "requests/call_options.h"

#include "rules/nearest.h"

#include <model_validator/error.h>

namespace model_validator {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const char* name, const char* wanted) {
  throw Error(ErrorKind::bad_options, "",
              std::string("the option `") + name + "` must be " + wanted);
}

} // namespace

Json parse_json(std::string_view text, const std::string& what) {
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded()) throw Error(ErrorKind::bad_options, "", what + " are not valid JSON");
  return value;
}

CallOptions::CallOptions(std::string_view text)
    : values_(text.empty() ? Json::object() : parse_json(text, "the options")) {
  if (!values_.is_object())
    throw Error(ErrorKind::bad_options, "", "the options are not a JSON object");
}

const Json* CallOptions::find(const char* name) {
  known_.insert(name);
  const auto found = values_.find(name);
  return found == values_.end() || found->is_null() ? nullptr : &*found;
}

std::optional<bool> CallOptions::flag(const char* name) {
  const Json* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_boolean()) refuse(name, "true or false");
  return value->get<bool>();
}

std::optional<std::int64_t> CallOptions::integer(const char* name) {
  const Json* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number_integer()) refuse(name, "a whole number");
  return value->get<std::int64_t>();
}

std::optional<double> CallOptions::number(const char* name) {
  const Json* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) refuse(name, "a number");
  return value->get<double>();
}

std::optional<std::string> CallOptions::text(const char* name) {
  const Json* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) refuse(name, "a string");
  return value->get<std::string>();
}

std::optional<std::vector<std::string>> CallOptions::texts(const char* name) {
  const Json* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return std::vector{value->get<std::string>()};
  if (!value->is_array()) refuse(name, "a string or a list of strings");
  std::vector<std::string> all;
  for (const Json& item : *value) {
    if (!item.is_string()) refuse(name, "a string or a list of strings");
    all.push_back(item.get<std::string>());
  }
  return all;
}

std::optional<std::vector<std::filesystem::path>> CallOptions::paths(const char* name) {
  const auto all = texts(name);
  if (!all) return std::nullopt;
  return std::vector<std::filesystem::path>(all->begin(), all->end());
}

Json CallOptions::structure(const char* name) {
  const Json* value = find(name);
  if (value == nullptr) return nullptr;
  if (!value->is_structured()) refuse(name, "an object or a list");
  return *value;
}

void CallOptions::require_all_known() const {
  for (const auto& [name, value] : values_.items())
    if (known_.count(name) == 0)
      throw Error(ErrorKind::bad_options, "", "there is no option `" + name + "`",
                  rules::suggestion(name, {known_.begin(), known_.end()}));
}

} // namespace model_validator
