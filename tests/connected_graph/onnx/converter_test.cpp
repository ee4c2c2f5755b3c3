#include "connected_graph/file_nodes.h"
#include "connected_graph/onnx/converter.h"
#include "connected_graph/onnx/model_builder.h"

#include <catch2/catch.hpp>

#include <functional>
#include <map>

using namespace model_validator;
using onnx::TensorProto;
using testing::add_node;
using testing::add_value;

namespace {

/// A model that takes `x` of float16, `i` of int64 and `flag`.
onnx::ModelProto model_of(const std::function<void(onnx::GraphProto&)>& fill) {
  onnx::ModelProto model;
  model.set_ir_version(10);
  model.add_opset_import()->set_version(20);
  auto& graph = *model.mutable_graph();
  add_value(*graph.add_input(), "x", {2}, TensorProto::FLOAT16);
  add_value(*graph.add_input(), "i", {2}, TensorProto::INT64);
  add_value(*graph.add_input(), "flag", {}, TensorProto::BOOL);
  fill(graph);
  return model;
}

std::unordered_map<std::string, std::string> dtypes_in(const onnx::ModelProto& model) {
  const testing::TemporaryFile file(model.SerializeAsString());
  const onnx_format::OnnxFile source(file.path());
  onnx_format::OwnGraph own;
  onnx_format::Converter(source, {}).convert(&own);
  return own.dtypes;
}

/// The forms of a file whose kind begins with this: the sentence of each kind.
std::map<std::string, std::string> forms_in(const onnx::ModelProto& model, const char* beginning) {
  const testing::TemporaryFile file(model.SerializeAsString());
  const onnx_format::OnnxFile source(file.path());
  std::map<std::string, std::string> found;
  const ConnectedGraph graph = onnx_format::Converter(source, {}).convert(nullptr);
  for (const GraphForm& form : graph.file_nodes->forms)
    if (form.kind.starts_with(beginning)) found[form.kind] = form.sentence;
  return found;
}

/// What a file declares and does not use.
std::map<std::string, std::string> unused_in(const onnx::ModelProto& model) {
  return forms_in(model, "unused-");
}

/// The one form in which a cubic resize by 1, 2, 2, 2 is spoken of, of an image of these sizes.
std::string resized_form(const std::vector<std::int64_t>& sizes,
                         std::initializer_list<const char*> results) {
  const auto model = model_of([&](auto& graph) {
    add_value(*graph.add_input(), "image", sizes);
    testing::add_weight_of(graph, "factors", {4}, {1, 2, 2, 2});
    auto& node = add_node(*graph.mutable_node(), "Resize", {"image", "", "factors"}, results);
    auto& mode = *node.add_attribute();
    mode.set_name("mode");
    mode.set_type(onnx::AttributeProto::STRING);
    mode.set_s("cubic");
    for (const char* name : results) graph.add_output()->set_name(name);
  });
  const auto found = forms_in(model, "resized-");
  return found.empty() ? "" : found.begin()->first;
}

void yield(onnx::GraphProto& graph, std::initializer_list<const char*> names) {
  for (const char* name : names) graph.add_output()->set_name(name);
}

} // namespace

TEST_CASE("dtypes that the file does not declare follow from its operators") {
  const auto dtypes = dtypes_in(model_of([](auto& graph) {
    auto& nodes = *graph.mutable_node();
    add_node(nodes, "Where", {"flag", "x", "x"}, {"chosen"});
    add_node(nodes, "TopK", {"x", "i"}, {"values", "indices"});
    testing::set_integer(add_node(nodes, "Cast", {"x"}, {"wide"}), "to", TensorProto::DOUBLE);
    add_node(nodes, "QuantizeLinear", {"x", "x"}, {"quantised"});
    add_node(nodes, "NewOperator", {"x"}, {"new"});
    add_node(nodes, "Relu", {"x"}, {"foreign"}).set_domain("acme");
    auto& sparse = *graph.add_sparse_initializer();
    sparse.mutable_values()->set_name("few");
    sparse.mutable_values()->set_data_type(TensorProto::FLOAT);
  }));
  CHECK(dtypes.at("x") == "float16");
  CHECK(dtypes.at("chosen") == "float16");
  CHECK(dtypes.at("values") == "float16");
  CHECK(dtypes.at("indices") == "int64");
  CHECK(dtypes.at("wide") == "float64");
  CHECK(dtypes.at("quantised") == "uint8");
  CHECK(dtypes.at("few") == "float32");
  CHECK(dtypes.at("new").empty());
  CHECK(dtypes.at("foreign").empty());
}

