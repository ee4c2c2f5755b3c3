#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utf8proc.h>

namespace model_validator {

/// One character of a text; `value` is negative for a byte that is not UTF-8.
struct CodePoint {
  std::int32_t value;
  std::string_view bytes;
};

template <class Visit> void for_each_code_point(std::string_view text, Visit visit) {
  while (!text.empty()) {
    utf8proc_int32_t value = -1;
    const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &value);
    const std::size_t step = size > 0 ? static_cast<std::size_t>(size) : 1;
    visit(CodePoint{size > 0 ? value : -1, text.substr(0, step)});
    text.remove_prefix(step);
  }
}

} // namespace model_validator
