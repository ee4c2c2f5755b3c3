#include "program_writer.h"

#include "support/zip_file.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace fuzz {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;
using namespace std::string_view_literals;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class Writer {
public:
  explicit Writer(Choices& choices) : choices_(choices) {}
  std::string file();

private:
  std::string fresh() {
    return choices_.one_in(48) ? choices_.odd_name() : "v" + std::to_string(values_++);
  }
  std::string known(const Names& scope) {
    if (scope.empty() || choices_.one_in(64)) return choices_.name();
    const std::size_t back = choices_.one_in(3) ? choices_.below(scope.size()) : 0;
    return scope[scope.size() - 1 - back];
  }
  /// Now and then something of another type.
  Json odd(Json right) {
    if (!choices_.one_in(96)) return right;
    switch (choices_.below(8)) {
    default: return nullptr;
    case 1: return choices_.integer();
    case 2: return choices_.odd_name();
    case 3: return Json::array({right});
    case 4: return Json::object();
    case 5: return choices_.real();
    case 6: return true;
    case 7: {
      for (std::size_t i = 0, depth = choices_.times(1100, 100); i < depth; ++i)
        right = Json::array({std::move(right)});
      return right;
    }
    }
  }

  Json size();
  Json meta();
  Json argument(const Names& scope, int depth);
  Json metadata();
  std::string module_stack();
  Json call(Names& scope, Json& values, int depth);
  Json sound_call(Names& scope, Json& values);
  Json wrapped(const Names& scope, int depth);
  Json graph(Names scope, int depth, const Json& inputs, Json values);
  Json signature(Names& scope, Json& inputs, Json& values);
  Json configuration();
  Json program();

  Choices& choices_;
  std::size_t values_ = 0;
  std::size_t graphs_ = 0;
};

Json Writer::size() {
  if (!choices_.one_in(4)) return {{"as_int", odd(choices_.integer())}};
  return {{"as_expr",
           {{"expr_str", choices_.one_in(2) ? "Symbol('s77', integer=True)" : choices_.odd_name()},
            {"hint", nullptr}}}};
}

Json Writer::meta() {
  Json sizes = Json::array();
  Json strides = Json::array();
  for (std::size_t i = 0, rank = choices_.times(2000, 40); i < rank; ++i) {
    sizes.push_back(size());
    strides.push_back(size());
  }
  return odd({{"dtype", odd(choices_.of({7, 5, 12, 99}))},
              {"sizes", odd(std::move(sizes))},
              {"requires_grad", false},
              {"device", {{"type", choices_.of({"cpu", "cuda", "\x1b[31m"})}, {"index", nullptr}}},
              {"strides", odd(std::move(strides))},
              {"storage_offset", {{"as_int", odd(choices_.one_in(4) ? choices_.integer() : 0)}}},
              {"layout", 7}});
}

Json Writer::argument(const Names& scope, int depth) {
  const auto tensor = [&] { return Json{{"name", odd(known(scope))}}; };
  switch (choices_.below(20)) {
  default: return {{"as_tensor", tensor()}};
  case 6: return {{"as_int", odd(choices_.integer())}};
  case 7: return {{"as_float", choices_.one_in(4) ? Json("Infinity") : Json(choices_.real())}};
  case 8: return {{"as_string", odd(choices_.odd_name())}};
  case 9: return {{"as_none", true}};
  case 10: {
    Json list = Json::array();
    for (std::size_t i = 0, count = choices_.times(5000, 16); i < count; ++i)
      list.push_back(tensor());
    return {{"as_tensors", odd(std::move(list))}};
  }
  case 11: {
    Json list = Json::array();
    for (std::size_t i = 0, count = choices_.times(5000, 16); i < count; ++i)
      list.push_back(choices_.integer());
    return {
        {choices_.of({"as_ints", "as_floats", "as_bools", "as_strings"}), odd(std::move(list))}};
  }
  case 12: return {{"as_sym_int", choices_.one_in(2) ? Json{{"as_name", known(scope)}} : size()}};
  case 13: return {{"as_sym_ints", Json::array({size(), Json{{"as_name", known(scope)}}})}};
  case 14: return {{"as_scalar_type", odd(choices_.of({7, 5, -1, 1000000}))}};
  case 15: return {{"as_memory_format", choices_.integer()}};
  case 16: return {{"as_device", odd(Json{{"type", choices_.odd_name()}, {"index", 0}})}};
  case 17:
    return {{"as_optional_tensors", Json::array({{{"as_tensor", tensor()}}, {{"as_none", true}}})}};
  case 18: return {{"as_nested_tensors", Json::array({Json::array({tensor()}), Json::array()})}};
  case 19:
    if (depth == 0) return {{"as_operator", "torch.ops.aten.add"}};
    return wrapped(scope, depth);
  }
}

