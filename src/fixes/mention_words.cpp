#include "fixes/mention_words.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

namespace model_validator::fixes {

bool is_like_name(std::string_view text) {
  return !text.starts_with('-') && text.find_first_of(" \n") == std::string_view::npos;
}

bool is_changed(const Node& use) {
  constexpr auto& givers =
      word_array<"assignment augmented_assignment for_statement for_in_clause">;
  constexpr auto& patterns =
      word_array<"list_pattern list_splat_pattern pattern_list tuple_pattern">;
  Node target = use;
  while (contains(patterns, target.parent().type())) target = target.parent();
  const Node around = target.parent();
  return around.is("delete_statement") || around.is("as_pattern_target") ||
         (around.field("left") == target && contains(givers, around.type()));
}

} // namespace model_validator::fixes
