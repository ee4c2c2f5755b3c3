#include "fixes/child_visibility.h"

#include "fixes/container.h"
#include "fixes/module_words.h"
#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace model_validator::fixes {
namespace {

constexpr std::array walks = {"children", "named_children", "modules", "named_modules"};

/// Functions of packages that show the graph of a network, or run its children one after another.
constexpr auto& graphs =
    word_array<"symbolic_trace create_feature_extractor get_graph_node_names "
               "IntermediateLayerGetter prepare_fx prepare_qat_fx Tracer GraphModule "
               "register_module_forward_hook register_module_forward_pre_hook "
               "register_module_full_backward_hook">;

/// Packages that treat the modules of a network by their classes, so that a function is nothing to
/// them and a module is; and what torch's quantiser does that to.
constexpr std::array by_class = {"captum.", "pytorch_grad_cam.", "nncf.", "brevitas.", "zennit."};
constexpr std::array torch_quantisers = {"torch.ao.quantization.", "torch.quantization."};
constexpr std::array quantises = {"prepare",      "prepare_qat",      "convert",
                                  "quantize",     "quantize_qat",     "propagate_qconfig_",
                                  "fuse_modules", "fuse_modules_qat", "swap_module"};

bool goes_by_class(const std::string& called) {
  const auto begins = [&called](const char* package) { return called.starts_with(package); };
  if (std::ranges::any_of(by_class, begins)) return true;
  return std::ranges::any_of(torch_quantisers, begins) &&
         contains(quantises, std::string_view(called).substr(called.rfind('.') + 1));
}

/// What any file with such code holds one of.
constexpr auto& words =
    word_array<"children modules( ._modules \"_modules\" '_modules' .apply( named_apply( "
               "getmembers( (dir( globals(). create_feature_extractor symbolic_trace LayerGetter "
               "graph_node_names prepare_fx( prepare_qat_fx( Tracer( GraphModule( register_module_ "
               "ao.quantization torch.quantization captum pytorch_grad_cam nncf brevitas zennit "
               "\"modules\" 'modules' \"named_ 'named_">;
constexpr std::array words_with_spaces = {" dir(", "ao import quantization",
                                          ".__call__ =", ".forward ="};

/// Whether a text asks for `vars(…)` or `….__dict__` of anything but `self`.
bool lists_variables(std::string_view text) {
  return any_place(text, "vars(",
                   [text](std::size_t, std::size_t end) {
                     return !text.substr(end).starts_with("self");
                   }) ||
         any_place(text, ".__dict__", [text](std::size_t at, std::size_t) {
           return !text.substr(0, at).ends_with("self") && !text.substr(0, at).ends_with(')');
         });
}

bool may_look(std::string_view text) {
  return has_any_of(text, words) || has_any_of(text, words_with_spaces) || lists_variables(text);
}

/// `list(…)` of an expression, and of what else gives the same in turn.
Node in_turn(Node expression) {
  for (;;) {
    const Node call = expression.parent().parent();
    const bool wraps =
        expression.parent().is("argument_list") && call.is("call") &&
        contains({"list", "tuple", "reversed", "set", "iter"}, call.field("function").text());
    if (!wraps) return expression;
    expression = call;
  }
}

/// The names that a loop gives the module, and what it is held by.
std::optional<Turn> turn_of(const Node& element, bool named) {
  Turn turn;
  if (!named) {
    if (!element.is("identifier")) return std::nullopt;
    turn.module = element.text();
    return turn;
  }
  const auto parts = element.children();
  if (parts.size() != 2) return std::nullopt;
  turn.name = parts.front().text();
  turn.module = parts.back().text();
  return turn;
}

bool is_look_up(const Node& use) {
  const Node around = use.parent();
  if (around.is("subscript"))
    return around.field("value") == use && !(around.parent().field("left") == around) &&
           !around.parent().is("delete_statement") && !around.field("subscript").is("slice");
  if (around.is("attribute"))
    return around.field("object") == use && around.field("attribute").text() == "get";
  return around.is("comparison_operator") && around.children().back() == use;
}

/// `dict(net.named_modules())["fc"]`, and of a variable that is only asked by names.
bool is_asked_by_name(const Node& table) {
  if (is_look_up(table)) return true;
  const Node around = table.parent();
  if (!around.is("assignment") || !(around.field("right") == table) ||
      !around.field("left").is("identifier"))
    return false;
  for (const Node& use : scope_of(table).identifiers(around.field("left").text()))
    if (!(use == around.field("left")) && !is_named_field(use) && !is_look_up(use)) return false;
  return true;
}

/// Reads what code does with modules that a call such as `net.named_modules()` gives.
class WalkReader {
public:
  WalkReader(const Imports& imports, Asked& asked) : imports_(imports), asked_(asked) {}