/// A graph as an argument; its inputs are named after some values of the scope, or not.
Json Writer::wrapped(const Names& scope, int depth) {
  Names inner;
  Json inputs = Json::array();
  Json values = Json::object();
  for (std::size_t i = 0, count = choices_.below(4); i < count; ++i) {
    inner.push_back(choices_.one_in(4) ? known(scope) : "i" + std::to_string(i));
    inputs.push_back({{"as_tensor", {{"name", inner.back()}}}});
    values[inner.back()] = meta();
  }
  return {{"as_graph",
           {{"name", choices_.name()},
            {"graph", odd(graph(std::move(inner), depth - 1, inputs, std::move(values)))}}}};
}

std::string Writer::module_stack() {
  std::string stack;
  for (std::size_t i = 0, levels = choices_.times(3000, 12); i < levels; ++i) {
    if (!stack.empty()) stack += ';';
    stack += choices_.one_in(8) ? choices_.odd_name() : "k" + std::to_string(choices_.below(4));
    stack += "," + choices_.path() + ",";
    stack += choices_.of({"torch.nn.modules.activation.ReLU"sv, "torch.nn.modules.linear.Linear"sv,
                          "M"sv, ""sv, "torch.nn.modules.container.Sequential"sv});
  }
  return stack;
}

Json Writer::metadata() {
  Json metadata = Json::object();
  if (!choices_.one_in(3)) metadata["nn_module_stack"] = odd(module_stack());
  if (choices_.one_in(3)) {
    std::string trace;
    for (std::size_t i = 0, frames = choices_.times(2000, 40); i < frames; ++i)
      trace += "  File \"" + choices_.name() + "\", line " + std::to_string(choices_.integer()) +
               ", in forward\n    y = x\n";
    metadata["stack_trace"] = odd(trace);
  }
  return odd(std::move(metadata));
}

/// A call as torch writes it, so that what comes after it is reached.
Json Writer::sound_call(Names& scope, Json& values) {
  const auto tensor = [&] { return Json{{"as_tensor", {{"name", known(scope)}}}}; };
  const Json two = {
      {"as_tensors", Json::array({{{"name", known(scope)}}, {{"name", known(scope)}}})}};
  const Json number = choices_.one_in(2) ? Json{{"as_int", choices_.integer()}}
                                         : Json{{"as_float", choices_.real()}};
  struct Call {
    std::string_view target;
    std::vector<std::pair<const char*, Json>> arguments;
  };
  const Call calls[] = {
      {"relu.default", {{"self", tensor()}}},
      {"add.Tensor", {{"self", tensor()}, {"other", tensor()}, {"alpha", number}}},
      {"mul.Scalar", {{"self", tensor()}, {"other", number}}},
      {"cat.default", {{"tensors", two}, {"dim", {{"as_int", choices_.integer()}}}}},
      {"index.Tensor", {{"self", tensor()}, {"indices", two}}},
      {"reshape.default", {{"self", tensor()}, {"shape", {{"as_ints", {-1, choices_.integer()}}}}}},
      {"linear.default",
       {{"input", tensor()}, {"weight", tensor()}, {"bias", {{"as_none", true}}}}},
      {"_to_copy.default",
       {{"self", tensor()}, {"dtype", {{"as_scalar_type", choices_.below(14)}}}}},
      {"copy_.default", {{"self", tensor()}, {"src", tensor()}}}};
  const Call& chosen = calls[choices_.below(std::size(calls))];
  Json inputs = Json::array();
  for (const auto& [name, argument] : chosen.arguments)
    inputs.push_back({{"name", name}, {"arg", odd(argument)}, {"kind", 1}});
  scope.push_back(fresh());
  values[scope.back()] = meta();
  return {{"target", "torch.ops.aten." + std::string(chosen.target)},
          {"inputs", std::move(inputs)},
          {"outputs", {{{"as_tensor", {{"name", scope.back()}}}}}},
          {"metadata", metadata()},
          {"name", choices_.name()}};
}

