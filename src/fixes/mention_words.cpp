#include "fixes/mention_words.h"

#include <algorithm>
#include <array>

namespace model_validator::fixes {

bool is_like_name(std::string_view text) {
  return !text.starts_with('-') && text.find_first_of(" \n") == std::string_view::npos;
}

bool is_changed(const Node& use) {
  constexpr std::array givers = {"assignment", "augmented_assignment", "for_statement",
                                 "for_in_clause"};
  const Node around = use.parent();
  return around.is("delete_statement") ||
         (around.field("left") == use &&
          std::ranges::any_of(givers, [&](const char* kind) { return around.is(kind); }));
}

} // namespace model_validator::fixes
