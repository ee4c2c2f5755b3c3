#include "fixes/written_in_place.h"

#include "fixes/scope.h"

#include <algorithm>
#include <array>

namespace model_validator::fixes {
namespace {

constexpr std::array views = {"view",   "reshape", "permute", "transpose", "flatten",  "unbind",
                              "chunk",  "split",   "squeeze", "unsqueeze", "expand",   "select",
                              "narrow", "detach",  "t",       "unflatten", "swapaxes", "movedim"};
constexpr std::array keepers = {"append", "extend", "insert", "setdefault"};

std::string last_name(const Node& callee) {
  return std::string(callee.is("attribute") ? callee.field("attribute").text() : callee.text());
}

template <std::size_t N> bool is_one_of(const std::array<const char*, N>& names, const Node& call) {
  const std::string name = last_name(call.field("function"));
  return std::any_of(names.begin(), names.end(), [&](const char* each) { return name == each; });
}

/// Whether a value is a tensor of its own, and no view of another.
bool is_fresh(const Node& value) {
  if (value.is("call")) return !is_one_of(views, value);
  return value.is("binary_operator") || value.is("unary_operator");
}

/// The last assignment to a name before a place.
Node made_before(const Node& function, std::string_view name, std::size_t before) {
  Node found;
  for (const char* type : {"assignment", "augmented_assignment"})
    for (const Node& made : all_of(function, type)) {
      if (made.begin() >= before || made.field("left").text() != name) continue;
      if (!found || made.begin() > found.begin()) found = made;
    }
  return found;
}

bool keeps(const Node& use) {
  const Node around = use.parent();
  if (around.is("list") || around.is("tuple") || around.is("pair") || around.is("expression_list"))
    return true;
  if (around.is("assignment")) return around.field("right") == use;
  return around.is("argument_list") && around.parent().is("call") &&
         is_one_of(keepers, around.parent());
}

} // namespace

std::string seen_elsewhere(const Node& augmented, const Node& function) {
  const Node left = augmented.field("left");
  const std::string name(left.text());
  if (!left.is("identifier")) return "it writes into `" + name + "`, which a module would not";
  const Node made = made_before(function, name, augmented.begin());
  if (!made) return "it writes into what the caller passed as `" + name + '`';
  if (made.is("assignment") && !(made.field("right") && is_fresh(made.field("right"))))
    return "it writes into `" + name + "`, which is another tensor's memory";
  for (const Node& use : all_of(function, "identifier"))
    if (use.text() == name && use.begin() > made.end() && use.end() < augmented.begin() &&
        keeps(use))
      return "it writes into `" + name + "`, which is kept elsewhere as well";
  return {};
}

} // namespace model_validator::fixes
