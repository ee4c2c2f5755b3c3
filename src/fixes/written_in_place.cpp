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

template <std::size_t N> bool is_one_of(const std::array<const char*, N>& names, const Node& call) {
  return std::find(names.begin(), names.end(), called_name(call)) != names.end();
}

/// Whether a value is a tensor of its own, and no view of another.
bool is_fresh(const Node& value) {
  if (value.is("call")) return !is_one_of(views, value);
  return value.is("binary_operator") || value.is("unary_operator");
}

/// Whether an assignment gives a tensor of its own to one name alone.
bool makes_memory(const Node& made) {
  const Node value = made.field("right");
  return value && is_fresh(value) && !made.parent().is("assignment");
}

/// Whether one of the places was reached from a statement.
bool runs(const Node& statement, const std::vector<SourceLocation>& places) {
  return std::any_of(places.begin(), places.end(), [&](const SourceLocation& place) {
    return place.line >= statement.first_line() && place.line <= statement.last_line();
  });
}

/// The first of nodes in the order of the file that does not begin before a place.
auto first_from(const std::vector<Node>& nodes, std::size_t place) {
  return std::partition_point(nodes.begin(), nodes.end(),
                              [&](const Node& node) { return node.begin() < place; });
}

bool keeps(const Node& use) {
  const Node around = use.parent();
  if (around.is("yield") || around.is("list") || around.is("tuple") || around.is("pair") ||
      around.is("expression_list"))
    return true;
  if (around.is("assignment")) return around.field("right") == use;
  return around.is("argument_list") && around.parent().is("call") &&
         is_one_of(keepers, around.parent());
}

} // namespace

NameUses::NameUses(const Node& function) {
  for (const char* type : {"assignment", "augmented_assignment"})
    for (const Node& made : all_of(function, type))
      made_[std::string(made.field("left").text())].push_back(made);
  for (auto& [name, made] : made_)
    std::sort(made.begin(), made.end(),
              [](const Node& a, const Node& b) { return a.begin() < b.begin(); });
  for (const Node& use : all_of(function, "identifier"))
    used_[std::string(use.text())].push_back(use);
}

std::vector<Node> NameUses::made_before(const std::string& name, const Node& place) const {
  const auto made = made_.find(name);
  if (made == made_.end()) return {};
  std::vector<Node> found;
  for (auto next = first_from(made->second, place.begin()); next != made->second.begin();) {
    found.push_back(*--next);
    if (next->is("assignment") && statement_of(*next).parent().contains(place)) break;
  }
  return found;
}

std::vector<Node> NameUses::between(const std::string& name, std::size_t begin,
                                    std::size_t end) const {
  const auto used = used_.find(name);
  if (used == used_.end()) return {};
  return {first_from(used->second, begin), first_from(used->second, end)};
}

std::string seen_elsewhere(const Node& augmented, const NameUses& names, const Rewrite& rewrite) {
  const Node left = augmented.field("left");
  const std::string name(left.text());
  const std::string written = "it writes into `" + name + '`';
  if (!left.is("identifier")) return written + ", which a module would not";
  auto makers = names.made_before(name, augmented);
  std::erase_if(makers, [](const Node& made) { return made.is("augmented_assignment"); });
  if (makers.empty() || !statement_of(makers.back()).parent().contains(augmented))
    return "it writes into what the caller passed as `" + name + '`';
  if (!std::all_of(makers.begin(), makers.end(), makes_memory) ||
      std::none_of(makers.begin(), makers.end(),
                   [&](const Node& made) { return runs(made, rewrite.operand_made); }))
    return written + ", which is another tensor's memory";
  for (const Node& use : names.between(name, makers.back().end(), augmented.begin()))
    if (keeps(use)) return written + ", which is kept elsewhere as well";
  if (rewrite.operand_read_later) return written + ", which is read under another name afterwards";
  return {};
}

} // namespace model_validator::fixes
