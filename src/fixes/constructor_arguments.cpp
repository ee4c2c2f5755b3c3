#include "fixes/constructor_arguments.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

bool has_parameter(const NnClass& type, std::string_view marked_name) {
  return std::find(type.arguments.begin(), type.arguments.end(), marked_name) !=
         type.arguments.end();
}

/// The parameter, with its mark, that an argument is for; empty where there is none.
std::string_view parameter_of(const NnClass& type, const GivenArgument& given, std::size_t place) {
  if (given.name.empty())
    return place < type.arguments.size() ? type.arguments[place] : std::string_view{};
  const auto found =
      std::find_if(type.arguments.begin(), type.arguments.end(), [&given](std::string_view each) {
        return each.substr(each.find_first_not_of("*-")) == given.name;
      });
  return found == type.arguments.end() ? std::string_view{} : *found;
}

bool takes(std::string_view parameter, const Node& value) {
  const bool guesses_dim = parameter == "dim" && value.is("none");
  return !parameter.empty() && !parameter.starts_with('-') && is_literal(value) && !guesses_dim;
}

void append(std::string& list, const std::string& item) {
  if (!list.empty()) list += ", ";
  list += item;
}

} // namespace

std::optional<std::string> constructor_arguments(const NnClass& type,
                                                 const std::vector<GivenArgument>& behind_tensor,
                                                 bool in_place, std::string_view mode) {
  std::string text;
  bool follows_mode = false;
  bool named = false;
  for (std::size_t i = 0; i < behind_tensor.size(); ++i) {
    const std::string_view value = behind_tensor[i].value.text();
    std::string_view parameter = parameter_of(type, behind_tensor[i], i);
    if (parameter == "-training" && value == mode) {
      follows_mode = true;
      continue;
    }
    if (!takes(parameter, behind_tensor[i].value)) return std::nullopt;
    named = named || !parameter.starts_with('*');
    if (parameter.starts_with('*')) parameter.remove_prefix(1);
    append(text, (named ? std::string(parameter) + '=' : "") + std::string(value));
  }
  const bool needs_dim = has_parameter(type, "-_stacklevel");
  if (has_parameter(type, "-training") != follows_mode ||
      (needs_dim && text.find("dim=") == std::string::npos))
    return std::nullopt;
  if (!in_place) return text;
  if (!has_parameter(type, "inplace")) return std::nullopt;
  append(text, "inplace=True");
  return text;
}

} // namespace model_validator::fixes
