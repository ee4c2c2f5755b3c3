#include "fixes/function_mentions.h"

#include "fixes/mention_words.h"
#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>

namespace model_validator::fixes {
namespace {

/// Whether a call replaces what a name stands for: `monkeypatch.setattr(F, "relu", own)`.
bool replaces(const Node& call) {
  const std::string_view callee = call.field("function").text();
  return callee.find("setattr") != std::string_view::npos ||
         callee.find("patch") != std::string_view::npos;
}

/// A number or a truth, which is no function, names none, and takes none away.
bool is_setting(const Node& value) {
  return value.is("integer") || value.is("float") || value.is("true") || value.is("false");
}

/// `net.F.relu`, and what is behind the name in `f"{name}.relu"`; not `.torch`, which is a folder.
bool is_dotted_name(const Node& text) {
  const bool is_behind_name =
      std::ranges::any_of(text.parent().all("interpolation"),
                          [&](const Node& name) { return name.end() == text.begin(); });
  return (is_behind_name || !text.text().starts_with('.')) &&
         std::ranges::all_of(text.text(),
                             [](char letter) { return is_of_name(letter) || letter == '.'; });
}

/// `import_module("einops.layers.torch")`
bool is_name_of_import(const Node& text) {
  constexpr auto& importing = word_array<"__import__ import_module importorskip optional_import">;
  return contains(importing, called_name(text.around("call")));
}

/// `{"demucs.gelu": False}`
bool is_key_of_setting(const Node& text) {
  const Node pair = text.parent().parent();
  return pair.is("pair") && pair.field("key") == text.parent() && is_setting(pair.field("value"));
}

bool is_replaced_by_text(const Node& text, const std::string& name, bool computes_names) {
  if (!is_dotted_name(text) || is_key_of_setting(text) || is_name_of_import(text)) return false;
  if (text.text() != name) return text.text().ends_with('.' + name);
  const Node subscript = text.parent().parent();
  return computes_names || replaces(text.around("call")) ||
         (subscript.is("subscript") && is_changed(subscript) &&
          !is_setting(subscript.parent().field("right")));
}

/// `F.relu = own`; not `layer.pad = False`.
bool is_replaced(const Node& use) {
  const Node attribute = use.parent();
  if (!attribute.is("attribute") || attribute.field("attribute") != use) return false;
  return (is_changed(attribute) || is_changed(attribute.parent())) &&
         !is_setting(attribute.parent().field("right")) && !owner_of(attribute.field("object"));
}

} // namespace

std::vector<Node> function_mentions(const Touched& touched, SourceIndex& index) {
  std::vector<Node> found;
  for (const Node& root : index.roots_naming(touched.name)) {
    for (const Node& use : root.identifiers(touched.name))
      if (is_replaced(use)) found.push_back(use.parent());
    const bool computes_names = sets_computed_names(root.text());
    for (const Node& text : root.all("string_content"))
      if (is_replaced_by_text(text, touched.name, computes_names)) found.push_back(text);
  }
  return found;
}

} // namespace model_validator::fixes
