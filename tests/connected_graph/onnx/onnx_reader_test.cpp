#include "connected_graph/file_nodes.h"
#include "connected_graph/onnx/known_type.h"
#include "connected_graph/onnx/model_builder.h"
#include "connected_graph/onnx/onnx_reader.h"
#include "connected_graph/onnx/tensor.h"
#include "connected_graph/shapes/symbolic_shapes.h"
#include "connected_graph/value_kind.h"

#include <model_validator/error.h>
#include <model_validator/program.h>

#include <catch2/catch.hpp>

#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>

using namespace model_validator;
using namespace model_validator::testing;

namespace {

std::vector<std::string> types(const ConnectedGraph& graph) {
  std::vector<std::string> all;
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (graph.op(id).kind != OpKind::input && graph.op(id).kind != OpKind::output)
      all.push_back(graph.op(id).type);
  return all;
}

const Op& op_of_type(const ConnectedGraph& graph, const std::string& type) {
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (graph.op(id).type == type) return graph.op(id);
  throw std::runtime_error("no op of type " + type);
}

const Module& module_at(const ConnectedGraph& graph, const std::string& path) {
  for (const Module& module : graph.modules())
    if (module.path == path) return module;
  throw std::runtime_error("no module at " + path);
}

std::string error_of(const onnx::ModelProto& model) {
  try {
    read_back(model);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string relu_class = "'torch.nn.modules.activation.ReLU'";
const std::string trace =
    "File \"net.py\", line 7, in forward\n    return self.act(x)\n"
    "  File \"torch/nn/activation.py\", line 3, in forward\n    return relu(x)";

/// A function from `a` to `b`, so far without nodes.
onnx::FunctionProto& add_function(onnx::ModelProto& model, const std::string& domain,
                                  const std::string& name) {
  onnx::FunctionProto& function = *model.add_functions();
  function.set_domain(domain);
  function.set_name(name);
  function.add_input("a");
  function.add_output("b");
  return function;
}

onnx::NodeProto& add_relu_module(onnx::ModelProto& model, const char* from, const char* to,
                                 const std::string& operation) {
  auto& node = add_node(*model.mutable_graph()->mutable_node(), "Relu", {from}, {to});
  set_origin(node, "['', 'act', '" + operation + "']",
             "['net.Net', " + relu_class + ", 'aten.relu.default']", trace);
  return node;
}

/// Two linear layers in a row that use one weight.
onnx::ModelProto two_users(const std::string& weight,
                           const std::string& type = "torch.nn.modules.linear.Linear") {
  onnx::ModelProto model = model_skeleton();
  auto& nodes = *model.mutable_graph()->mutable_node();
  const auto use = [&](const char* from, const char* to, const std::string& path) {
    set_origin(add_node(nodes, "MatMul", {from, weight.c_str()}, {to}),
               "['', '" + path + "', 'op_" + path + "']",
               "['net.Net', '" + type + "', 'aten.matmul.default']");
  };
  use("x", "h", "a");
  use("h", "y", "b");
  return model;
}

bool are_one_module(const onnx::ModelProto& model) {
  return module_at(read_back(model), "a").aliases == std::vector<std::string>{"b"};
}

} // namespace

TEST_CASE("an ONNX file becomes ops joined by products") {
  onnx::ModelProto model = model_skeleton();
  add_weight(*model.mutable_graph(), "fc.weight", {8, 8});
  auto& nodes = *model.mutable_graph()->mutable_node();
  set_integer(add_node(nodes, "Gemm", {"x", "fc.weight"}, {"h"}), "transB", 1);
  add_node(nodes, "Relu", {"h"}, {"y"});
  const ConnectedGraph graph = read_back(model);

  CHECK(graph.origin.format == FileFormat::onnx);
  CHECK(graph.origin.producer == "pytorch 2.13.0");
  CHECK(graph.origin.opset == 20);
  CHECK_FALSE(graph.origin.has_modules);
  CHECK(types(graph) == std::vector<std::string>{"linear", "relu"});
  CHECK(graph.product_count() == 3);
  REQUIRE(graph.inputs().size() == 1);
  REQUIRE(graph.outputs().size() == 1);
  CHECK(graph.op(graph.inputs()[0]).outputs[0].shape == std::vector<std::int64_t>{1, 8});

  const Op& gemm = op_of_type(graph, "linear");
  CHECK(gemm.kind == OpKind::functional);
  CHECK(gemm.schema == "onnx::Gemm");
  CHECK(gemm.attributes == std::vector<Attribute>{{"transB", std::int64_t{1}}});
  REQUIRE(gemm.parameters.size() == 1);
  const Parameter& weight = graph.parameters()[gemm.parameters[0]];
  CHECK(weight.path == "fc.weight");
  CHECK(weight.name == "weight");
  CHECK(weight.bytes == 256);
  CHECK(weight.type.dtype == "float32");
  CHECK_FALSE(weight.buffer);
}

TEST_CASE("small constant inputs are attributes of the op that reads them") {
  onnx::ModelProto model = model_skeleton();
  add_integers(*model.mutable_graph(), "to", {2, -1});
  add_node(*model.mutable_graph()->mutable_node(), "Reshape", {"x", "to"}, {"y"});
  const ConnectedGraph graph = read_back(model);
  const Op& reshape = op_of_type(graph, "reshape");
  CHECK(reshape.attributes == std::vector<Attribute>{{"shape", std::vector<std::int64_t>{2, -1}}});
  CHECK(graph.parameters().empty());
}

TEST_CASE("it is said where other nodes compute whether a node drops anything") {
  onnx::ModelProto model = model_skeleton();
  auto& nodes = *model.mutable_graph()->mutable_node();
  add_node(nodes, "Dropout", {"x", "", "mode"}, {"y"});
  model.mutable_graph()->mutable_input()->Add()->set_name("mode");
  CHECK(op_of_type(read_back(model), "dropout").attributes ==
        std::vector<Attribute>{{"training_mode", std::string("computed")}});
}

TEST_CASE("what is made of sizes and constants alone is a query") {
  onnx::ModelProto model = model_skeleton();
  add_integers(*model.mutable_graph(), "first", {0});
  auto& nodes = *model.mutable_graph()->mutable_node();
  add_node(nodes, "Shape", {"x"}, {"shape"});
  add_node(nodes, "Gather", {"shape", "first"}, {"n"});
  add_node(nodes, "Add", {"n", "first"}, {"m"});
  add_node(nodes, "Reshape", {"x", "m"}, {"flat"});
  add_node(nodes, "Add", {"flat", "flat"}, {"y"});
  const ConnectedGraph graph = read_back(model);
  std::vector<OpKind> kinds;
  for (OpId id = 1; id + 1 < graph.op_count(); ++id) kinds.push_back(graph.op(id).kind);
  CHECK(kinds == std::vector<OpKind>{OpKind::query, OpKind::query, OpKind::query,
                                     OpKind::functional, OpKind::functional});
}

TEST_CASE("torch's metadata gives modules, classes and Python lines") {
  onnx::ModelProto model = model_skeleton();
  add_relu_module(model, "x", "h", "relu");
  auto& add = add_node(*model.mutable_graph()->mutable_node(), "Add", {"h", "x"}, {"y"});
  set_origin(add, "['', 'add']", "['net.Net', 'aten.add.Tensor']");
  const ConnectedGraph graph = read_back(model);

  CHECK(graph.origin.has_modules);
  const Op& relu = op_of_type(graph, "relu");
  CHECK(relu.kind == OpKind::module);
  CHECK(graph.module_path(relu.module) == "act");
  CHECK(relu.parent == 0);
  CHECK(graph.location(relu.frame).file == "net.py");
  CHECK(graph.location(relu.frame).line == 7);
  REQUIRE(relu.body);
  CHECK(relu.body->front().schema == "onnx::Relu");
  CHECK(module_at(graph, "act").calls == 1);
  CHECK(module_at(graph, "act").leaf);
  CHECK(*graph.source_line("net.py", 7) == "return self.act(x)");

  const Op& sum = op_of_type(graph, "add");
  CHECK(sum.kind == OpKind::functional);
  CHECK(sum.schema == "aten::add.Tensor");
  REQUIRE(sum.body);
  CHECK(sum.body->front().schema == "onnx::Add");
}

TEST_CASE("a convolution that a batch norm was folded into is a convolution") {
  onnx::ModelProto model = model_skeleton();
  auto& node = add_node(*model.mutable_graph()->mutable_node(), "Conv", {"x", "w"}, {"y"});
  auto& kernel = *node.add_attribute();
  kernel.set_name("kernel_shape");
  kernel.set_type(onnx::AttributeProto::INTS);
  for (int i = 0; i < 2; ++i) kernel.add_ints(3);
  add_weight(*model.mutable_graph(), "w", {2, 2, 3, 3});
  set_origin(node, "['', 'bn', 'batch_norm']",
             "['net.Net', 'torch.nn.modules.batchnorm.BatchNorm2d', 'aten.batch_norm.default']");
  CHECK(types(read_back(model)) == std::vector<std::string>{"conv2d"});
}

TEST_CASE("nodes that one operator was translated to are one op") {
  onnx::ModelProto model = model_skeleton();
  auto& nodes = *model.mutable_graph()->mutable_node();
  for (auto* node :
       {&add_node(nodes, "Sigmoid", {"x"}, {"s"}), &add_node(nodes, "Mul", {"x", "s"}, {"y"})})
    set_origin(*node, "['', 'silu']", "['net.Net', 'aten.silu.default']");
  const ConnectedGraph graph = read_back(model);
  CHECK(types(graph) == std::vector<std::string>{"silu"});
  CHECK(op_of_type(graph, "silu").body->size() == 2);
  CHECK(graph.product_count() == 2);
}

TEST_CASE("a module that runs again later, or at once, is called twice") {
  onnx::ModelProto model = model_skeleton();
  auto& nodes = *model.mutable_graph()->mutable_node();
  SECTION("later") {
    add_relu_module(model, "x", "h", "relu");
    set_origin(add_node(nodes, "Neg", {"h"}, {"n"}), "['', 'neg']",
               "['net.Net', 'aten.neg.default']");
    add_relu_module(model, "n", "y", "relu_1");
  }
  SECTION("at once") {
    add_relu_module(model, "x", "h", "relu");
    add_relu_module(model, "h", "y", "relu_1");
  }
  const ConnectedGraph graph = read_back(model);
  const Module& act = module_at(graph, "act");
  CHECK(act.calls == 2);
  CHECK(act.call_sites.size() == 2);
  for (const CallSite& site : act.call_sites) CHECK(site.op != none);
}

TEST_CASE("the model itself is called once, whatever is among its nodes") {
  onnx::ModelProto model = model_skeleton();
  auto& nodes = *model.mutable_graph()->mutable_node();
  const auto add_of_root = [&](Names inputs, Names outputs, const std::string& root_class) {
    set_origin(add_node(nodes, "Sigmoid", inputs, outputs), "['', 'sigmoid']",
               "['" + root_class + "', 'aten.sigmoid.default']",
               "File \"net.py\", line 7, in forward\n    return x.sigmoid()");
  };
  SECTION("a module of the user's, between nodes of none") {
    add_of_root({"x"}, {"a"}, "net.Merge");
    add_node(nodes, "Neg", {"a"}, {"b"});
    add_of_root({"b"}, {"y"}, "net.Merge");
    const ConnectedGraph graph = read_back(model);
    CHECK(module_at(graph, "").calls == 1);
    CHECK(module_at(graph, "").call_sites.size() == 1);
  }
  SECTION("a leaf of torch's, whose line repeats") {
    add_of_root({"x"}, {"a"}, "torch.nn.modules.activation.Sigmoid");
    add_of_root({"a"}, {"y"}, "torch.nn.modules.activation.Sigmoid");
    const ConnectedGraph graph = read_back(model);
    CHECK(module_at(graph, "").calls == 1);
    CHECK(types(graph) == std::vector<std::string>{"sigmoid"});
    CHECK(op_of_type(graph, "sigmoid").kind == OpKind::module);
    CHECK(op_of_type(graph, "sigmoid").parent == none);
  }
}

TEST_CASE("a module with children is called where its parent's code says so") {
  onnx::ModelProto model = model_skeleton();
  auto& node = add_node(*model.mutable_graph()->mutable_node(), "Relu", {"x"}, {"y"});
  set_origin(node, "['', 'block', 'block.act', 'relu']",
             "['net.Net', 'net.Block', " + relu_class + ", 'aten.relu.default']",
             "File \"net.py\", line 20, in forward\n    return self.block(x)\n"
             "  File \"net.py\", line 7, in forward\n    return self.act(x)\n"
             "  File \"torch/nn/activation.py\", line 3, in forward\n    return relu(x)");
  const ConnectedGraph graph = read_back(model);
  CHECK(graph.location(module_at(graph, "block").call_sites.at(0).frame).line == 20);
  CHECK(graph.location(module_at(graph, "block.act").call_sites.at(0).frame).line == 7);
}

TEST_CASE("a module whose operator takes two nodes is called once") {
  onnx::ModelProto model = model_skeleton();
  add_relu_module(model, "x", "h", "relu");
  add_relu_module(model, "h", "y", "relu");
  CHECK(module_at(read_back(model), "act").calls == 1);
}

TEST_CASE("older exporters leave the scope in the node's name") {
  onnx::ModelProto model = model_skeleton();
  auto& nodes = *model.mutable_graph()->mutable_node();
  add_node(nodes, "Relu", {"x"}, {"y"}).set_name("/layer1/layer1.0/act/Relu");
  const ConnectedGraph graph = read_back(model);
  CHECK(graph.module_path(op_of_type(graph, "relu").parent) == "layer1.0.act");
  CHECK_FALSE(graph.origin.has_modules);
  CHECK(module_at(graph, "layer1.0.act").calls == 0);
}

TEST_CASE("nodes that are not in order are read as runtimes do") {
  onnx::ModelProto model = model_skeleton();
  auto& nodes = *model.mutable_graph()->mutable_node();
  add_node(nodes, "Exp", {"a"}, {"y"});
  add_node(nodes, "Relu", {"x"}, {"a"});
  CHECK(types(read_back(model)) == std::vector<std::string>{"relu", "exp"});
}

TEST_CASE("the branches of an If are regions that exclude each other") {
  onnx::ModelProto model = model_skeleton();
  auto& nodes = *model.mutable_graph()->mutable_node();
  add_node(nodes, "ReduceSum", {"x"}, {"condition"});
  auto& branch = add_node(nodes, "If", {"condition"}, {"y"});
  for (const char* name : {"then_branch", "else_branch"}) {
    auto& arm = add_subgraph(branch, name);
    auto& relu = add_node(*arm.mutable_node(), "Relu", {"x"}, {name});
    set_origin(relu, "['', 'act', 'relu']", "['net.Net', " + relu_class + ", 'aten.relu.default']");
    arm.add_output()->set_name(name);
  }
  const ConnectedGraph graph = read_back(model);
  CHECK(types(graph) == std::vector<std::string>{"sum", "relu", "relu", "if"});
  CHECK(graph.regions().size() == 2);
  CHECK(graph.regions()[0].label() == "if@0.then");
  CHECK(graph.regions()[1].label() == "if@0.else");
  CHECK(graph.op(graph.regions()[0].op).kind == OpKind::control_flow);
  CHECK(module_at(graph, "act").calls == 1);
  CHECK(boost::in_degree(graph.regions()[0].op, graph.graph()) == 3);
}

TEST_CASE("the body of a Loop is a region that may run twice") {
  onnx::ModelProto model = model_skeleton();
  auto& loop = add_node(*model.mutable_graph()->mutable_node(), "Loop", {"", "", "x"}, {"y"});
  auto& body = add_subgraph(loop, "body");
  for (const char* input : {"i", "go", "state"}) body.add_input()->set_name(input);
  auto& relu = add_node(*body.mutable_node(), "Relu", {"state"}, {"next"});
  set_origin(relu, "['', 'act', 'relu']", "['net.Net', " + relu_class + ", 'aten.relu.default']");
  for (const char* output : {"go", "next"}) body.add_output()->set_name(output);
  const ConnectedGraph graph = read_back(model);
  CHECK(graph.region_labels(op_of_type(graph, "relu").region) ==
        std::vector<std::string>{"loop@0"});
  CHECK(module_at(graph, "act").calls == 2);
  CHECK(boost::in_degree(1, graph.graph()) == 1);
}

TEST_CASE("what a loop is given is read by it, whether its body reads it or not") {
  onnx::ModelProto model = model_skeleton();
  auto& graph_of_file = *model.mutable_graph();
  add_value(*graph_of_file.add_input(), "trips", {}, onnx::TensorProto::INT64);
  add_value(*graph_of_file.add_input(), "go", {}, onnx::TensorProto::BOOL);
  add_value(*graph_of_file.add_input(), "rows", {3, 8});
  auto& nodes = *graph_of_file.mutable_node();
  auto& loop = add_node(nodes, "Loop", {"trips", "go", "x"}, {"last"});
  auto& body = add_subgraph(loop, "body");
  for (const char* input : {"i", "on", "state"}) body.add_input()->set_name(input);
  add_weight(body, "next", {1, 8});
  for (const char* output : {"on", "next"}) body.add_output()->set_name(output);
  auto& scan = add_node(nodes, "Scan", {"last", "rows"}, {"y"});
  set_integer(scan, "num_scan_inputs", 1);
  auto& step = add_subgraph(scan, "body");
  for (const char* input : {"carried", "row"}) step.add_input()->set_name(input);
  step.add_output()->set_name("carried");
  const ConnectedGraph graph = read_back(model);
  REQUIRE(graph.inputs().size() == 4);
  for (const OpId input : graph.inputs()) CHECK(boost::out_degree(input, graph.graph()) > 0);
}

TEST_CASE("model-local functions are expanded, and their name is kept") {
  onnx::ModelProto model = model_skeleton();
  auto& function = add_function(model, "pkg.onnxscript.torch_lib", "aten_silu");
  add_node(*function.mutable_node(), "Sigmoid", {"a"}, {"s"});
  add_node(*function.mutable_node(), "Mul", {"a", "s"}, {"b"});
  auto& nodes = *model.mutable_graph()->mutable_node();
  add_node(nodes, "aten_silu", {"x"}, {"h"}).set_domain("pkg.onnxscript.torch_lib");
  add_node(nodes, "aten_silu", {"h"}, {"y"}).set_domain("pkg.onnxscript.torch_lib");
  const ConnectedGraph graph = read_back(model);
  CHECK(types(graph) == std::vector<std::string>{"aten_silu", "aten_silu"});
  CHECK(graph.op(1).schema == "pkg.onnxscript.torch_lib::aten_silu");
  CHECK(graph.op(1).body->size() == 2);
}

TEST_CASE("a constant without a name for what it yields is refused") {
  onnx::ModelProto model = model_skeleton();
  auto& constant = add_node(*model.mutable_graph()->mutable_node(), "Constant", {}, {""});
  auto& value = *constant.add_attribute();
  value.set_name("sparse_value");
  value.set_type(onnx::AttributeProto::SPARSE_TENSOR);
  add_node(*model.mutable_graph()->mutable_node(), "Relu", {"x"}, {"y"});
  CHECK(has(error_of(model), "does not have exactly one output"));
}

TEST_CASE("how the nodes within an op are connected is stated") {
  const auto stated = [](const char* first, const char* second) {
    onnx::ModelProto model = model_skeleton();
    auto& function = add_function(model, "own", "F");
    add_node(*function.mutable_node(), "Sigmoid", {"a"}, {"s"});
    add_node(*function.mutable_node(), "Sub", {first, second}, {"b"});
    add_node(*model.mutable_graph()->mutable_node(), "F", {"x"}, {"y"}).set_domain("own");
    std::string found;
    for (const Statement& statement : read_back(model).origin.statements)
      if (statement.what == "wiring within ops") found = statement.value;
    return found;
  };
  CHECK(stated("a", "s") == "0,>1,0,1,>2,;");
  CHECK(stated("s", "a") == "0,>1,1,0,>2,;");
}

TEST_CASE("what is declared of a call's result is held against what its function yields") {
  const auto declared = [](auto dtype) {
    onnx::ModelProto model = model_skeleton();
    auto& function = add_function(model, "own", "F");
    add_node(*function.mutable_node(), "Relu", {"a"}, {"b"});
    auto& graph = *model.mutable_graph();
    add_node(*graph.mutable_node(), "F", {"x"}, {"y"}).set_domain("own");
    graph.mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(dtype);
    const ConnectedGraph read = read_back(model);
    return read.program->output(read.program->nodes.at(0), 0)->other_type;
  };
  CHECK(declared(onnx::TensorProto::INT64) == "int64");
  CHECK(declared(onnx::TensorProto::FLOAT).empty());
}

TEST_CASE("functions that call each other twice are refused before they have unfolded") {
  const auto doubling = [](int depth) {
    onnx::ModelProto model = model_skeleton();
    for (int i = 0; i <= depth; ++i) {
      auto& function = add_function(model, "own", "f" + std::to_string(i));
      auto& nodes = *function.mutable_node();
      if (i == 0) {
        add_node(nodes, "Relu", {"a"}, {"b"});
        continue;
      }
      const std::string inner = "f" + std::to_string(i - 1);
      add_node(nodes, inner, {"a"}, {"h"}).set_domain("own");
      add_node(nodes, inner, {"h"}, {"b"}).set_domain("own");
    }
    auto& nodes = *model.mutable_graph()->mutable_node();
    add_node(nodes, "f" + std::to_string(depth), {"x"}, {"y"}).set_domain("own");
    return model;
  };
  CHECK(error_of(doubling(8)) == "no error");
  CHECK(error_of(doubling(30)) ==
        "the functions of the model unfold into more operators than any sensible network has");
}

TEST_CASE("what a function holds is counted at each call: its names, types and references") {
  const auto calling = [](const auto& change) {
    onnx::ModelProto model = model_skeleton();
    auto& function = add_function(model, "own", "f");
    add_node(*function.mutable_node(), "Relu", {"a"}, {"b"});
    change(function);
    auto& nodes = *model.mutable_graph()->mutable_node();
    std::string last = "x";
    for (int i = 0; i < 2000; ++i) {
      const std::string next = i == 1999 ? "y" : "v" + std::to_string(i);
      add_node(nodes, "f", {last.c_str()}, {next.c_str()}).set_domain("own");
      last = next;
    }
    return error_of(model);
  };
  const std::string too_much =
      "the functions of the model unfold into more operators than any sensible network has";
  const std::string name(50'000, 'n');
  CHECK(calling([](auto&) {}) == "no error");
  CHECK(calling([&](auto& f) { f.mutable_node(0)->add_output(name); }) == too_much);
  CHECK(calling([&](auto& f) { f.mutable_node(0)->set_name(name); }) == too_much);
  CHECK(calling([&](auto& f) { f.mutable_node(0)->add_metadata_props()->set_value(name); }) ==
        too_much);
  CHECK(calling([&](auto& f) { add_value(*f.add_value_info(), name, {}); }) == too_much);
  CHECK(calling([&](auto& f) {
          auto& given = *f.add_attribute_proto();
          given.set_name("t");
          given.set_s(name);
          given.set_type(onnx::AttributeProto::STRING);
          auto& reference = *f.mutable_node(0)->add_attribute();
          reference.set_name("t");
          reference.set_ref_attr_name("t");
        }) == too_much);
}

TEST_CASE("a long constant is not copied into each of its users") {
  onnx::ModelProto model = model_skeleton();
  auto& nodes = *model.mutable_graph()->mutable_node();
  auto& constant = add_node(nodes, "Constant", {}, {"c"});
  auto& value = *constant.add_attribute();
  value.set_name("value_ints");
  value.set_type(onnx::AttributeProto::INTS);
  for (int i = 0; i < 65; ++i) value.add_ints(i);
  add_node(nodes, "Add", {"x", "c"}, {"y"});
  const ConnectedGraph graph = read_back(model);
  CHECK(op_of_type(graph, "add").attributes.empty());
}

TEST_CASE("a function that stands for a module gives a module") {
  onnx::ModelProto model = model_skeleton();
  auto& function = add_function(model, "torch.nn.modules.activation", "ReLU");
  add_node(*function.mutable_node(), "Relu", {"a"}, {"b"});
  auto& nodes = *model.mutable_graph()->mutable_node();
  auto& call = add_node(nodes, "ReLU", {"x"}, {"y"});
  call.set_domain("torch.nn.modules.activation");
  call.set_name("act");
  const ConnectedGraph graph = read_back(model);
  CHECK(module_at(graph, "act").class_name == "torch.nn.modules.activation.ReLU");
  CHECK(op_of_type(graph, "relu").kind == OpKind::module);
}

TEST_CASE("modules of one class that use the same weights are one module") {
  onnx::ModelProto model = model_skeleton();
  add_weight(*model.mutable_graph(), "a.weight", {8, 8});
  add_weight(*model.mutable_graph(), "c.weight", {8, 8});
  auto& nodes = *model.mutable_graph()->mutable_node();
  const auto linear = [&](const char* from, const char* weight, const char* to,
                          const std::string& path) {
    set_origin(add_node(nodes, "MatMul", {from, weight}, {to}),
               "['', '" + path + "', 'linear_" + path + "']",
               "['net.Net', 'torch.nn.modules.linear.Linear', 'aten.linear.default']");
  };
  linear("x", "a.weight", "h", "a");
  linear("h", "a.weight", "i", "b");
  linear("i", "c.weight", "y", "c");
  const ConnectedGraph graph = read_back(model);
  CHECK(module_at(graph, "a").aliases == std::vector<std::string>{"b"});
  CHECK(module_at(graph, "a").calls == 2);
  CHECK(module_at(graph, "c").calls == 1);
}

TEST_CASE("equal numbers that an exporter stores once do not make two modules one") {
  const auto with_numbers = [](const std::vector<float>& numbers,
                               const std::vector<std::int64_t>& shape) {
    onnx::ModelProto model = two_users("a.weight");
    add_weight_of(*model.mutable_graph(), "a.weight", shape, numbers);
    return are_one_module(model);
  };
  std::vector<float> all_differ;
  for (int i = 0; i < 1024; ++i) all_differ.push_back(static_cast<float>(i));
  CHECK(with_numbers(all_differ, {32, 32}));
  CHECK(!with_numbers({1}, {32, 32}));                             // ones of an untrained norm
  CHECK(!with_numbers({1, 0, 0, 0, 0, 0, 0, 0, 0}, {8, 8}));       // an identity
  CHECK(!with_numbers({1, 2, 1, 2, 4, 2, 1, 2, 1}, {8, 1, 3, 3})); // a blur
  CHECK(with_numbers({1}, {25, 41})); // 1,025 elements: none that is only equal is stored once
  CHECK(!with_numbers({1}, {16, 64}));
}

TEST_CASE("numbers that are stored elsewhere prove no more than that they may be equal") {
  for (const bool external : {false, true}) {
    onnx::ModelProto model = two_users("a.weight");
    auto& weight = add_weight(*model.mutable_graph(), "a.weight", {8, 8});
    if (external) {
      weight.clear_raw_data();
      weight.set_data_location(onnx::TensorProto::EXTERNAL);
      auto& place = *weight.add_external_data();
      place.set_key("location");
      place.set_value("absent.bin");
    }
    CHECK(are_one_module(model) == !external);
  }
}

TEST_CASE("a module that is called twice is one, whatever its numbers") {
  onnx::ModelProto model = model_skeleton();
  add_weight_of(*model.mutable_graph(), "val_3", {8, 1, 1}, {1});
  auto& nodes = *model.mutable_graph()->mutable_node();
  for (const auto& [from, to, operation] :
       std::vector<std::tuple<const char*, const char*, std::string>>{{"x", "h", "norm"},
                                                                      {"i", "y", "norm_1"}}) {
    set_origin(add_node(nodes, "Mul", {from, "val_3"}, {to}), "['', 'a', '" + operation + "']",
               "['net.Net', 'torch.nn.modules.normalization.GroupNorm', "
               "'aten.group_norm.default']");
    if (operation == "norm")
      set_origin(add_node(nodes, "Relu", {"h"}, {"i"}), "['', 'relu']",
                 "['net.Net', 'aten.relu.default']");
  }
  CHECK(module_at(read_back(model), "a").calls == 2);
}

TEST_CASE("modules that use the same computed mask are not one module") {
  for (const bool torch : {false, true}) {
    const std::string type = torch ? "torch.nn.modules.linear.Linear" : "net.Attend";
    onnx::ModelProto model = two_users("val_3", type);
    add_weight(*model.mutable_graph(), "val_3", {8, 8});
    CHECK(are_one_module(model) == torch); // a transposed weight
  }
}

TEST_CASE("a weight named after another module gives the module that uses it another path") {
  onnx::ModelProto model = model_skeleton();
  add_weight(*model.mutable_graph(), "conv.proj.weight", {8, 8});
  auto& nodes = *model.mutable_graph()->mutable_node();
  set_origin(add_node(nodes, "MatMul", {"x", "conv.proj.weight"}, {"y"}),
             "['', 'blocks.0', 'blocks.0.conv', 'blocks.0.conv.proj', 'linear']",
             "['net.Net', 'net.Block', 'net.Conv', 'torch.nn.modules.linear.Linear', "
             "'aten.linear.default']");
  const ConnectedGraph graph = read_back(model);
  CHECK(module_at(graph, "conv").aliases == std::vector<std::string>{"blocks.0.conv"});
  CHECK(module_at(graph, "conv").class_name == "net.Conv");
  CHECK(module_at(graph, "conv.proj").aliases == std::vector<std::string>{"blocks.0.conv.proj"});
}

TEST_CASE("a weight that another called module uses too is shared, and not a path") {
  onnx::ModelProto model = model_skeleton();
  add_weight(*model.mutable_graph(), "shared.weight", {8, 8});
  auto& nodes = *model.mutable_graph()->mutable_node();
  set_origin(add_node(nodes, "Gather", {"shared.weight", "x"}, {"h"}),
             "['', 'shared', 'embedding']",
             "['net.Net', 'torch.nn.modules.sparse.Embedding', 'aten.embedding.default']");
  set_origin(add_node(nodes, "MatMul", {"h", "shared.weight"}, {"y"}), "['', 'head', 'linear']",
             "['net.Net', 'torch.nn.modules.linear.Linear', 'aten.linear.default']");
  const ConnectedGraph graph = read_back(model);
  CHECK(module_at(graph, "head").aliases.empty());
  CHECK(module_at(graph, "shared").aliases.empty());
}

TEST_CASE("equal vectors do not make two norms one module") {
  onnx::ModelProto model = model_skeleton();
  add_weight(*model.mutable_graph(), "a.weight", {8});
  auto& nodes = *model.mutable_graph()->mutable_node();
  for (const auto& [from, to, path] :
       std::vector<std::tuple<const char*, const char*, std::string>>{{"x", "h", "a"},
                                                                      {"h", "y", "b"}})
    set_origin(add_node(nodes, "LayerNormalization", {from, "a.weight"}, {to}),
               "['', '" + path + "', 'norm']",
               "['net.Net', 'torch.nn.modules.normalization.LayerNorm', "
               "'aten.layer_norm.default']");
  const ConnectedGraph graph = read_back(model);
  CHECK(module_at(graph, "a").calls == 1);
  CHECK(module_at(graph, "b").calls == 1);
}

TEST_CASE("external data is not looked for") {
  onnx::ModelProto model = model_skeleton();
  auto& weight = add_weight(*model.mutable_graph(), "w", {8, 8});
  weight.clear_raw_data();
  weight.set_data_location(onnx::TensorProto::EXTERNAL);
  auto& place = *weight.add_external_data();
  place.set_key("location");
  place.set_value("absent.bin");
  add_node(*model.mutable_graph()->mutable_node(), "MatMul", {"x", "w"}, {"y"});
  const ConnectedGraph graph = read_back(model);
  CHECK(graph.parameters().at(0).bytes == 256);
}

TEST_CASE("broken ONNX files are refused with a sentence") {
  onnx::ModelProto model = model_skeleton();
  auto& nodes = *model.mutable_graph()->mutable_node();
  SECTION("a name that nothing makes") {
    add_node(nodes, "Relu", {"ghost"}, {"y"});
    CHECK(has(error_of(model), "reads `ghost`, which nothing before it produces"));
  }
  SECTION("a cycle") {
    add_node(nodes, "Add", {"x", "b"}, {"a"});
    add_node(nodes, "Relu", {"a"}, {"b"});
    CHECK(has(error_of(model), "reads `a`, which nothing before it produces"));
  }
  SECTION("an output that nothing makes") {
    CHECK(has(error_of(model), "output `y` is made by no node"));
  }
  SECTION("a value made twice") {
    add_node(nodes, "Relu", {"x"}, {"y"});
    add_node(nodes, "Relu", {"x"}, {"y"});
    CHECK(has(error_of(model), "value `y` is defined twice: by node `node_1` (Relu) and node "
                               "`node_2` (Relu)"));
  }
  SECTION("a value made by a node and stored") {
    add_weight(*model.mutable_graph(), "y", {2});
    add_node(nodes, "Relu", {"x"}, {"y"}).clear_name();
    CHECK(has(error_of(model), "defined twice: by initializer `y` and node 0 (Relu)"));
  }
  SECTION("a value made twice in an arm") {
    auto& node = add_node(nodes, "If", {"x"}, {"y"});
    for (const char* arm : {"then_branch", "else_branch"}) {
      auto& graph = add_subgraph(node, arm);
      for (int i = 0; i < 2; ++i) add_node(*graph.mutable_node(), "Relu", {"x"}, {"z"});
      graph.add_output()->set_name("z");
    }
    CHECK(has(error_of(model), "`z` is defined twice: by node `node_1` (Relu) and node"));
  }
  SECTION("dimensions beyond sense") {
    auto& weight = add_weight(*model.mutable_graph(), "w", {2});
    for (int i = 0; i < 4; ++i) weight.add_dims(std::int64_t{1} << 40);
    add_node(nodes, "MatMul", {"x", "w"}, {"y"});
    CHECK(has(error_of(model), "dimensions too large for any memory"));
  }
  SECTION("a function that calls itself") {
    auto& function = add_function(model, "own", "f");
    add_node(*function.mutable_node(), "f", {"a"}, {"b"}).set_domain("own");
    add_node(nodes, "f", {"x"}, {"y"}).set_domain("own");
    CHECK(has(error_of(model), "calls itself"));
  }
  SECTION("functions that multiply") {
    for (int level = 0; level < 30; ++level) {
      auto& function = add_function(model, "own", "f" + std::to_string(level));
      const std::string next = level == 29 ? "Relu" : "f" + std::to_string(level + 1);
      for (const auto* to : {"t", "b"})
        add_node(*function.mutable_node(), next, {"a"}, {to}).set_domain(level == 29 ? "" : "own");
    }
    add_node(nodes, "f0", {"x"}, {"y"}).set_domain("own");
    const TemporaryFile file(model.SerializeAsString());
    ReadOptions options;
    options.max_ops = 1000;
    CHECK_THROWS_AS(read_onnx(file.path(), options), Error);
  }
}

TEST_CASE("an ONNX file that is cut off anywhere is refused, never more") {
  onnx::ModelProto model = model_skeleton();
  add_weight(*model.mutable_graph(), "w", {8, 8});
  add_node(*model.mutable_graph()->mutable_node(), "MatMul", {"x", "w"}, {"y"});
  const std::string whole = model.SerializeAsString();
  std::size_t refused = 0;
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const TemporaryFile file(whole.substr(0, size));
    try {
      read_onnx(file.path());
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > whole.size() - 30); // what follows the graph is not needed
}

TEST_CASE("the nodes of a file are as a runtime sees them") {
  onnx::ModelProto model = model_skeleton();
  auto& nodes = *model.mutable_graph()->mutable_node();
  add_node(nodes, "Shape", {"x"}, {"size"});
  set_integer(add_node(nodes, "Cast", {"x"}, {"half"}), "to", onnx::TensorProto::FLOAT16);
  add_node(nodes, "Reshape", {"half", "size"}, {"y"});
  const ConnectedGraph graph = read_back(model);
  const Program& file = *graph.program;
  CHECK(graph.file_nodes->versions ==
        std::map<std::string, int>{{"ai.onnx", 20}, {"ir_version", 10}});
  REQUIRE(file.nodes.size() == 3);
  const std::vector<Attribute> to{{"to", std::int64_t{onnx::TensorProto::FLOAT16}}};
  CHECK(file.nodes[1].attributes == to);
  const ProgramNode& reshape = file.nodes[2];
  CHECK(reshape.schema == "onnx::Reshape");
  CHECK(reshape.opset == 20);
  CHECK(graph.op(reshape.op).type == "reshape");
  using Sizes = std::vector<std::int64_t>;
  const ProgramValue& data = *file.input(reshape, 0);
  CHECK(data.type == TensorType{Sizes{1, 8}, "float16"});
  CHECK(data.origin == Origin::computed);
  CHECK_FALSE(data.unranked);
  const ProgramValue& shape = *file.input(reshape, 1);
  CHECK(shape.type == TensorType{Sizes{2}, "int64"});
  CHECK(shape.origin == Origin::worked_out);
  CHECK(shape.constant());
}

namespace {

const ProgramValue& first_of_last(const ConnectedGraph& graph) {
  return *graph.program->input(graph.program->nodes.back(), 0);
}

std::optional<std::size_t> rank_of(const ProgramValue& value) {
  return value.type.shape ? std::optional(value.type.shape->size()) : std::nullopt;
}

/// The rank of the first operand of the last node; what it is made of has `inputs` besides `x`.
std::optional<std::size_t> rank_behind(const std::string& type, Names inputs, int yielded = 1) {
  onnx::ModelProto model = model_skeleton();
  auto& graph = *model.mutable_graph();
  add_weight(graph, "w", {8, 8});
  add_weight(graph, "b", {8});
  add_integers(graph, "row", {1});
  add_integers(graph, "places", {1, 8});
  add_value(*graph.add_input(), "flags", {8}, onnx::TensorProto::BOOL);
  auto& node = add_node(*graph.mutable_node(), type, inputs, {"made"});
  for (int i = 1; i < yielded; ++i) node.add_output("more_" + std::to_string(i));
  auto& equation = *node.add_attribute();
  equation.set_name("equation");
  equation.set_type(onnx::AttributeProto::STRING);
  equation.set_s("ij,jk->ik");
  add_node(*graph.mutable_node(), "GlobalAveragePool", {"made"}, {"y"});
  graph.mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  return rank_of(first_of_last(read_back(model)));
}

} // namespace

TEST_CASE("ranks follow through operators of every kind") {
  CHECK(rank_behind("MatMul", {"x", "w"}) == 2);
  CHECK(rank_behind("Gemm", {"x", "w", "b"}) == 2);
  CHECK(rank_behind("Einsum", {"x", "w"}) == 2);
  CHECK(rank_behind("GatherND", {"w", "row"}) == 1);
  CHECK(rank_behind("Compress", {"x", "flags"}) == 1);
  CHECK(rank_behind("MatMulInteger", {"x", "w"}) == 2);
  CHECK(rank_behind("DynamicQuantizeLinear", {"x"}, 3) == 2);
  CHECK(rank_behind("Unique", {"x"}) == 1);
  CHECK(rank_behind("SwiGLU", {"x", "x"}) == 2);
  CHECK(rank_behind("CenterCropPad", {"x", "places"}) == 2);
  CHECK_FALSE(rank_behind("SequenceAt", {"x", "places"}));
  CHECK_FALSE(rank_behind("SomebodysOwn", {"x"}));
}

TEST_CASE("a rank that only the model decides is told from one that is not known") {
  onnx::ModelProto model = model_skeleton();
  auto& graph = *model.mutable_graph();
  add_value(*graph.add_input(), "flag", {}, onnx::TensorProto::BOOL);
  auto& nodes = *graph.mutable_node();
  auto& choice = add_node(nodes, "If", {"flag"}, {"either"});
  for (const char* arm : {"then_branch", "else_branch"}) {
    auto& inner = add_subgraph(choice, arm);
    if (arm[0] == 't')
      add_node(*inner.mutable_node(), "Relu", {"x"}, {arm});
    else
      set_integer(add_node(*inner.mutable_node(), "ReduceSum", {"x"}, {arm}), "keepdims", 0);
    inner.add_output()->set_name(arm);
  }
  add_integers(graph, "flat", {-1});
  add_node(nodes, "Relu", {"either"}, {"still"});
  add_node(nodes, "Shape", {"still"}, {"sizes"});
  add_node(nodes, "Reshape", {"still", "flat"}, {"line"});
  add_node(nodes, "SomebodysOwn", {"still"}, {"made"});
  add_node(nodes, "Concat", {"line", "made"}, {"y"});
  const ConnectedGraph read = read_back(model);
  std::map<std::string, ProgramValue> yielded;
  for (const ProgramNode& node : read.program->nodes)
    yielded[node.schema.substr(node.schema.find("::") + 2)] = *read.program->output(node, 0);
  CHECK(yielded.at("If").unranked);
  CHECK(yielded.at("Relu").unranked);
  CHECK_FALSE(rank_of(yielded.at("Relu")));
  CHECK(rank_of(yielded.at("Shape")) == 1);
  CHECK(rank_of(yielded.at("Reshape")) == 1);
  CHECK_FALSE(yielded.at("Reshape").unranked);
  CHECK_FALSE(yielded.at("SomebodysOwn").unranked);
  CHECK_FALSE(rank_of(yielded.at("SomebodysOwn")));
}

TEST_CASE("of what nobody knows, the number of axes is as declared, in all graphs that read it") {
  onnx::ModelProto model = model_skeleton();
  auto& graph = *model.mutable_graph();
  add_value(*graph.add_input(), "flag", {}, onnx::TensorProto::BOOL);
  add_node(*graph.mutable_node(), "SomebodysOwn", {"x"}, {"made"});
  add_value(*graph.add_value_info(), "made", {1, 2, 4});
  auto& choice = add_node(*graph.mutable_node(), "If", {"flag"}, {"y"});
  for (const char* arm : {"then_branch", "else_branch"}) {
    auto& inner = add_subgraph(choice, arm);
    add_node(*inner.mutable_node(), arm[0] == 't' ? "Relu" : "Neg", {"made"}, {arm});
    inner.add_output()->set_name(arm);
  }
  const ConnectedGraph read = read_back(model);
  for (const ProgramNode& node : read.program->nodes)
    if (node.schema == "onnx::Relu" || node.schema == "onnx::Neg") {
      CHECK(rank_of(*read.program->input(node, 0)) == 3);
      CHECK(rank_of(*read.program->output(node, 0)) == 3);
    }
  CHECK(read.program->nodes.size() == 4);
}

TEST_CASE("declared sizes stand where operators tell only how many there are") {
  onnx::ModelProto model = model_skeleton();
  auto& graph = *model.mutable_graph();
  add_node(*graph.mutable_node(), "SomebodysOwn", {"x"}, {"made"});
  add_value(*graph.add_value_info(), "made", {1, 2, 4});
  add_node(*graph.mutable_node(), "Relu", {"made"}, {"declared"});
  add_value(*graph.add_value_info(), "declared", {1, 2, 4});
  add_node(*graph.mutable_node(), "Flatten", {"declared"}, {"y"});
  graph.mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  const ConnectedGraph read = read_back(model);
  constexpr OpId relu = 2, flat = 3;
  REQUIRE(read.op(relu).type == "relu");
  CHECK(read.op(relu).outputs.at(0).shape == std::vector<std::int64_t>{1, 2, 4});
  CHECK(read.shapes->of_ops.at(relu).at(0) == nullptr);
  REQUIRE(read.shapes->of_ops.at(flat).at(0) != nullptr); // nothing is declared of it
  CHECK(read.shapes->of_ops.at(flat).at(0)->size() == 2);
}

TEST_CASE("a loop carries ranks from one time to the next, and stacks the rest") {
  onnx::ModelProto model = model_skeleton();
  auto& graph = *model.mutable_graph();
  add_value(*graph.add_input(), "trips", {}, onnx::TensorProto::INT64);
  auto& nodes = *graph.mutable_node();
  auto& loop = add_node(nodes, "Loop", {"trips", "", "x", "x"}, {"same", "grown", "all"});
  auto& body = add_subgraph(loop, "body");
  for (const char* input : {"i", "go", "a", "b"}) body.add_input()->set_name(input);
  add_integers(body, "ax", {0});
  add_node(*body.mutable_node(), "Relu", {"x"}, {"next_a"});
  add_node(*body.mutable_node(), "Unsqueeze", {"x", "ax"}, {"next_b"});
  for (const char* output : {"go", "next_a", "next_b", "next_b"})
    body.add_output()->set_name(output);
  add_node(nodes, "Sum", {"same", "grown", "all"}, {"y"});
  const ConnectedGraph read = read_back(model);
  const auto input = [&](std::size_t number) {
    return *read.program->input(read.program->nodes.back(), number);
  };
  CHECK(input(0).type.shape == std::vector<std::int64_t>{1, 8});
  CHECK(input(1).unranked);
  CHECK(rank_of(input(2)) == 4);
}

TEST_CASE("a body has inputs of its own, which begin as what it is given") {
  onnx::ModelProto model = model_skeleton();
  auto& graph = *model.mutable_graph();
  add_value(*graph.add_input(), "trips", {}, onnx::TensorProto::INT64);
  add_weight(graph, "w", {1, 8});
  auto& loop = add_node(*graph.mutable_node(), "Loop", {"trips", "", "x", "w"}, {"y", "last"});
  auto& body = add_subgraph(loop, "body");
  for (const char* input : {"i", "go", "a", "b"}) body.add_input()->set_name(input);
  add_node(*body.mutable_node(), "Add", {"a", "b"}, {"next"});
  for (const char* output : {"go", "next", "b"}) body.add_output()->set_name(output);
  const ConnectedGraph read = read_back(model);
  const Program& program = *read.program;
  REQUIRE(program.nodes.size() == 2);
  const ProgramNode& add = program.nodes[0];
  const ProgramNode& whole = program.nodes[1];
  const ProgramValue& carried = *program.input(add, 0);
  CHECK(carried.name == "a");
  CHECK(carried.origin == Origin::body);
  CHECK(carried.begins_as == whole.inputs.at(2));
  CHECK_FALSE(carried.type.shape); // nothing says that it keeps it
  CHECK(program.input(whole, 2)->origin == Origin::input);
  CHECK(program.input(whole, 3)->held);
  CHECK(program.parameter_of(whole.inputs.at(3)) == 0);
  CHECK(whole.input_count() == 4);
  CHECK(whole.results_of_bodies == 3);
  CHECK(readers_of(program).at(add.outputs.at(0)).at(0).node == 1);
  const auto edges = boost::make_iterator_range(boost::in_edges(add.op, read.graph()));
  REQUIRE(edges.size() == 1);
  CHECK(read.op(boost::source(*edges.begin(), read.graph())).name == "x");
}

TEST_CASE("a small constant is an argument of what reads it, and a node of the file") {
  onnx::ModelProto model = model_skeleton();
  auto& nodes = *model.mutable_graph()->mutable_node();
  auto& value = *add_node(nodes, "Constant", {}, {"sizes"}).add_attribute();
  value.set_name("value_ints");
  value.set_type(onnx::AttributeProto::INTS);
  for (const int size : {1, 8}) value.add_ints(size);
  add_node(nodes, "Reshape", {"x", "sizes"}, {"y"});
  const ConnectedGraph read = read_back(model);
  const Program& program = *read.program;
  REQUIRE(program.literals.size() == 1);
  CHECK(program.literals[0].op == none);
  CHECK(program.literals[0].outputs == std::vector{program.nodes.at(0).inputs.at(1)});
  CHECK(program.input(program.nodes[0], 1)->held);
  CHECK(read.op(program.nodes[0].op).attributes ==
        std::vector<Attribute>{{"shape", std::vector<std::int64_t>{1, 8}}});
  CHECK(program.nodes[0].attributes.empty());
  CHECK(all_nodes(program).size() == 2);
}

TEST_CASE("what is stored in a file is told from what operators make of it") {
  onnx::ModelProto model = model_skeleton();
  add_weight(*model.mutable_graph(), "w", {8, 8});
  auto& nodes = *model.mutable_graph()->mutable_node();
  add_node(nodes, "Identity", {"w"}, {"same"});
  set_integer(add_node(nodes, "Cast", {"same"}, {"half"}), "to", onnx::TensorProto::FLOAT16);
  add_node(nodes, "Transpose", {"half"}, {"turned"});
  add_node(nodes, "Identity", {"turned"}, {"again"});
  add_node(nodes, "Concat", {"w", "half", "turned", "again", "x"}, {"y"});
  const ConnectedGraph graph = read_back(model);
  std::vector<Origin> origins;
  for (const ValueId input : graph.program->nodes.back().inputs)
    origins.push_back(graph.program->find(input)->origin);
  CHECK(origins == std::vector{Origin::stored, Origin::passed_on, Origin::worked_out,
                               Origin::worked_out, Origin::input});
}

TEST_CASE("another dtype than a node yields is noted where a runtime goes by it") {
  onnx::ModelProto model = model_skeleton();
  auto& graph = *model.mutable_graph();
  auto& nodes = *graph.mutable_node();
  add_node(nodes, "Shape", {"x"}, {"size"});
  auto& value = *add_node(nodes, "Constant", {}, {"c"}).add_attribute();
  value.set_name("value_floats");
  value.set_type(onnx::AttributeProto::FLOATS);
  value.add_floats(1);
  add_node(nodes, "Reshape", {"x", "size"}, {"y"});
  for (const char* name : {"size", "c"})
    add_value(*graph.add_value_info(), name, {1}, onnx::TensorProto::FLOAT16);
  const ConnectedGraph read = read_back(model);
  const ProgramValue& size = *read.program->output(read.program->nodes.at(0), 0);
  CHECK(size.type == TensorType{std::vector<std::int64_t>{1}, "int64"});
  CHECK(size.other_type == "float16");
  const ProgramValue& constant = *read.program->output(read.program->literals.at(0), 0);
  CHECK(constant.type.dtype == "float32");
  CHECK(constant.other_type.empty());
}

TEST_CASE("a name that everything beneath it would repeat has a limited length") {
  const std::string name(5000, 'n');
  const std::string refused = "a name is 5000 characters long";
  onnx::ModelProto by_input = model_skeleton();
  by_input.mutable_graph()->mutable_input(0)->set_name(name);
  add_node(*by_input.mutable_graph()->mutable_node(), "Relu", {name.c_str()}, {"y"});
  CHECK(error_of(by_input) == refused);

  onnx::ModelProto by_function = model_skeleton();
  auto& function = add_function(by_function, "own", name);
  add_node(*function.mutable_node(), "Relu", {"a"}, {"b"});
  add_node(*by_function.mutable_graph()->mutable_node(), name, {"x"}, {"y"}).set_domain("own");
  CHECK(error_of(by_function) == "a name is 5005 characters long");
}

TEST_CASE("every dtype of ONNX has a name") {
  for (int type = 1; ::onnx::TensorProto_DataType_IsValid(type); ++type)
    CHECK_FALSE(onnx_format::dtype_name(type).empty());
  CHECK(onnx_format::dtype_name(::onnx::TensorProto::STRING) == "string");
  CHECK(onnx_format::dtype_name(-1).empty());
}

TEST_CASE("what values are follows through sequences and optionals") {
  onnx::ModelProto model = model_skeleton();
  auto& graph = *model.mutable_graph();
  auto& nodes = *graph.mutable_node();
  add_integers(graph, "zero", {0});
  add_node(nodes, "SequenceConstruct", {"x", "x"}, {"s"});
  add_node(nodes, "Optional", {"s"}, {"o"});
  add_node(nodes, "OptionalGetElement", {"o"}, {"t"});
  add_node(nodes, "SequenceAt", {"t", "zero"}, {"y"});
  const ConnectedGraph read = read_back(model);
  const auto yielded = [&read](std::size_t node) {
    const ProgramValue& value = *read.program->output(read.program->nodes.at(node), 0);
    return type_in_words(value.kind, value.type.dtype);
  };
  CHECK(yielded(0) == "sequence of float32");
  CHECK(yielded(1) == "optional sequence of float32");
  CHECK(yielded(2) == "sequence of float32");
  CHECK(yielded(3) == "float32");
}

TEST_CASE("a sequence that is declared a tensor is held against what it is") {
  onnx::ModelProto model = model_skeleton();
  add_node(*model.mutable_graph()->mutable_node(), "SequenceConstruct", {"x"}, {"y"});
  const ConnectedGraph read = read_back(model);
  CHECK(read.program->output(read.program->nodes.at(0), 0)->other_type == "float32");
}

TEST_CASE("a body may be given an optional for what it holds") {
  const onnx_format::KnownType list{"float32", ValueKind::sequence},
      tensor{"float32", ValueKind::tensor};
  CHECK(onnx_format::fit_at_border(onnx_format::optional_of(list), list));
  CHECK(onnx_format::fit_at_border(tensor, {"", ValueKind::unknown}));
  CHECK_FALSE(onnx_format::fit_at_border(tensor, list));
  CHECK_FALSE(onnx_format::fit_at_border(tensor, {"int64", ValueKind::tensor}));
}
