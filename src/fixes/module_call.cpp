#include "fixes/module_call.h"

#include "fixes/call_arguments.h"
#include "fixes/nn_classes.h"
#include "fixes/torch_parameters.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace model_validator::fixes {
namespace {

using Form = Operation::Form;
using Arguments = std::vector<GivenArgument>;

constexpr std::string_view functional = "torch.nn.functional.";

const std::map<std::string_view, std::string_view>& operator_texts() {
  static const std::map<std::string_view, std::string_view> texts = {
      {"add", "+"},         {"sub", "-"},        {"mul", "*"},           {"div", "/"},
      {"matmul", "@"},      {"pow", "**"},       {"floor_divide", "//"}, {"remainder", "%"},
      {"bitwise_and", "&"}, {"bitwise_or", "|"}, {"bitwise_xor", "^"},   {"lt", "<"},
      {"gt", ">"},          {"le", "<="},        {"ge", ">="},           {"eq", "=="},
      {"ne", "!="},
  };
  return texts;
}

/// Makes the edits of one call.
class Rewriter {
public:
  Rewriter(const Operation& operation, const CallContext& context)
      : operation_(operation), rewrite_(context.rewrite), compiled_(context.compiled),
        node_(operation.node), self_(context.self), callee_(context.callee) {}

  ModuleCall make() {
    switch (operation_.form) {
    case Form::binary: operands(node_.field("left"), node_.field("right")); break;
    case Form::comparison: operands(node_.children().front(), node_.children().back()); break;
    case Form::augmented: augmented(); break;
    case Form::unary: sign(); break;
    case Form::function:
    case Form::method: call(); break;
    }
    return std::move(result_);
  }

private:
  void refuse(std::string reason) { result_ = {{}, {}, {}, std::move(reason)}; }

  void replace(std::size_t begin, std::size_t end, std::string text) {
    result_.edits.push_back({begin, end, std::move(text), 0});
  }
  /// `return-x` and `return(x + y)` are Python.
  bool follows_word(std::size_t at) const {
    const std::string& source = node_.source();
    return at > 0 &&
           (std::isalnum(static_cast<unsigned char>(source[at - 1])) != 0 || source[at - 1] == '_');
  }

  /// What opens a longer expression comes first.
  void open(const Node& around, std::string text) {
    const auto rank = -static_cast<std::ptrdiff_t>(around.end());
    if (follows_word(around.begin())) text.insert(0, " ");
    result_.edits.push_back({around.begin(), around.begin(), std::move(text), rank});
  }
  /// What closes a shorter one comes first.
  void close(const Node& around, std::size_t at) {
    const auto rank = -static_cast<std::ptrdiff_t>(around.begin());
    result_.edits.push_back({at, at, ")", rank});
  }

  /// `(a + b)` needs no brackets of its own between those of a call.
  void unwrap(const Node& operand) {
    if (!operand.is("parenthesized_expression")) return;
    const auto tokens = operand.tokens();
    if (tokens.size() != 3 || operand.first_line() != operand.last_line() ||
        tokens[1].is("named_expression") || tokens[1].is("yield"))
      return;
    replace(operand.begin(), tokens[1].begin(), "");
    replace(tokens[1].end(), operand.end(), "");
  }

  static bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t") == std::string_view::npos;
  }

  /// ` +` between two operands becomes `,`.
  void separate(const Node& left, const Node& right) {
    for (const Node& token : node_.tokens()) {
      if (token.begin() < left.end() || token.end() > right.begin() || token.is("comment") ||
          token.is("line_continuation"))
        continue;
      const std::string_view between =
          node_.text().substr(left.end() - node_.begin(), token.begin() - left.end());
      return replace(is_blank(between) ? left.end() : token.begin(), token.end(), ",");
    }
  }

  Argument operand(std::string name, const Node& value) const {
    return {std::move(name), compiled_ ? type_of(value) : std::string(), false};
  }

  /// A number that the source does not write out is an attribute most of the time.
  static bool may_be_number(const Node& value) { return value.is("attribute"); }

  /// A scripted model says whether one of the operands is a number; a traced one does not.
  void take_for_number(const Node& left, const Node& right, Argument& input,
                       Argument& other) const {
    if (!compiled_ || !input.type.empty() || !other.type.empty()) return;
    if (rewrite_.scripted && rewrite_.schema.find("Scalar") == std::string::npos) return;
    const bool first = may_be_number(left) && !may_be_number(right);
    if (rewrite_.scripted)
      (first ? input : other).type = any_number;
    else if (may_be_number(left) != may_be_number(right))
      (first ? input : other).type = any_value;
  }