Json Writer::call(Names& scope, Json& values, int depth) {
  if (!choices_.one_in(3)) return sound_call(scope, values);
  static constexpr std::string_view targets[] = {
      "torch.ops.aten.relu.default",       "torch.ops.aten.add.Tensor",
      "torch.ops.aten.conv2d.default",     "torch.ops.aten.linear.default",
      "torch.ops.aten.sym_size.int",       "_operator.add",
      "torch.ops.aten.reshape.default",    "torch.ops.aten.split.Tensor",
      "torch.ops.aten.bmm.default",        "torch.ops.aten.dropout.default",
      "torch.ops.aten.index_put_.default", "math.floor",
      "torch.ops.aten.batch_norm.default", "torch.ops.aten._to_copy.default"};
  static constexpr std::string_view higher[] = {"torch.ops.higher_order.cond",
                                                "torch.ops.higher_order.while_loop",
                                                "torch.ops.higher_order.map_impl",
                                                "torch.ops.higher_order.wrap_with_set_grad_enabled",
                                                "torch.ops.higher_order.scan",
                                                "torch.ops.higher_order.invoke_subgraph",
                                                "torch.ops.higher_order.wrap_with_autocast"};
  const bool nested = depth > 0 && choices_.one_in(4);
  Json inputs = Json::array();
  const auto add = [&](Json argument) {
    inputs.push_back(odd({{"name", choices_.of({"self", "input", "a", ""})},
                          {"arg", odd(std::move(argument))},
                          {"kind", 1}}));
  };
  if (nested) {
    add({{"as_tensor", {{"name", known(scope)}}}});
    for (std::size_t i = 0, count = 1 + choices_.below(2); i < count; ++i)
      add(wrapped(scope, depth));
  }
  for (std::size_t i = 0, count = choices_.below(4); i < count; ++i) add(argument(scope, depth));
  Json outputs = Json::array();
  Names made;
  for (std::size_t i = 0, count = 1 + choices_.times(2000, 80) / 2; i < count; ++i) {
    made.push_back(fresh());
    outputs.push_back(odd(choices_.one_in(16) ? Json{{"as_sym_int", {{"as_name", made.back()}}}}
                                              : Json{{"as_tensor", {{"name", made.back()}}}}));
    if (!choices_.one_in(32)) values[made.back()] = meta();
  }
  scope.insert(scope.end(), made.begin(), made.end());
  const std::string_view target = nested ? higher[choices_.below(std::size(higher))]
                                         : targets[choices_.below(std::size(targets))];
  return odd({{"target", odd(choices_.one_in(32) ? choices_.odd_name() : std::string(target))},
              {"inputs", odd(std::move(inputs))},
              {"outputs", odd(std::move(outputs))},
              {"metadata", metadata()},
              {"name", choices_.name()},
              {"is_hop_single_tensor_return", nullptr}});
}

Json Writer::graph(Names scope, int depth, const Json& inputs, Json values) {
  if (++graphs_ > 100) depth = 0;
  Json nodes = Json::array();
  for (std::size_t i = 0, count = 1 + choices_.below(4); i < count; ++i) {
    nodes.push_back(call(scope, values, depth));
    for (std::size_t k = 0, more = choices_.times(5000, 200) / 4; k < more; ++k) {
      Json next = {{"target", "torch.ops.aten.relu.default"}, {"metadata", Json::object()}};
      next["inputs"] = {
          {{"name", "self"}, {"arg", {{"as_tensor", {{"name", scope.back()}}}}}, {"kind", 1}}};
      scope.push_back("v" + std::to_string(values_++));
      next["outputs"] = {{{"as_tensor", {{"name", scope.back()}}}}};
      nodes.push_back(std::move(next));
    }
  }
  Json outputs = Json::array();
  for (std::size_t i = 0, count = 1 + choices_.below(2); i < count; ++i)
    outputs.push_back({{"as_tensor", {{"name", known(scope)}}}});
  return odd({{"inputs", odd(inputs)},
              {"outputs", odd(std::move(outputs))},
              {"nodes", odd(std::move(nodes))},
              {"tensor_values", odd(std::move(values))},
              {"sym_int_values", Json::object()},
              {"sym_bool_values", Json::object()},
              {"custom_obj_values", Json::object()},
              {"is_single_tensor_return", false}});
}

