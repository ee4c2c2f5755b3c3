#include "fixes/module_call.h"

#include "fixes/call_arguments.h"
#include "fixes/call_edits.h"
#include "fixes/class_writer.h"
#include "fixes/python/scope.h"
#include "validators/suggestions/functional_modules.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <string_view>

namespace model_validator::fixes {
namespace {

using Form = Operation::Form;
using Arguments = std::vector<GivenArgument>;

/// `[x] * 2` and `outputs + [x]` are no tensors.
bool is_collection(const Node& value) {
  return value.is("list") || value.is("tuple") || value.is("list_comprehension") ||
         value.is("string");
}

/// The parameter, with its mark, that an argument is for; empty where there is none.
std::string_view parameter_of(const NnFunction& type, const GivenArgument& given,
                              std::size_t place) {
  if (given.name.empty())
    return place < type.arguments.size() ? type.arguments[place] : std::string_view{};
  const auto found = std::ranges::find_if(type.arguments, [&given](std::string_view each) {
    return each.substr(each.find_first_not_of("*-")) == given.name;
  });
  return found == type.arguments.end() ? std::string_view{} : *found;
}

bool takes(std::string_view parameter, const Node& value) {
  const bool guesses_dim = parameter == "dim" && value.is("none");
  return !parameter.empty() && !parameter.starts_with('-') && is_literal(value) && !guesses_dim;
}

void append(std::string& list, const std::string& item) {
  if (!list.empty()) list += ", ";
  list += item;
}

bool is_constant_axis(const GivenArgument& given) {
  return (given.name.empty() || given.name == "dim" || given.name == "axis") &&
         is_literal(given.value);
}

/// The arguments of the constructor of a `torch.nn` class, in place of those of its function: `0.5,
/// inplace=True`.
/// @param behind_tensor  the arguments of the function except its tensor
/// @param in_place  whether the function writes into its tensor
/// @param mode  the expression that says whether the model trains: `self.training`
/// @returns nothing where the constructor does not take them
std::optional<std::string> constructor_arguments(const NnFunction& type,
                                                 const std::vector<GivenArgument>& behind_tensor,
                                                 bool in_place, std::string_view mode) {
  std::string text;
  bool follows_mode = false;
  bool named = false;
  for (std::size_t i = 0; i < behind_tensor.size(); ++i) {
    const std::string_view value = behind_tensor[i].value.text();
    std::string_view parameter = parameter_of(type, behind_tensor[i], i);
    if (parameter == "-training" && value == mode) {
      follows_mode = true;
      continue;
    }
    if (!takes(parameter, behind_tensor[i].value)) return std::nullopt;
    named = named || !parameter.starts_with('*');
    if (parameter.starts_with('*')) parameter.remove_prefix(1);
    append(text, (named ? std::string(parameter) + '=' : "") + std::string(value));
  }
  const bool needs_dim = contains(type.arguments, "-_stacklevel");
  if (contains(type.arguments, "-training") != follows_mode ||
      (needs_dim && text.find("dim=") == std::string::npos))
    return std::nullopt;
  if (!in_place) return text;
  if (!contains(type.arguments, "inplace")) return std::nullopt;
  append(text, "inplace=True");
  return text;
}

/// Whether what yields the elements of a sum one by one writes into a tensor: `sum(y.mul_(2) for _
/// in x)`.
bool writes_in_place(const Node& elements) {
  if (!elements.is("generator_expression")) return false;
  return std::ranges::any_of(elements.all("call"), [](const Node& each) {
    const auto given = each.field("arguments").children();
    return ends_in_place(called_name(each)) || std::ranges::any_of(given, [](const Node& argument) {
             return argument.field("name").text() == "out" || argument.is("dictionary_splat");
           });
  });
}

/// Chooses the module that takes the place of one operation.
class Rewriter {
public:
  Rewriter(const Operation& operation, const CallContext& context)
      : operation_(operation), compiled_(context.compiled), own_classes_(context.own_classes),
        mode_(context.shares_mode ? "" : context.self + ".training"), node_(operation.node),
        classes_(operation, context.rewrite, context.compiled), edits_(operation, context.callee) {}

  ModuleCall make() {
    switch (operation_.form) {
    case Form::binary: rewrite_operator(node_.field("left"), node_.field("right")); break;
    case Form::comparison:
      rewrite_operator(node_.children().front(), node_.children().back());
      break;
    case Form::augmented: rewrite_augmented_assignment(); break;
    case Form::unary:
      use_own(classes_.of_sign());
      edits_.replace_sign();
      break;
    case Form::function:
    case Form::method: rewrite_call(); break;
    case Form::new_module: keep_module(); break;
    case Form::sum: add_all(); break;
    case Form::unpacking: take_apart(); break;
    }
    result_.edits = edits_.take();
    return std::move(result_);
  }

private:
  void refuse(std::string reason) { result_.refusal = std::move(reason); }

  void use_own(ModuleClass type) {
    result_.constructor = type.name + "()";
    result_.own = std::move(type);
  }

  void rewrite_operator(const Node& left, const Node& right) {
    if (is_collection(left) || is_collection(right)) return refuse("it joins lists, not tensors");
    use_own(classes_.of_operator(left, right));
    edits_.replace_operator(left, right);
  }

