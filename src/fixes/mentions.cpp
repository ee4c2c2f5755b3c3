#include "fixes/mentions.h"

#include "fixes/attribute_mentions.h"
#include "fixes/class_mentions.h"
#include "fixes/function_mentions.h"
#include "fixes/mention_words.h"
#include "fixes/python/text_edit.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>

namespace model_validator::fixes {
namespace {

/// Code that reads what a constructor was called with from its frame, as Lightning does.
bool reads_arguments(std::string_view line) {
  constexpr auto& ways = word_array<"save_hyperparameters( currentframe( _getframe(">;
  return has_any_of(line, ways);
}

/// Whether a line of a notebook or a configuration may name an attribute or replace a function.
bool is_mentioned_in(std::string_view line, const Touched& touched) {
  const bool of_function = touched.kind == Touched::Kind::function;
  if (touched.kind == Touched::Kind::type) return false;
  return any_whole_name(line, touched.name, [&](std::string_view before, std::string_view behind) {
    const auto next = behind.find_first_not_of(' ');
    const bool given = next != std::string_view::npos && behind.substr(next).starts_with('=') &&
                       !behind.substr(next).starts_with("==");
    const bool quoted = !before.empty() && contains({'"', '\''}, before.back());
    const bool patched = line.find("patch") != std::string_view::npos ||
                         line.find("setattr") != std::string_view::npos;
    const bool dotted = before.ends_with('.');
    if (of_function) return (dotted && given) || (patched && (quoted || dotted));
    return quoted || (dotted && !behind.starts_with('('));
  });
}

std::vector<Node> nodes_of(const Touched& touched, SourceIndex& index) {
  switch (touched.kind) {
  case Touched::Kind::attribute:
  case Touched::Kind::modules:
  case Touched::Kind::shared:
  case Touched::Kind::value: return attribute_mentions(touched, index);
  case Touched::Kind::function: return function_mentions(touched, index);
  case Touched::Kind::type: return class_mentions(touched.type, index);
  case Touched::Kind::written: return name_mentions(touched.name, index);
  case Touched::Kind::signature: break;
  }
  return {};
}

} // namespace

const std::vector<Mention>& Mentions::of(const Touched& touched) {
  const Node kept = touched.type ? index_.kept(touched.type) : Node();
  const Key key{touched.kind, touched.name, kept ? key_of(kept) : ClassKey()};
  const auto [entry, fresh] = known_.try_emplace(key);
  std::vector<Mention>& found = entry->second;
  if (!fresh) return found;
  if (touched.kind == Touched::Kind::signature) return found = index_.lines_where(reads_arguments);
  for (const Node& each :
       nodes_of({touched.kind, touched.name, kept ? kept : touched.type}, index_))
    found.push_back(mention_of(index_.path_of(each), each.first_line(),
                               line_around(each.source(), each.begin())));
  for (const auto& [path, text] : index_.other_texts(touched.name))
    add_lines_where(
        path, *text, [&](auto line) { return is_mentioned_in(line, touched); }, found);
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

} // namespace model_validator::fixes