  bool leaves_alone(const Node& call) {
    const bool named = called_name(call).starts_with("named_");
    const Node given = in_turn(call);
    const Node around = given.parent();
    if (around.is("for_statement") && around.field("right") == given) {
      auto turn = turn_of(around.field("left"), named);
      if (turn && called_name(call) == "named_children")
        turn->holder = call.field("function").field("object").text();
      return turn && !has_else(around) &&
             leave_alone(around.field("body"), *turn, imports_, asked_) &&
             !is_read_behind(around, *turn);
    }
    if (around.is("for_in_clause") && around.field("right") == given)
      return comprehension(around, named);
    return named && around.is("argument_list") &&
           around.parent().field("function").text() == "dict" && is_asked_by_name(around.parent());
  }

private:
  static bool has_else(const Node& loop) {
    const auto parts = loop.children();
    return !parts.empty() && parts.back().is("else_clause");
  }

  /// What a loop ends with is another module when there is one more.
  static bool is_read_behind(const Node& loop, const Turn& turn) {
    for (const std::string& name : {turn.module, turn.name})
      for (const Node& use : scope_of(loop).identifiers(name)) {
        if (use.begin() < loop.end()) continue;
        const Node around = use.parent();
        const bool given = (around.is("for_statement") || around.is("for_in_clause") ||
                            around.is("assignment") || around.is("pattern_list")) &&
                           (around.is("pattern_list") || around.field("left") == use);
        if (given) break;
        if (!is_named_field(use) && !in_comprehension(use)) return true;
      }
    return false;
  }

  static bool in_comprehension(const Node& use) {
    for (Node around = use.parent(); around; around = around.parent())
      if (is_comprehension(around)) return true;
    return false;
  }

  /// `… for m in net.modules() if isinstance(m, nn.Conv2d)`
  bool comprehension(const Node& clause, bool named) {
    const Node around = clause.parent();
    const auto turn = turn_of(clause.field("left"), named);
    if (!turn) return false;
    const Node body = around.field("body");
    for (const Node& part : around.children()) {
      if (part.begin() < clause.end()) continue;
      if (part.is("if_clause") && excludes(part.children().front(), *turn, imports_, asked_))
        return true;
      if (part.is("for_in_clause") && runs_over_weights(part.field("right"), *turn)) return true;
    }
    const Node call =
        around.parent().is("argument_list") ? around.parent().parent() : around.parent();
    if (call.field("function").text() == "any") return excludes(body, *turn, imports_, asked_);
    return around.is("dictionary_comprehension") && named && body.is("pair") &&
           body.field("key").text() == turn->name && body.field("value").text() == turn->module &&
           is_asked_by_name(around);
  }

  static bool runs_over_weights(const Node& over, const Turn& turn) {
    constexpr std::array weights = {"parameters", "named_parameters", "buffers", "named_buffers"};
    return over.is("call") && over.field("function").field("object").text() == turn.module &&
           contains(weights, called_name(over));
  }

  const Imports& imports_;
  Asked& asked_;
};

/// Finds the looks of one file.
class Finder {
public:
  Finder(const Node& root, SourceIndex& index)
      : root_(root), index_(index), imports_(index.imports_of(root)) {}

  std::vector<ChildLook> find() {
    for (const Node& call : root_.all("call")) look_at_call(call);
    for (const Node& attribute : root_.all("attribute")) look_at_attribute(attribute);
    for (const Node& text : root_.all("string")) look_at_text(text);
    return std::move(found_);
  }

private:
  void add(const Node& code, Asked asked = {}, const Node& of_class = {}) {
    asked.nothing = asked.nothing || (asked.classes.empty() && asked.names.empty());
    found_.push_back({code, of_class, std::move(asked)});
  }

  /// The class whose instances' children `self.children()` gives.
  static Node own_class(const Node& object, bool deep) {
    return object.text() == "self" && !deep ? object.around("class_definition") : Node();
  }

