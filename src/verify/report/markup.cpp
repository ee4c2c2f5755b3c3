#include "verify/report/markup.h"

#include "text/escape.h"

namespace model_validator::verify {

std::string markup(std::string_view text) {
  std::string result;
  for (const char c : escape_lines(text)) {
    switch (c) {
    case '&': result += "&amp;"; break;
    case '<': result += "&lt;"; break;
    case '>': result += "&gt;"; break;
    case '"': result += "&quot;"; break;
    case '\'': result += "&#39;"; break;
    default: result += c;
    }
  }
  return result;
}

} // namespace model_validator::verify
