#include "connected_graph/exported_program/arguments.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace model_validator;
using namespace model_validator::exported_program;
using nlohmann::json;

namespace {

AttributeValue value_of(const char* text) { return take_apart(json::parse(text)).value.value(); }

} // namespace

TEST_CASE("constant arguments keep their values") {
  CHECK(value_of(R"({"as_int": 3})") == AttributeValue(std::int64_t{3}));
  CHECK(value_of(R"({"as_bool": true})") == AttributeValue(true));
  CHECK(value_of(R"({"as_float": 0.5})") == AttributeValue(0.5));
  CHECK(value_of(R"({"as_float": "Infinity"})") == AttributeValue(std::string("Infinity")));
  CHECK(value_of(R"({"as_none": true})") == AttributeValue{});
  CHECK(value_of(R"({"as_ints": [1, 2]})") == AttributeValue(std::vector<std::int64_t>{1, 2}));
  CHECK(value_of(R"({"as_scalar_type": 7})") == AttributeValue(std::string("float32")));
  CHECK(value_of(R"({"as_memory_format": 2})") == AttributeValue(std::string("channels_last")));
}

TEST_CASE("tensors are named, absent ones by the empty name") {
  using Names = std::vector<std::string>;
  const json x = {{"as_tensor", {{"name", "x"}}}};
  const json list = {{"as_tensors", {{{"name", "x"}}, {{"name", "y"}}}}};
  const json optional = {{"as_optional_tensors", {{{"as_none", true}}, x}}};
  CHECK(take_apart(x).tensors == Names{"x"});
  CHECK(take_apart(list).tensors == Names{"x", "y"});
  CHECK(take_apart(optional).tensors == Names{"", "x"});
}

TEST_CASE("symbolic numbers are named, and unknown in a list") {
  const Argument argument =
      take_apart(json::parse(R"({"as_sym_ints": [{"as_name": "s0"}, {"as_int": 4}]})"));
  CHECK(argument.symbols == std::vector<std::string>{"s0"});
  CHECK(argument.value == AttributeValue(std::vector<std::int64_t>{-1, 4}));
}

TEST_CASE("a tensor's description gives its type") {
  const TensorType type = tensor_type(json::parse(
      R"J({"dtype": 7, "sizes": [{"as_expr": {"expr_str": "Symbol('s0')"}}, {"as_int": 4}]})J"));
  CHECK(type.dtype == "float32");
  CHECK(type.shape == std::vector<std::int64_t>{-1, 4});
}

TEST_CASE("the bytes of a tensor") {
  CHECK(byte_count({std::vector<std::int64_t>{2, 3}, "float32"}) == 24);
  CHECK(byte_count({std::vector<std::int64_t>{}, "int64"}) == 8);
  CHECK(byte_count({std::vector<std::int64_t>{-1, 3}, "float32"}) == 0);
  CHECK(byte_count({std::vector<std::int64_t>(9, std::int64_t{1} << 40), "float32"}) == 0);
}

TEST_CASE("the target of a node gives its schema") {
  CHECK(schema_of_target("torch.ops.aten.add_.Tensor") == "aten::add_.Tensor");
  CHECK(schema_of_target("torch.ops.aten.conv2d.default") == "aten::conv2d");
  CHECK(schema_of_target("torch.ops.torchvision.nms.default") == "torchvision::nms");
  CHECK(schema_of_target("_operator.add") == "_operator::add");
  CHECK(schema_of_target("odd") == "odd");
}

TEST_CASE("the stack of modules is read outermost first") {
  const auto stack =
      parse_module_stack("L__self__,,net.Net;L__self__act@1,act,torch.nn.modules.activation.ReLU");
  REQUIRE(stack.size() == 2);
  CHECK(stack[0].path.empty());
  CHECK(stack[0].class_name == "net.Net");
  CHECK(stack[1].key == "L__self__act@1");
  CHECK(stack[1].path == "act");
  CHECK(stack[1].class_name == "torch.nn.modules.activation.ReLU");
}

TEST_CASE("the stack of modules within a subgraph begins with its root once more") {
  const auto stack = parse_module_stack(
      "L__self__,,net.Net;1397,_export_root,net.Net;1398@4,_export_root.a.act,torch.nn.ReLU");
  REQUIRE(stack.size() == 2);
  CHECK(stack[1].path == "a.act");
}

TEST_CASE("without a stack of modules there are no modules") {
  CHECK(parse_module_stack("").empty());
  CHECK(parse_module_stack("nonsense").empty());
  CHECK(parse_module_stack("_empty_nn_module_stack_from_metadata_hook,_empty_nn_module_stack_from_"
                           "metadata_hook,_empty_nn_module_stack_from_metadata_hook")
            .empty());
}