  void look_at_call(const Node& call) {
    const std::string_view name = called_name(call);
    const Node callee = call.field("function");
    if (contains(graphs, name) || goes_by_class(imports_.resolve(callee.text()))) return add(call);
    if (callee.is("attribute") && contains(walks, name)) return look_at_walk(call);
    const auto given = call.field("arguments").children();
    if (callee.is("attribute") && name == "apply" && given.size() == 1)
      return look_at_apply(call, last_name_of(callee.field("object")), given.front());
    if (name == "named_apply" && given.size() > 1)
      return look_at_apply(call, given[1].text(), given.front());
    if (lists_members(call) || lists_names_of_file(call)) add(call);
  }

  /// `dir(net)`, `inspect.getmembers(models)`
  bool lists_members(const Node& call) const {
    const auto given = call.field("arguments").children();
    const bool lists = call.field("function").text() == "dir" || called_name(call) == "getmembers";
    return lists && !given.empty() && !given.front().is("string") && !is_of_torch(given.front()) &&
           !is_plain_self(given.front());
  }

  bool is_of_torch(const Node& object) const {
    const std::string full = imports_.resolve(object.text());
    return full == "torch" || full.starts_with("torch.") || full.starts_with("torchvision.");
  }

  /// `models.__dict__`, other than `models.__dict__[name]`
  bool is_dictionary_of_file(const Node& attribute) const {
    return attribute.field("attribute").text() == "__dict__" &&
           !attribute.parent().is("subscript") && is_file(attribute.field("object"));
  }

  /// Whether a name is an import of anything but torch.
  bool is_file(const Node& object) const {
    return !imports_.resolve(object.text()).empty() && !is_of_torch(object);
  }

  /// `vars(models).items()`, `globals().values()`: a class that the file imports is among them.
  bool lists_names_of_file(const Node& call) const {
    constexpr std::array lists = {"items", "values", "keys"};
    const Node around = call.parent();
    if (!around.is("attribute") || !contains(lists, around.field("attribute").text())) return false;
    const std::string_view name = call.field("function").text();
    const auto given = call.field("arguments").children();
    return name == "globals" || (name == "vars" && given.size() == 1 && is_file(given.front()));
  }

  void look_at_walk(const Node& call) {
    const Node object = call.field("function").field("object");
    if (call.field("arguments").children().size() > 1 || object.text() == "sys") return;
    const bool deep = called_name(call).ends_with("modules");
    if (is_told(call) || (!deep && is_container(object, index_))) return;
    Asked asked;
    const bool alone = WalkReader(imports_, asked).leaves_alone(call);
    if (alone && asked.classes.empty() && asked.names.empty() && !asked.puts_back) return;
    asked.nothing = !alone;
    found_.push_back({call, own_class(object, deep), std::move(asked)});
  }

  /// `print(len(list(net.modules())))`
  static bool is_told(const Node& look) {
    for (Node around = look.parent(); around && !around.is("expression_statement");
         around = around.parent())
      if (around.is("call") && is_output(around)) return true;
    return false;
  }

  /// `net.apply(init)`, and timm's `named_apply(init, net)`; `Function.apply(x)` of autograd is
  /// another.
  void look_at_apply(const Node& call, std::string_view to, const Node& done) {
    if (to.empty() || std::isupper(static_cast<unsigned char>(to.front())) != 0) return;
    Asked asked;
    const auto functions = known_functions(done);
    const bool alone = !functions.empty() && std::ranges::all_of(functions, [&](const Node& each) {
      return fixes::leaves_alone(each, imports_, asked);
    });
    if (alone && asked.classes.empty() && asked.names.empty()) return;
    asked.nothing = !alone;
    found_.push_back({call, {}, std::move(asked)});
  }

  void look_at_attribute(const Node& attribute) {
    const std::string_view name = attribute.field("attribute").text();
    const Node object = attribute.field("object");
    const Node around = attribute.parent();
    if (is_dictionary_of_file(attribute)) return add(attribute);
    if (name == "_modules" && !is_spelt_look_up(attribute))
      return add(attribute, {}, own_class(object, false));
    // A method of all modules that is kept for later, or replaced.
    const bool called = around.is("call") && around.field("function") == attribute;
    const bool kept = around.is("assignment") || around.is("argument_list");
    if (contains(walks, name) && name != "modules" && kept && !called && object.text() != "self")
      return add(attribute);
    const bool given = around.is("assignment") && around.field("left") == attribute;
    if (given && imports_.resolve(object.text()).starts_with("torch.nn")) add(attribute);
  }

  /// `net._modules["fc"]`
  static bool is_spelt_look_up(const Node& children) {
    const Node around = children.parent();
    return around.is("subscript") && around.field("subscript").is("string") && is_look_up(children);
  }