TEST_CASE("what an operator yields wins over what the file declares") {
  const auto dtypes = dtypes_in(model_of([](auto& graph) {
    auto& nodes = *graph.mutable_node();
    testing::set_integer(add_node(nodes, "Cast", {"x"}, {"wide"}), "to", TensorProto::DOUBLE);
    add_node(nodes, "Sqrt", {"wide"}, {"root"});
    add_node(nodes, "NewOperator", {"x"}, {"new"});
    for (const char* name : {"wide", "root", "new"})
      testing::add_value(*graph.add_value_info(), name, {2}, TensorProto::FLOAT16);
  }));
  CHECK(dtypes.at("wide") == "float64");
  CHECK(dtypes.at("root") == "float64");
  CHECK(dtypes.at("new") == "float16");
}

TEST_CASE("dtypes follow through arms and bodies") {
  const auto dtypes = dtypes_in(model_of([](auto& graph) {
    auto& choice = add_node(*graph.mutable_node(), "If", {"flag"}, {"y"});
    for (const char* arm : {"then_branch", "else_branch"}) {
      auto& inner = testing::add_subgraph(choice, arm);
      add_node(*inner.mutable_node(), "Neg", {"x"}, {"inside"});
      yield(inner, {"inside"});
    }
    auto& loop = add_node(*graph.mutable_node(), "Loop", {"i", "", "x"}, {"last", "all"});
    auto& body = testing::add_subgraph(loop, "body");
    for (const char* name : {"round", "go", "state"}) body.add_input()->set_name(name);
    add_node(*body.mutable_node(), "Neg", {"state"}, {"next"});
    add_node(*body.mutable_node(), "Size", {"next"}, {"count"});
    yield(body, {"go", "next", "count"});
    auto& foreign = add_node(*graph.mutable_node(), "Search", {"i"}, {"found"});
    foreign.set_domain("acme");
    auto& step = testing::add_subgraph(foreign, "decoder");
    step.add_input()->set_name("token");
    add_node(*step.mutable_node(), "Neg", {"x"}, {"logits"});
    yield(step, {"logits"});
  }));
  CHECK(dtypes.at("y") == "float16");
  CHECK(dtypes.count("inside") == 0);
  CHECK(dtypes.at("last") == "float16");
  CHECK(dtypes.at("all") == "int64");
  CHECK(dtypes.at("found").empty());
}

TEST_CASE("dtypes follow through a function") {
  auto model = model_of([](auto& graph) {
    add_node(*graph.mutable_node(), "twice", {"x"}, {"y"}).set_domain("own");
  });
  auto& function = *model.add_functions();
  function.set_domain("own");
  function.set_name("twice");
  function.add_input("a");
  function.add_output("b");
  add_node(*function.mutable_node(), "Add", {"a", "a"}, {"b"});
  CHECK(dtypes_in(model).at("y") == "float16");
}

TEST_CASE("what a file declares and nothing uses is listed") {
  auto model = model_of([](auto& graph) {
    auto& nodes = *graph.mutable_node();
    add_node(nodes, "Relu", {"x"}, {"y"});
    add_node(nodes, "Exp", {"x"}, {"gone"});
    testing::add_weight_of(graph, "idle", {2}, {1});
    add_value(*graph.add_value_info(), "nowhere", {2});
    yield(graph, {"y"});
  });
  model.add_opset_import()->set_domain("acme");
  auto& function = *model.add_functions();
  function.set_name("f");
  function.set_domain("local");
  CHECK(unused_in(model) ==
        std::map<std::string, std::string>{
            {"unused-node", "nothing reads what `Exp` `node_2` yields"},
            {"unused-tensor", "nothing reads the stored tensor `idle`"},
            {"unused-value-info", "a type is declared of the value `nowhere`, which nothing makes"},
            {"unused-import", "the file imports `acme`, of which it has no node"},
            {"unused-function", "no node calls the function `f`"}});
}