Json Writer::signature(Names& scope, Json& inputs, Json& values) {
  Json specs = Json::array();
  for (std::size_t i = 0, count = 1 + choices_.below(4); i < count; ++i) {
    const std::string name = i == 0 ? "x" : fresh();
    const Json argument = {{"name", odd(name)}};
    switch (choices_.below(6)) {
    default: specs.push_back({{"user_input", {{"arg", {{"as_tensor", argument}}}}}}); break;
    case 2:
      specs.push_back(
          {{"parameter", {{"arg", argument}, {"parameter_name", choices_.path() + ".weight"}}}});
      break;
    case 3:
      specs.push_back(
          {{"buffer",
            {{"arg", argument}, {"buffer_name", choices_.path()}, {"persistent", true}}}});
      break;
    case 4:
      specs.push_back(
          {{"tensor_constant", {{"arg", argument}, {"tensor_constant_name", choices_.name()}}}});
      break;
    case 5:
      specs.push_back({{choices_.of({"token", "custom_obj", "constant_input"}),
                        odd({{"arg", argument}, {"name", name}})}});
    }
    inputs.push_back({{"as_tensor", argument}});
    values[name] = meta();
    scope.push_back(name);
  }
  return specs;
}

/// Where the records of the weights lie.
Json Writer::configuration() {
  Json config = Json::object();
  for (std::size_t i = 0, count = choices_.below(4); i < count; ++i)
    config[choices_.path() + ".weight"] = odd(
        {{"path_name",
          odd(choices_.of({"weight_0"sv, "weight_1"sv, "../weight_0"sv, "/etc/passwd"sv, ""sv}))},
         {"is_param", true},
         {"use_pickle", choices_.one_in(8)},
         {"tensor_meta", meta()}});
  return {{"config", odd(std::move(config))}};
}

Json Writer::program() {
  Names scope;
  Json inputs = Json::array();
  Json values = Json::object();
  Json specs = signature(scope, inputs, values);
  const int depth = choices_.one_in(4) ? static_cast<int>(2 + choices_.below(70)) : 2;
  Json body = graph(std::move(scope), depth, inputs, std::move(values));
  Json results = Json::array();
  if (body.is_object() && body["outputs"].is_array())
    for (const Json& output : body["outputs"])
      results.push_back(odd({{"user_output", {{"arg", output}}}}));
  Json calls = Json::array();
  for (std::size_t i = 0, count = choices_.times(5000, 20); i < count; ++i)
    calls.push_back(odd({{"fqn", odd(choices_.path())}, {"signature", nullptr}}));
  return {{"graph_module", odd({{"graph", std::move(body)},
                                {"signature", odd({{"input_specs", odd(std::move(specs))},
                                                   {"output_specs", odd(std::move(results))}})},
                                {"module_call_graph", odd(std::move(calls))},
                                {"metadata", Json::object()}})},
          {"opset_version", {{"aten", 10}}},
          {"range_constraints",
           {{"s77", odd({{"min_val", choices_.integer()}, {"max_val", choices_.integer()}})}}},
          {"schema_version", odd({{"major", 8}, {"minor", odd(8)}})},
          {"verifiers", {"TRAINING"}},
          {"torch_version", odd(choices_.one_in(16) ? choices_.odd_name() : "2.13.0")}};
}

std::string Writer::file() {
  model_validator::test::ZipFile zip;
  zip.add("m/archive_format", "pt2").add("m/archive_version", "0").add("m/byteorder", "little");
  zip.add("m/models/model.json", text_of(program()));
  if (choices_.one_in(3)) {
    zip.add("m/data/weights/model_weights_config.json", text_of(configuration()));
    zip.add("m/data/weights/weight_0", repeated("\1", 4 * choices_.times(10000, 4)));
    zip.add("m/data/weights/weight_1", "0123456789abcdef");
  }
  if (choices_.one_in(8))
    zip.add("m/data/constants/model_constants_config.json", text_of(configuration()));
  return zip.bytes();
}

} // namespace

std::string write_program(Choices& choices) { return Writer(choices).file(); }

} // namespace fuzz