  /// `getattr(net, "children")`, `vars(net)["_modules"]`, `methodcaller("modules")`
  void look_at_text(const Node& text) {
    const auto name = literal_text(text);
    if (!name || (*name != "_modules" && !contains(walks, std::string_view(*name)))) {
      if (is_part_of_walk(text)) add(text);
      return;
    }
    const Node around = text.parent();
    const Node call = around.is("argument_list") ? around.parent() : Node();
    const bool asks = call && (asks_by_name(call) || called_name(call) == "get");
    if (asks || (*name == "_modules" && around.is("subscript")) || is_kept_for_later(text))
      add(text);
  }

  /// `getattr(net, …)`, `methodcaller(…)`
  static bool asks_by_name(const Node& call) {
    const std::string_view name = called_name(call);
    return name.find("attr") != std::string_view::npos || name == "methodcaller";
  }

  /// `getattr(net, "named_" + kind)`: a text that a name is computed from.
  static bool is_part_of_walk(const Node& text) {
    const std::string_view quoted = text.text();
    const bool begins = quoted.find("named_") != std::string_view::npos;
    if (!begins && quoted.find("child") == std::string_view::npos &&
        quoted.find("modules") == std::string_view::npos)
      return false;
    for (Node around = text.parent(); around; around = around.parent()) {
      if (around.is("call") && asks_by_name(around)) return !(text.parent().parent() == around);
      if (around.is("block") || around.is("lambda")) return false;
    }
    return false;
  }

  /// `walk = "named_children"`, in a file that asks objects for names which it computes.
  bool is_kept_for_later(const Node& text) {
    if (text.parent().is("expression_statement")) return false;
    if (!asks_for_computed_) {
      asks_for_computed_ = std::ranges::any_of(root_.all("call"), [](const Node& call) {
        const auto given = call.field("arguments").children();
        return called_name(call) == "getattr" && given.size() > 1 && !given[1].is("string") &&
               given.front().text() != "torch" && given.front().text() != "nn" &&
               given.front().text() != "F";
      });
    }
    return *asks_for_computed_;
  }

  /// `self` of a class that is no module.
  static bool is_plain_self(const Node& name) {
    const Node type = name.around("class_definition");
    return name.text() == "self" && type && type.field("superclasses").children().empty();
  }

  Node root_;
  SourceIndex& index_;
  const Imports& imports_;
  std::vector<ChildLook> found_;
  std::optional<bool> asks_for_computed_;
};

/// Whether one of the texts is a part of a name, or the other way round.
bool is_like(const std::set<std::string>& texts, std::string name) {
  const auto lower = [](std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return std::tolower(letter); });
    return text;
  };
  name = lower(name);
  return std::ranges::any_of(texts, [&](const std::string& each) {
    const std::string text = lower(each);
    return name.find(text) != std::string::npos || text.find(name) != std::string::npos;
  });
}

} // namespace

const std::vector<ChildLook>& ChildVisibility::looks() {
  if (looks_) return *looks_;
  looks_.emplace();
  for (const Node& root : index_.roots_where(may_look)) {
    auto found = Finder(root, index_).find();
    looks_->insert(looks_->end(), found.begin(), found.end());
  }
  return *looks_;
}

/// Whether what is put back into an instance of the family may become more than its child: by its
/// own `add_module`, or since it is of one of the classes that others take the place of.
bool ChildVisibility::takes_otherwise(const ClassFamily& family,
                                      const std::set<std::string>& replaced) {
  for (const Node& type : index_.members_of(family)) {
    if (is_like(replaced, name_of(type))) return true;
    for (const Node& base : type.field("superclasses").children())
      if (last_name_of(base) != "Module" &&
          family.classes.count(std::string(last_name_of(base))) == 0)
        return true;
  }
  return family.methods.count("add_module") != 0;
}

std::vector<Node> ChildVisibility::noticing(const ClassFamily& family, const NewChild& child) {
  std::vector<Node> found;
  for (const ChildLook& look : looks()) {
    if (look.of_class && family.members.count(key_of(look.of_class)) == 0 &&
        family.classes.count(name_of(look.of_class)) == 0)
      continue;
    if (look.asked.nothing || is_like(look.asked.classes, child.type) ||
        is_like(look.asked.names, child.name) ||
        (look.asked.puts_back && takes_otherwise(family, look.asked.classes)))
      found.push_back(look.code);
  }
  return found;
}

} // namespace model_validator::fixes