TEST_CASE("what a body or a function reads is used") {
  auto model = model_of([](auto& graph) {
    auto& nodes = *graph.mutable_node();
    testing::add_weight_of(graph, "outer", {2}, {1});
    auto& choice = add_node(nodes, "If", {"flag"}, {"y"});
    for (const char* name : {"then_branch", "else_branch"}) {
      auto& attribute = *choice.add_attribute();
      attribute.set_name(name);
      attribute.set_type(onnx::AttributeProto::GRAPH);
      auto& arm = *attribute.mutable_g();
      add_node(*arm.mutable_node(), "Neg", {"outer"}, {"t"});
      yield(arm, {"t"});
    }
    add_node(nodes, "f", {"y"}, {"z"}).set_domain("local");
    yield(graph, {"z"});
  });
  model.add_opset_import()->set_domain("local");
  auto& function = *model.add_functions();
  function.set_name("f");
  function.set_domain("local");
  function.add_input("a");
  function.add_output("b");
  function.add_opset_import()->set_version(20);
  add_node(*function.mutable_node(), "Neg", {"a"}, {"b"});
  CHECK(unused_in(model).empty());
}

TEST_CASE("which axes are resized is said, of sizes that are free, too, but of no unknown ones") {
  constexpr std::int64_t free = -1;
  CHECK(resized_form({1, 3, 8, 8}, {"y"}) == "resized-1-2-3-of-4-cubic");
  CHECK(resized_form({1, 3, free, free}, {"y"}) == "resized-1-2-3-of-4-cubic");
  CHECK(resized_form({1, 3, 8, 8}, {}) == "");
}

TEST_CASE("a free size that is resized to a number may be that number") {
  const auto model = model_of([](auto& graph) {
    testing::add_value(*graph.add_input(), "image", {-1, 3, 8, 8});
    testing::add_integers(graph, "sizes", {1, 3, 16, 16});
    add_node(*graph.mutable_node(), "Resize", {"image", "", "", "sizes"}, {"y"});
    yield(graph, {"y"});
  });
  CHECK(forms_in(model, "resized-").empty());
}

TEST_CASE("settings beyond any size do not overflow") {
  const auto model = model_of([](auto& graph) {
    testing::add_value(*graph.add_input(), "image", {1, 1, 8});
    auto& pool = add_node(*graph.mutable_node(), "MaxPool", {"image"}, {"y"});
    testing::set_integer(pool, "ceil_mode", 1);
    for (const auto& [name, number] : {std::pair("kernel_shape", std::int64_t{3}),
                                       std::pair("dilations", std::int64_t{1} << 62)}) {
      auto& list = *pool.add_attribute();
      list.set_name(name);
      list.set_type(onnx::AttributeProto::INTS);
      list.add_ints(number);
    }
    yield(graph, {"y"});
  });
  CHECK(forms_in(model, "pool-beyond").empty());
}

TEST_CASE("places that are counted by columns are told where only a body reads them") {
  for (const bool is_read : {true, false}) {
    const auto model = model_of([is_read](auto& graph) {
      auto& nodes = *graph.mutable_node();
      add_value(*graph.add_input(), "image", {1, 1, 4, 6});
      auto& pool = add_node(nodes, "MaxPool", {"image"}, {"y", "places"});
      testing::set_integer(pool, "storage_order", 1);
      auto& kernel = *pool.add_attribute();
      kernel.set_name("kernel_shape");
      kernel.set_type(onnx::AttributeProto::INTS);
      kernel.add_ints(2);
      kernel.add_ints(2);
      auto& choice = add_node(nodes, "If", {"flag"}, {"chosen"});
      for (const char* name : {"then_branch", "else_branch"}) {
        auto& arm = testing::add_subgraph(choice, name);
        add_node(*arm.mutable_node(), "Identity", {is_read ? "places" : "i"}, {"t"});
        yield(arm, {"t"});
      }
      yield(graph, {"y", "chosen"});
    });
    CHECK(forms_in(model, "pool-places-turned").size() == (is_read ? 1 : 0));
  }
}