  void use_operator(const Node& left, const Node& right) {
    const std::string sign(operator_texts().at(operation_.name));
    Argument input = operand("input", left);
    Argument other = operand("other", right);
    take_for_number(left, right, input, other);
    if (other.type == "int" || other.type == "float") other.type = any_number;
    own("input " + sign + " other", {std::move(input), std::move(other)});
  }

  /// `[x] * 2` and `outputs + [x]` are no tensors.
  static bool is_collection(const Node& value) {
    return value.is("list") || value.is("tuple") || value.is("list_comprehension") ||
           value.is("string");
  }

  void operands(const Node& left, const Node& right) {
    if (is_collection(left) || is_collection(right)) return refuse("it joins lists, not tensors");
    use_operator(left, right);
    open(node_, callee_ + '(');
    unwrap(left);
    separate(left, right);
    unwrap(right);
    close(node_, node_.end());
  }

  void augmented() {
    const Node left = node_.field("left");
    const Node right = node_.field("right");
    if (!left.is("identifier"))
      return refuse("it writes into `" + std::string(left.text()) + "`, which a module would not");
    if (is_collection(right)) return refuse("it joins lists, not tensors");
    use_operator(left, right);
    const Node sign = node_.field("operator");
    replace(sign.begin(), sign.end(), "= " + callee_ + '(' + std::string(left.text()) + ',');
    unwrap(right);
    close(node_, node_.end());
  }

  void sign() {
    const Node operand_node = node_.field("argument");
    const std::string sign(node_.field("operator").text());
    own(sign + "input", {operand("input", operand_node)});
    open(node_, callee_ + '(');
    replace(node_.begin(), operand_node.begin(), "");
    unwrap(operand_node);
    close(node_, node_.end());
  }

  void own(std::string body, std::vector<Argument> arguments) {
    result_.own = ModuleClass{rewrite_.class_name, std::move(body), std::move(arguments), {}};
    result_.constructor = rewrite_.class_name + "()";
  }

  void call() {
    const auto given = arguments_of(node_);
    if (!given && compiled_) return refuse("its arguments are starred");
    if (operation_.name == "cat" && given) {
      if (concatenate(*given)) return;
    }
    if (given && use_nn(*given)) return;
    if (operation_.in_place) return refuse("it writes into a tensor, which a module would not");
    if (given && use_two_operands(*given)) return;
    pass_on(given.value_or(Arguments()));
  }

  bool is_method() const { return operation_.form == Form::method; }
  Node receiver() const { return node_.field("function").field("object"); }

  /// `F.relu` becomes `self.relu`, `x.mean(` becomes `self.mean(x, `.
  void call_module(bool more_arguments) {
    const Node callee = node_.field("function");
    if (!is_method()) return replace(callee.begin(), callee.end(), callee_);
    open(node_, callee_ + '(');
    const Node arguments = node_.field("arguments");
    const std::size_t inside = arguments.begin() + 1;
    unwrap(receiver());
    replace(receiver().end(), inside, more_arguments ? ", " : "");
  }

  /// The arguments behind the tensor: all of a method.
  Arguments others(const Arguments& given) const {
    const auto first = given.begin() + (is_method() || given.empty() ? 0 : 1);
    return {first, given.end()};
  }

  /// Takes away all arguments behind the tensor.
  void drop(const Arguments& given) {
    const Arguments rest = others(given);
    if (rest.empty()) return;
    const Node list = node_.field("arguments");
    const std::size_t begin = is_method() ? list.begin() + 1 : given.front().node.end();
    const std::size_t end = is_method() ? list.end() - 1 : rest.back().node.end();
    if (is_method())
      result_.edits.back().end = end; // of what stands before the arguments
    else
      replace(begin, end, "");
  }

  bool follows_mode(const GivenArgument& argument) const {
    return argument.value.text() == self_ + ".training";
  }

