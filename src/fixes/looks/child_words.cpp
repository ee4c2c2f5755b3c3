#include "fixes/looks/child_words.h"

#include "fixes/python/scope.h"

namespace model_validator::fixes {

bool is_container_of_torch(const Node& made) {
  return made.is("call") && contains(containers_of_torch, called_name(made));
}

bool is_children(const Node& expression) {
  return expression.field("attribute").text() == "_modules" ||
         (expression.is("subscript") && literal_text(expression.field("subscript")) == "_modules");
}

bool asks_by_name(std::string_view code) {
  return code.find("==") != std::string_view::npos ||
         code.find("startswith(") != std::string_view::npos;
}

bool is_searched(const Node& place) {
  const auto names = place.all("identifier");
  return !names.empty() && std::all_of(names.begin(), names.end(), [](const Node& name) {
    const auto made = scope_of(name).all("assignment");
    return std::any_of(made.begin(), made.end(), [&](const Node& each) {
      const std::string_view right = each.field("right").text();
      return each.field("left").text() == name.text() &&
             right.find("enumerate(") != std::string_view::npos && asks_by_name(right);
    });
  });
}

Node scope_of(const Node& node) {
  if (const Node function = node.around("function_definition")) return function;
  Node root = node;
  while (const Node around = root.parent()) root = around;
  return root;
}

bool is_named_field(const Node& identifier) {
  const Node around = identifier.parent();
  return (around.is("attribute") && around.field("attribute") == identifier) ||
         (around.is("keyword_argument") && around.field("name") == identifier);
}

bool is_torch(const Node& name) {
  return name.text() == "F" || name.text() == "nn" || name.text().starts_with("torch");
}

bool is_read(const Node& identifier) {
  if (is_named_field(identifier)) return false;
  const Node around = identifier.parent();
  if (around.is("assignment") || around.is("for_statement") || around.is("for_in_clause"))
    return !(around.field("left") == identifier);
  if (around.is("default_parameter")) return around.field("value") == identifier;
  constexpr std::array sets = {"parameters",        "typed_parameter",  "typed_default_parameter",
                               "pattern_list",      "tuple_pattern",    "function_definition",
                               "as_pattern_target", "global_statement", "nonlocal_statement",
                               "lambda_parameters"};
  return !contains(sets, around.type());
}

bool is_assigned_in_its_scope(const Node& variable) {
  const Node scope = scope_of(variable);
  for (const char* elsewhere : {"global_statement", "nonlocal_statement"})
    for (const Node& statement : scope.all(elsewhere))
      for (const Node& name : statement.children())
        if (name.text() == variable.text()) return false;
  for (const Node& use :
       (scope.is("function_definition") ? scope.field("body") : scope).all("identifier"))
    if (use.text() == variable.text() && !is_read(use) && !is_named_field(use) &&
        scope_of(use) == scope)
      return true;
  return false;
}

namespace {

/// Whether a comprehension around a name gives it its value.
bool is_of_comprehension(const Node& name) {
  for (Node around = name.parent(); around; around = around.parent())
    if (is_comprehension(around))
      for (const Node& clause : around.children())
        if (clause.is("for_in_clause"))
          for (const Node& own : clause.field("left").all("identifier"))
            if (own.text() == name.text()) return true;
  return false;
}

} // namespace

bool is_read_next(const Node& variable, const Node& statement) {
  for (const Node& use : scope_of(statement).all("identifier"))
    if (use.begin() >= statement.end() && use.text() == variable.text() && !is_named_field(use))
      return is_read(use) && !is_of_comprehension(use);
  return false;
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

bool is_membership(const Node& comparison) {
  if (comparison.children().size() != 2) return false;
  for (const Node& token : comparison.tokens())
    if (token.type() == "in" || token.type() == "not in") return true;
  return false;
}

std::optional<std::string> literal_text(const Node& expression) {
  if (!expression.is("string")) return std::nullopt;
  std::string text;
  for (const Node& part : expression.children()) {
    if (part.is("interpolation")) return std::nullopt;
    if (part.is("string_content")) text += part.text();
  }
  return text;
}

std::vector<std::string> parameters_of(const Node& function) {
  const Node outer = function.parent();
  const Node block = outer.is("decorated_definition") ? outer.parent() : outer;
  const bool has_instance =
      block.parent().is("class_definition") &&
      (outer == block || outer.text().find("@staticmethod") == std::string_view::npos);
  std::vector<std::string> names;
  for (const Node& parameter : function.field("parameters").children()) {
    if (parameter.is("keyword_separator") || parameter.is("list_splat_pattern")) break;
    names.emplace_back(name_of_parameter(parameter).text());
  }
  if (has_instance && !names.empty()) names.erase(names.begin());
  return names;
}

std::string parameter_for(const Node& argument, const Node& call, const Node& function) {
  if (argument.is("keyword_argument")) {
    const std::string_view name = argument.field("name").text();
    return parameter_of(function, name) ? std::string(name) : std::string();
  }
  const auto names = parameters_of(function);
  std::size_t place = 0;
  const Node list = call.field("arguments");
  for (const Node& each : list.is("argument_list") ? list.children() : std::vector{list}) {
    if (each == argument) break;
    if (each.is("list_splat")) return {};
    ++place;
  }
  return place < names.size() ? names[place] : std::string();
}

Node argument_for(std::string_view parameter, const Node& call, const Node& function) {
  for (const Node& each : call.field("arguments").children())
    if (parameter_for(each, call, function) == parameter)
      return each.is("keyword_argument") ? each.field("value") : each;
  return {};
}

Node call_of(const Node& use) {
  Node callee = use;
  if (is_named_field(use) && use.parent().is("attribute")) callee = use.parent();
  const Node call = callee.parent();
  return call.is("call") && call.field("function") == callee ? call : Node();
}

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

std::string_view last_name_of(const Node& dotted) {
  return (dotted.is("attribute") ? dotted.field("attribute") : dotted).text();
}

} // namespace model_validator::fixes
