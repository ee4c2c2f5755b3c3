#include "fixes/module_words.h"

#include "fixes/python/scope.h"
#include "validators/suggestions/torch_classes.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <string>

namespace model_validator::fixes {

namespace {

bool has_word(std::string_view words, std::string_view word) {
  return words.find(' ' + std::string(word) + ' ') != std::string_view::npos;
}

} // namespace

bool is_of_every_module(std::string_view attribute) {
  constexpr std::string_view known =
      " T_destination add_module apply bfloat16 buffers call_super_init children compile cpu "
      "cuda double dump_patches eval extra_repr float forward get_buffer get_extra_state "
      "get_parameter get_submodule half ipu load_state_dict modules mtia named_buffers "
      "named_children named_modules named_parameters parameters requires_grad_ "
      "set_extra_state set_submodule share_memory state_dict to to_empty train training "
      "type xpu zero_grad _apply _backward_hooks _backward_pre_hooks _buffers _call_impl "
      "_compiled_call_impl _forward_hooks _forward_hooks_always_called "
      "_forward_hooks_with_kwargs _forward_pre_hooks _forward_pre_hooks_with_kwargs "
      "_get_name _load_from_state_dict _load_state_dict_post_hooks "
      "_load_state_dict_pre_hooks _modules _named_members _non_persistent_buffers_set "
      "_parameters _save_to_state_dict _slow_forward _state_dict_hooks "
      "_state_dict_pre_hooks _version _wrapped_call_impl ";
  return attribute.starts_with("__") || attribute.starts_with("register_") ||
         has_word(known, attribute);
}

bool is_of_some_plain_module(std::string_view attribute) {
  constexpr std::string_view known =
      " affine align_corners alpha append approximate beta blank ceil_mode count_include_pad "
      "delta dilation dim distance_function divisor_override downscale_factor dtype end_dim "
      "eps extend full function groups ignore_index inplace insert k keepdim kernel_size "
      "label_smoothing lambd log_input log_target lower margin max_val min_val mode "
      "momentum name negative_slope norm norm_type num_features output_size p padding pop "
      "recompute_scale_factor reduction reset_running_stats return_indices scale_factor "
      "size start_dim stride swap threshold track_running_stats upper upscale_factor value "
      "zero_infinity ";
  return has_word(known, attribute);
}

bool is_output(const Node& call) {
  const Node callee = call.field("function");
  if (callee.text() == "print") return true;
  if (!callee.is("attribute")) return false;
  constexpr std::array levels = {"debug", "info",     "warning", "warn",
                                 "error", "critical", "log",     "exception"};
  constexpr std::array speakers = {"logger", "logging", "log", "_logger", "LOGGER", "warnings"};
  const Node speaker = callee.field("object");
  return contains(levels, callee.field("attribute").text()) &&
         contains(speakers, last_name_of(speaker));
}

bool holds_settings(const Node& object) {
  constexpr std::array known = {"config",  "cfg",     "conf",   "args",    "opt",     "opts",
                                "options", "hparams", "params", "setting", "settings"};
  const std::string_view name = last_name_of(object);
  return contains(known, name) || name.ends_with("_config") || name.ends_with("_args") ||
         name.ends_with("context") || name == "ctx";
}

bool may_have_weights(const Node& made, const Imports& imports) {
  if (made.is("conditional_expression"))
    return may_have_weights(made.children().front(), imports) ||
           may_have_weights(made.children().back(), imports);
  const std::string full = imports.resolve(made.field("function").text());
  const std::string name = full.substr(full.rfind('.') + 1);
  if (full.starts_with("torch.nn.") && find_torch_class(name)) return has_state(name);
  const Node function = made.around("function_definition");
  return std::ranges::any_of(made.all("identifier"), [&](const Node& each) {
    return each.text() != "self" && !is_named_field(each) && parameter_of(function, each.text());
  });
}

namespace {

/// Whether a function is what its definition says, and a name means it where it is used.
bool is_meant(const Node& function, const Node& use) {
  for (const Node& each : function.parent().children())
    if (each.is("decorator") && !each.text().starts_with("@torch.") &&
        each.text() != "@classmethod")
      return false;
  if (!use.is("identifier")) return true;
  return scope_of(function).contains(use) &&
         std::ranges::none_of(use.tree().root().identifiers(use.text()), [&](const Node& each) {
           return binds(each) && !(each == function.field("name")) && scope_of(each).contains(use);
         });
}

/// `init` of `partial(init, std=0.02)`, where all further arguments have names.
Node given_to_partial(const Node& call) {
  const auto given = call.field("arguments").children();
  const bool only_named = std::ranges::all_of(given, [&given](const Node& each) {
    return each == given.front() || each.is("keyword_argument");
  });
  return called_name(call) == "partial" && !given.empty() && only_named ? given.front() : Node();
}

} // namespace

Node function_of_file(const Node& callee) {
  const bool own = callee.is("attribute") && (callee.field("object").text() == "self" ||
                                              callee.field("object").text() == "cls");
  if (!own && !callee.is("identifier")) return {};
  Node found;
  for (const Node& function : callee.tree().root().all("function_definition")) {
    if (name_of(function) != last_name_of(callee)) continue;
    if (found) return {};
    found = function;
  }
  return found && own == static_cast<bool>(found.around("class_definition")) ? found : Node();
}

Node known_function(const Node& callee) {
  if (const Node given = given_to_partial(callee)) return known_function(given);
  const Node function = function_of_file(callee);
  return function && is_meant(function, callee) ? function : Node();
}

std::vector<Node> known_functions(const Node& given, int deepest) {
  if (const Node function = known_function(given)) return {function};
  const Node maker =
      given.is("call") && deepest > 0 ? known_function(given.field("function")) : Node();
  std::vector<Node> found;
  for (const Node& statement : maker.all("return_statement")) {
    if (!(scope_of(statement) == maker)) continue;
    std::vector<Node> some;
    for (const Node& value : statement.children()) some = known_functions(value, deepest - 1);
    if (some.empty()) return {};
    found.insert(found.end(), some.begin(), some.end());
  }
  return found;
}

} // namespace model_validator::fixes
