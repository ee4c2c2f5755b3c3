#include "connected_graph/module_hierarchy.h"
#include "connected_graph/python_trace.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

const std::string trace = "File \"/lib/torchvision/models/resnet.py\", line 285, in forward\n"
                          "    return self._forward_impl(x)\n"
                          "  File \"/lib/torch/nn/modules/activation.py\", line 143, in forward\n"
                          "    return F.relu(input)\n"
                          "           ^^^^^^^^^^^^^\n";

} // namespace

TEST_CASE("a Python stack trace is read, outermost call first") {
  const auto lines = parse_python_trace(trace);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].location.file == "/lib/torchvision/models/resnet.py");
  CHECK(lines[0].location.line == 285);
  CHECK(lines[0].function == "forward");
  CHECK(lines[0].code == "return self._forward_impl(x)");
  CHECK(lines[1].code == "return F.relu(input)");
}

TEST_CASE("the exporter's own frames are left out with their code") {
  const auto lines = parse_python_trace("File \"/lib/torch/_dynamo/functional_export.py\", line 1, "
                                        "in forward\n    exporter\n" +
                                        trace +
                                        "  File \"<eval_with_key>.5\", line 9, in forward\n"
                                        "    cond = torch.ops.higher_order.cond()\n");
  REQUIRE(lines.size() == 2);
  CHECK(lines[1].code == "return F.relu(input)");
}

TEST_CASE("text that is no trace gives no lines") {
  CHECK(parse_python_trace("").empty());
  CHECK(parse_python_trace("File \"").empty());
  CHECK(parse_python_trace("no trace\nat all").empty());
  CHECK(parse_python_trace("File \"a.py\", line x, in f").at(0).location.line == 0);
}

TEST_CASE("each frame belongs to the module whose forward it is") {
  GraphBuilder graph;
  ModuleHierarchy modules(graph);
  const ModuleId root = modules.at("", "torchvision.models.resnet.ResNet");
  const ModuleId relu = modules.at("relu", "torch.nn.modules.activation.ReLU");
  FrameTable frames(graph);
  const FrameId innermost = frames.innermost(parse_python_trace(trace), {{root}, {relu}});
  const auto chain = graph.call_chain(innermost);
  REQUIRE(chain.size() == 2);
  CHECK(graph.frames()[chain[0]].module == relu);
  CHECK(graph.frames()[chain[1]].module == root);
  CHECK(*graph.source_line("/lib/torch/nn/modules/activation.py", 143) == "return F.relu(input)");

  SECTION("and stands in the table once") {
    CHECK(frames.innermost(parse_python_trace(trace), {{root}, {relu}}) == innermost);
    CHECK(graph.frames().size() == 2);
  }
  SECTION("also where a module in between left no frame") {
    const ModuleId layer = modules.at("layer", "net.Layer");
    const ModuleId inner = modules.at("layer.relu", "torch.nn.modules.activation.ReLU");
    const auto other = frames.innermost(parse_python_trace(trace), {{root}, {layer}, {inner}});
    CHECK(graph.frames()[other].module == inner);
  }
}