  void rewrite_augmented_assignment() {
    const Node left = node_.field("left");
    const Node right = node_.field("right");
    if (!left.is("identifier"))
      return refuse("it writes into `" + std::string(left.text()) + "`, which a module would not");
    if (is_collection(right)) return refuse("it joins lists, not tensors");
    use_own(own_classes_ ? classes_.of_in_place_operator(left, right)
                         : classes_.of_operator(left, right));
    edits_.replace_augmented_assignment();
  }

  /// `nn.ReLU()(x)`
  void keep_module() {
    const Node made = node_.field("function");
    const auto given = arguments_of(made);
    if (!given || !std::ranges::all_of(*given, is_literal, &GivenArgument::value))
      return refuse("its source does not give it constant arguments");
    result_.constructor = "nn." + operation_.name + std::string(made.field("arguments").text());
    edits_.replace_callee(false);
  }

  void add_all() {
    if (compiled_) return refuse("TorchScript adds no list of tensors");
    if (!own_classes_) return refuse("its package has no module that adds a list");
    if (writes_in_place(node_.field("arguments")))
      return refuse("it writes into a tensor between its additions");
    use_own(classes_.of_sum());
    edits_.replace_callee(false);
    edits_.compute_first(node_.field("arguments"));
  }

  void take_apart() {
    if (compiled_) return refuse("TorchScript takes no tensor apart so");
    if (!own_classes_) return refuse("its package has no module that takes a tensor apart");
    use_own(classes_.of_unpacking());
    edits_.hand_over();
  }

  void rewrite_call() {
    const auto given = arguments_of(node_);
    if (!given && compiled_) return refuse("its arguments are starred");
    if (given && concatenate(*given)) return;
    if (given && use_nn(*given)) return;
    if (operation_.in_place) return refuse("it writes into a tensor, which a module would not");
    if (given && use_two_operands(*given)) return;
    pass_on(given);
  }

  bool is_method() const { return operation_.is_method(); }

  bool use_nn(const Arguments& given) {
    const NnFunction* type = find_nn_function(operation_.name);
    if (!type || (!is_method() && (given.empty() || !given.front().name.empty()))) return false;
    const Arguments others = arguments_behind_tensor(operation_, given);
    const auto arguments = constructor_arguments(*type, others, operation_.in_place, mode_);
    if (!arguments) return false;
    result_.constructor = "nn." + type->class_name + '(' + *arguments + ')';
    edits_.replace_callee(false);
    edits_.drop_arguments_behind_tensor(given);
    return true;
  }

  /// `torch.add(a, b)` and `a.add(b)` are `a + b`.
  bool use_two_operands(const Arguments& given) {
    if (!classes_.has_operator() || is_reversed()) return false;
    const Arguments others = arguments_behind_tensor(operation_, given);
    if (others.size() != 1 || !others.front().name.empty()) return false;
    if (!is_method() && !given.front().name.empty()) return false;
    const Node left = is_method() ? operation_.receiver() : given.front().value;
    use_own(classes_.of_operator(left, others.front().value));
    edits_.replace_callee(true);
    return true;
  }

  /// `torch.rsub(a, b)` is `b - a`.
  bool is_reversed() const { return node_.field("function").text().ends_with("rsub"); }

  bool concatenate(const Arguments& given) {
    if (operation_.name != "cat" || is_method()) return false;
    if (given.empty() || given.size() > 2 || !given.front().name.empty()) return false;
    if (given.size() == 2 && !is_constant_axis(given.back())) return false;
    const std::string axis(given.size() == 2 ? given.back().value.text() : "");
    use_own(classes_.of_concatenation());
    result_.constructor = "Concat(" + axis + ')';
    edits_.replace_callee(true);
    edits_.drop_arguments_behind_tensor(given);
    if (!own_classes_ && !compiled_) edits_.spread(given.front().value);
    return true;
  }

  /// AIMET's `DynamicConv2d` is called with a tensor, a weight and a bias, and constructed with the
  /// stride.
  bool is_given_more_than_weights(const std::optional<Arguments>& given) const {
    constexpr std::size_t with_weights = 3;
    return classes_.is_dynamic() && (!given || given->size() > with_weights);
  }

  /// A module that is given all that the function was given.
  void pass_on(const std::optional<Arguments>& given) {
    if (!own_classes_ && is_given_more_than_weights(given))
      return refuse("the class of its package is not called with all that the function is given");
    const Node unclear = classes_.unclear_argument(given.value_or(Arguments()));
    if (unclear && compiled_)
      return refuse("its source does not show whether `" + std::string(unclear.text()) +
                    "` is one number or several");
    use_own(given && !unclear ? classes_.of_typed_call(*given) : classes_.of_any_call());
    edits_.replace_callee(is_method() && !node_.field("arguments").children().empty());
  }

  const Operation& operation_;
  bool compiled_;
  bool own_classes_; ///< written, not taken from a package
  std::string mode_; ///< the expression that says whether the model trains
  Node node_;
  ClassWriter classes_;
  CallEdits edits_;
  ModuleCall result_;
};

} // namespace

ModuleCall module_call(const Operation& operation, const CallContext& context) {
  return Rewriter(operation, context).make();
}

} // namespace model_validator::fixes
