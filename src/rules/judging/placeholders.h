#pragma once

#include <boost/algorithm/string/replace.hpp>

#include <initializer_list>
#include <string>
#include <utility>

namespace model_validator::rules {

/// `text` with each placeholder, such as `{operator}`, replaced by its value.
inline std::string filled(std::string text,
                          std::initializer_list<std::pair<const char*, std::string>> values) {
  for (const auto& [placeholder, value] : values)
    boost::algorithm::replace_all(text, placeholder, value);
  return text;
}

} // namespace model_validator::rules
