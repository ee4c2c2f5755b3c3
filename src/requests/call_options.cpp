#include "requests/call_options.h"

#include "text/nearest.h"

#include <model_validator/error.h>

#include <iomanip>
#include <sstream>

namespace model_validator {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& name, const std::string& wanted) {
  throw Error(ErrorKind::bad_options, "", "the option `" + name + "` must be " + wanted);
}

void require_within(const Option& option, double number) {
  if (option.takes(number)) return;
  std::ostringstream bounds;
  bounds << std::setprecision(10) << "from " << option.bounds->least << " to "
         << option.bounds->greatest;
  refuse(option.call_name(), bounds.str());
}

void require_word(const Option& option, const std::string& word) {
  if (!option.takes(word))
    throw Error(ErrorKind::bad_options, "",
                "the option `" + option.call_name() + "` cannot be `" + word + "`",
                rules::suggestion(word, option.words));
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

const Json* CallOptions::find(const std::string& name) {
  known_.insert(name);
  const auto found = values_.find(name);
  return found == values_.end() || found->is_null() ? nullptr : &*found;
}

template <class T>
std::optional<T> CallOptions::value(const std::string& name, bool (Json::*is_one)() const noexcept,
                                    const char* wanted) {
  const Json* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!(value->*is_one)()) refuse(name, wanted);
  return value->get<T>();
}

std::optional<bool> CallOptions::flag(const std::string& name) {
  return value<bool>(name, &Json::is_boolean, "true or false");
}

std::optional<std::int64_t> CallOptions::integer(const std::string& name) {
  return value<std::int64_t>(name, &Json::is_number_integer, "a whole number");
}

std::optional<double> CallOptions::number(const std::string& name) {
  return value<double>(name, &Json::is_number, "a number");
}

std::optional<std::string> CallOptions::number_or_text(const std::string& name) {
  const Json* value = find(name);
  if (value != nullptr && value->is_number()) return value->dump();
  return text(name);
}

std::optional<std::string> CallOptions::text(const std::string& name) {
  return value<std::string>(name, &Json::is_string, "a string");
}

std::optional<std::vector<std::string>> CallOptions::texts(const std::string& name) {
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

std::optional<std::vector<std::filesystem::path>> CallOptions::paths(const std::string& name) {
  const auto all = texts(name);
  if (!all) return std::nullopt;
  return std::vector<std::filesystem::path>(all->begin(), all->end());
}

Json CallOptions::structure(const std::string& name) {
  const Json* value = find(name);
  if (value == nullptr) return nullptr;
  if (!value->is_structured()) refuse(name, "an object or a list");
  return *value;
}

std::uint64_t CallOptions::whole_number(const Option& option, std::int64_t number) const {
  require_within(option, static_cast<double>(number));
  if (number < 0) refuse(option.call_name(), "at least 0");
  return static_cast<std::uint64_t>(number);
}

std::map<std::string, std::string> CallOptions::table(const Option& option) {
  std::map<std::string, std::string> words;
  const Json given = structure(option.call_name());
  for (const auto& [key, value] : given.items()) {
    words[key] = value.is_string() ? value.get<std::string>() : value.dump();
    require_word(option, words[key]);
  }
  return words;
}

std::optional<Given> CallOptions::given(const Option& option, OptionKind kind) {
  const std::string name = option.call_name();
  if (find(name) == nullptr) return std::nullopt;
  switch (kind) {
  case OptionKind::flag: return *flag(name);
  case OptionKind::whole_number: return whole_number(option, *integer(name));
  case OptionKind::number: require_within(option, *number(name)); return *number(name);
  case OptionKind::text: require_word(option, *text(name)); return *text(name);
  case OptionKind::texts: return *texts(name);
  case OptionKind::table: return table(option);
  }
  return std::nullopt;
}

void CallOptions::visit(const Option& option, OptionKind kind, bool /*path*/,
                        const std::string& /*default_text*/, Set set) {
  if (const auto value = given(option, kind)) set(*value);
}

void CallOptions::require_all_known() const {
  for (const auto& [name, value] : values_.items())
    if (known_.count(name) == 0)
      throw Error(ErrorKind::bad_options, "", "there is no option `" + name + "`",
                  rules::suggestion(name, {known_.begin(), known_.end()}));
}

} // namespace model_validator
