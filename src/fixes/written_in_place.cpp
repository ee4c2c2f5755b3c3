#include "fixes/written_in_place.h"

#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>

namespace model_validator::fixes {
namespace {

constexpr std::array views = {"view",   "reshape", "permute", "transpose", "flatten",  "unbind",
                              "chunk",  "split",   "squeeze", "unsqueeze", "expand",   "select",
                              "narrow", "detach",  "t",       "unflatten", "swapaxes", "movedim"};
/// Methods that may return the tensor itself.
constexpr std::array same = {"contiguous", "to",   "type", "type_as", "float", "double", "half",
                             "bfloat16",   "long", "int",  "bool",    "cpu",   "cuda"};
/// Functions of Python that keep nothing.
constexpr std::array lookers = {"isinstance", "len",     "print", "type",
                                "id",         "hasattr", "int",   "float"};

/// Expressions and statements that read a value and keep nothing of it. A subscript makes a view,
/// which the model records.
constexpr std::array readers = {
    "subscript",        "binary_operator",      "unary_operator", "comparison_operator",
    "not_operator",     "if_statement",         "interpolation",  "return_statement",
    "assert_statement", "expression_statement", "slice",          "augmented_assignment"};

/// Whether a value is a new tensor, not a view of another.
bool is_fresh(const Node& value) {
  if (value.is("call")) return !contains(views, called_name(value));
  return value.is("binary_operator") || value.is("unary_operator");
}

/// Whether an assignment gives a new tensor to one name only.
bool makes_memory(const Node& made) {
  const Node value = made.field("right");
  return value && is_fresh(value) && !made.parent().is("assignment");
}

/// Whether one of the places was reached from a statement.
bool runs(const Node& statement, const std::vector<SourceLocation>& places) {
  return std::ranges::any_of(places, [&](const SourceLocation& place) {
    return place.line >= statement.first_line() && place.line <= statement.last_line();
  });
}

/// The first of nodes in the order of the file that does not begin before a place.
auto first_from(const std::vector<Node>& nodes, std::size_t place) {
  return std::ranges::partition_point(nodes,
                                      [&](const Node& node) { return node.begin() < place; });
}

/// Whether a function of torch makes a new tensor from its arguments.
bool makes_its_own(const Node& call, const Imports& imports) {
  const std::string function = imports.resolve(call.field("function").text());
  return function.starts_with("torch.") && !function.ends_with('_') &&
         !contains(views, called_name(call)) && function.find("dropout") == std::string::npos &&
         call.field("arguments").text().find("inplace") == std::string_view::npos;
}

/// Whether the result of a call replaces the tensor that it was given.
bool is_assigned_back(const Node& call, const std::string_view name) {
  const Node around = call.parent();
  return around.is("assignment") && around.field("right") == call &&
         around.field("left").text() == name;
}

bool call_keeps(const Node& call, const std::string_view name, const Imports& imports) {
  return !contains(lookers, called_name(call)) && !is_assigned_back(call, name) &&
         !makes_its_own(call, imports);
}

/// Whether an attribute of a tensor may be the tensor itself: the result of `x.relu_()`.
bool attribute_keeps(const Node& attribute, const std::string_view name) {
  const Node call = attribute.parent();
  if (!call.is("call") || call.field("function") != attribute) return false;
  const bool is_same_tensor =
      attribute.field("attribute").text().ends_with('_') || contains(same, called_name(call));
  return is_same_tensor && !is_assigned_back(call, name);
}

/// Whether a use of a name may keep its tensor under another: any use that is not known to keep
/// nothing.
bool keeps(const Node& use, const Imports& imports) {
  Node value = use;
  while (value.parent().is("parenthesized_expression")) value = value.parent();
  const Node around = value.parent();
  if (around.is("attribute")) return attribute_keeps(around, use.text());
  if (around.is("argument_list")) return call_keeps(around.parent(), use.text(), imports);
  if (around.is("keyword_argument"))
    return call_keeps(around.parent().parent(), use.text(), imports);
  if (around.is("assignment")) return around.field("right") == value;
  return !contains(readers, around.type());
}

/// Whether a use of a tensor writes into it, or stores it in an object.
bool is_written(const Node& use) {
  Node value = use;
  while (value.parent().is("parenthesized_expression") ||
         (value.parent().is("subscript") && value.parent().field("value") == value))
    value = value.parent();
  const Node around = value.parent();
  if (around.is("augmented_assignment")) return around.field("left") == value;
  if (around.is("keyword_argument")) return around.field("name").text() == "out";
  if (around.is("attribute")) {
    const std::string_view called = around.field("attribute").text();
    return around.parent().is("call") && called.ends_with('_') && !called.ends_with("__");
  }
  if (!around.is("assignment")) return false;
  return around.field("left") == value ? value != use : around.field("left").is("attribute");
}

} // namespace

NameUses::NameUses(const Node& function) {
  for (const char* type : {"assignment", "augmented_assignment"})
    for (const Node& made : function.all(type))
      made_[std::string(made.field("left").text())].push_back(made);
  for (auto& [name, made] : made_)
    std::ranges::sort(made, [](const Node& a, const Node& b) { return a.begin() < b.begin(); });
  for (const Node& use : function.all("identifier")) used_[std::string(use.text())].push_back(use);
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

bool is_written_or_stored(const Node& made, const Node& function) {
  const Node assignment = made.parent();
  const Node name = assignment.field("left");
  if (!assignment.is("assignment") || !name)
    return made.parent().is("attribute") && is_written(made);
  if (!name.is("identifier")) return name.is("attribute");
  const NameUses names(function);
  return std::ranges::any_of(
      names.between(std::string(name.text()), assignment.end(), function.end()), is_written);
}

std::string seen_elsewhere(const Node& augmented, const NameUses& names, const Imports& imports,
                           const Rewrite& rewrite) {
  const Node left = augmented.field("left");
  const std::string name(left.text());
  const std::string written = "it writes into `" + name + '`';
  if (!left.is("identifier")) return written + ", which a module would not";
  auto makers = names.made_before(name, augmented);
  std::erase_if(makers, [](const Node& made) { return made.is("augmented_assignment"); });
  if (makers.empty() || !statement_of(makers.back()).parent().contains(augmented))
    return "it writes into what the caller passed as `" + name + '`';
  if (!std::ranges::all_of(makers, makes_memory) ||
      std::ranges::none_of(makers,
                           [&](const Node& made) { return runs(made, rewrite.operand_made); }))
    return written + ", which is another tensor's memory";
  for (const Node& use : names.between(name, makers.back().end(), augmented.begin()))
    if (keeps(use, imports)) return written + ", which is kept elsewhere as well";
  if (rewrite.operand_read_later) return written + ", which is read under another name afterwards";
  return {};
}

} // namespace model_validator::fixes