  /// The arguments of the class's constructor; nothing where it does not take those of the call.
  std::optional<std::string> constructor_arguments(const NnClass& type,
                                                   const Arguments& rest) const {
    std::string text;
    bool mode = false;
    bool named = false;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const std::string name = rest[i].name;
      const auto known = std::find_if(type.arguments.begin(), type.arguments.end(), [&](auto each) {
        return name.empty() ? each == type.arguments[std::min(i, type.arguments.size() - 1)]
                            : each.substr(each.find_first_not_of("*-")) == name;
      });
      if (known == type.arguments.end() || (name.empty() && i >= type.arguments.size()))
        return std::nullopt;
      if (*known == "-training" && follows_mode(rest[i])) {
        mode = true;
        continue;
      }
      if (known->starts_with('-') || !is_literal(rest[i].value)) return std::nullopt;
      if (rest[i].value.is("none") && *known == "dim") return std::nullopt;
      named = named || !known->starts_with('*');
      const std::string parameter(known->substr(known->find_first_not_of('*')));
      text += (text.empty() ? "" : ", ") + (named ? parameter + '=' : "") +
              std::string(rest[i].value.text());
    }
    const bool needs_mode = std::find(type.arguments.begin(), type.arguments.end(), "-training") !=
                            type.arguments.end();
    const bool needs_dim = std::find(type.arguments.begin(), type.arguments.end(),
                                     "-_stacklevel") != type.arguments.end();
    if (needs_mode != mode || (needs_dim && text.find("dim=") == std::string::npos))
      return std::nullopt;
    if (!operation_.in_place) return text;
    if (std::find(type.arguments.begin(), type.arguments.end(), "inplace") == type.arguments.end())
      return std::nullopt;
    return text + (text.empty() ? "inplace=True" : ", inplace=True");
  }

  bool use_nn(const Arguments& given) {
    const NnClass* type = find_nn_class(operation_.name);
    if (!type || (!is_method() && (given.empty() || !given.front().name.empty()))) return false;
    if (type->arguments.empty() && !others(given).empty()) return false;
    const auto arguments = constructor_arguments(*type, others(given));
    if (!arguments) return false;
    result_.constructor = "nn." + std::string(type->name) + '(' + *arguments + ')';
    call_module(false);
    drop(given);
    return true;
  }

  /// `torch.add(a, b)` and `a.add(b)` are `a + b`.
  bool use_two_operands(const Arguments& given) {
    if (!operator_texts().contains(operation_.name) || is_reversed()) return false;
    const Arguments rest = others(given);
    if (rest.size() != 1 || !rest.front().name.empty()) return false;
    if (!is_method() && !given.front().name.empty()) return false;
    use_operator(is_method() ? receiver() : given.front().value, rest.front().value);
    call_module(true);
    return true;
  }

  /// `torch.rsub(a, b)` is `b - a`.
  bool is_reversed() const { return node_.field("function").text().ends_with("rsub"); }

  /// AIMET's `Concat(axis)(*tensors)`; TorchScript knows no such call, and gets a list.
  bool concatenate(const Arguments& given) {
    if (is_method() || given.empty() || given.size() > 2 || !given.front().name.empty())
      return false;
    std::string axis;
    if (given.size() == 2) {
      const GivenArgument& dim = given.back();
      if ((!dim.name.empty() && dim.name != "dim" && dim.name != "axis") || !is_literal(dim.value))
        return false;
      axis = dim.value.text();
    }
    result_.own = ModuleClass{"Concat",
                              "torch.cat(x, dim=self.axis)",
                              {{"x", "List[torch.Tensor]", false}},
                              "    def __init__(self, axis: int = 0):\n        "
                              "super().__init__()\n        self.axis = axis\n",
                              !compiled_};
    result_.constructor = "Concat(" + axis + ')';
    call_module(true);
    drop(given);
    if (!compiled_) spread(given.front().value);
    return true;
  }

  /// Whether a list can lose its brackets: no comment would swallow what follows, and no comma that
  /// ends its last line would stand alone.
  static bool loses_brackets(const Node& list) {
    const auto elements = list.children();
    if ((!list.is("list") && !list.is("tuple")) || elements.empty()) return false;
    const Node& last = elements.back();
    bool comma = false;
    for (const Node& token : list.tokens()) {
      if (token.begin() < last.end()) continue;
      if (token.is("comment")) return false;
      comma = comma || token.is(",");
    }
    return !comma || list.last_line() == last.last_line();
  }

  /// `[a, b]` becomes `a, b`, and any other list `*list`.
  void spread(const Node& list) {
    if (!loses_brackets(list)) {
      const bool needs_brackets = !list.is("identifier") && !list.is("attribute") &&
                                  !list.is("call") && !list.is("list_comprehension") &&
                                  !list.is("parenthesized_expression") && !list.is("subscript") &&
                                  !list.is("list") && !list.is("tuple");
      open(list, needs_brackets ? "*(" : "*");
      if (needs_brackets) close(list, list.end());
      return;
    }
    replace(list.begin(), list.tokens()[1].begin(), "");
    replace(list.children().back().end(), list.end(), "");
  }

  /// A module that is given all that the function was given.
  void pass_on(const Arguments& given) {
    const std::string function = function_text();
    if (!compiled_) {
      own(function + "(*args, **kwargs)", {});
      result_.own->open = true;
    } else {
      own_typed(function, given);
      if (!result_.refusal.empty()) return;
    }
    call_module(is_method() && !node_.field("arguments").children().empty());
  }

  std::string function_text() const {
    if (is_method()) return "torch.Tensor." + method_name();
    if (operation_.function.starts_with(functional))
      return "nn.functional." + operation_.function.substr(functional.size());
    return operation_.function;
  }

  std::string method_name() const {
    return std::string(node_.field("function").field("attribute").text());
  }

  /// The parameter that an argument is for.
  Argument typed(const GivenArgument& given, std::size_t place) const {
    const auto& known = torch_parameters(operation_.name);
    const auto found = std::find_if(known.begin(), known.end(), [&](const TorchParameter& each) {
      return given.name.empty() ? &each == known.data() + place : each.name == given.name;
    });
    Argument argument{given.name, type_of(given.value), !given.name.empty()};
    if (found == known.end()) {
      if (argument.name == "inplace" || argument.name == "training") argument.type = "bool";
      if (argument.name == "dtype") argument.type = "Optional[int]"; // as TorchScript counts them
      if (argument.name.empty()) argument.name = "arg" + std::to_string(place + 1);
      return argument;
    }
    argument.name = found->name;
    // What may be a float may be an integer as well, which TorchScript does not turn into one.
    const bool whole = argument.type == "int" && found->type == "Optional[float]";
    const bool optional = found->type.starts_with("Optional") && !whole;
    // The elements of a list that are computed are numbers where the function takes numbers.
    const bool computed =
        argument.type == "List[torch.Tensor]" && found->type.find("int") != std::string_view::npos;
    if (argument.type.empty() || optional || computed) argument.type = found->type;
    return argument;
  }

  /// Whether an argument is a number or several, as the source does not tell.
  bool is_one_or_several(const Argument& argument) const {
    const bool either = argument.name == "scale_factor" || argument.name == "dim" ||
                        operation_.name.starts_with("adaptive_");
    return either && (argument.type.empty() || argument.type.find("List") != std::string::npos);
  }

  void own_typed(const std::string& function, const Arguments& given) {
    std::vector<Argument> arguments;
    std::string passed;
    const auto add = [&](Argument argument) {
      passed += (passed.empty() ? "" : ", ") +
                (argument.keyword ? argument.name + '=' + argument.name : argument.name);
      arguments.push_back(std::move(argument));
    };
    const bool first_is_named = !given.empty() && !given.front().name.empty();
    if (!is_method() && !given.empty() && !first_is_named)
      add({first_name(), first_type(given.front().value), false});
    const std::size_t skipped = arguments.size();
    for (std::size_t i = skipped; i < given.size(); ++i) {
      Argument argument = typed(given[i], i - skipped);
      const Node& value = given[i].value;
      if (is_one_or_several(argument) && (value.is("attribute") || value.is("identifier")))
        return refuse("its source does not tell whether `" + std::string(given[i].value.text()) +
                      "` is one number or several");
      add(std::move(argument));
    }
    if (is_method()) arguments.insert(arguments.begin(), {"input", {}, false});
    own((is_method() ? "input." + method_name() : function) + '(' + passed + ')',
        std::move(arguments));
  }

  std::string first_name() const {
    if (operation_.name == "stack") return "tensors";
    return operation_.name == "where" ? "condition" : "input";
  }

  std::string first_type(const Node& value) const {
    return operation_.name == "stack" || operation_.name == "cat" ? "List[torch.Tensor]"
                                                                  : type_of(value);
  }

  const Operation& operation_;
  const Rewrite& rewrite_;
  bool compiled_;
  Node node_;
  std::string self_;
  std::string callee_;
  ModuleCall result_;
};

} // namespace

ModuleCall module_call(const Operation& operation, const CallContext& context) {
  return Rewriter(operation, context).make();
}

} // namespace model_validator::fixes
