#include "support/sample_graph.h"
#include "text/places.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("a place is written without a column that is not known") {
  CHECK(place({"net.py", 93, 14, 0}) == "net.py:93:14");
  CHECK(place({"net.py", 93, 0, 0}) == "net.py:93");
  CHECK(place({}).empty());
}

TEST_CASE("the user's own line is shown rather than torch's") {
  test::SampleGraph builder;
  const FrameId user = builder.frame(12);
  const FrameId torch = builder.graph.add_frame(
      {{"site-packages/torch/nn/modules/container.py", 250, 20, 0}, none, user});
  CHECK(builder.graph.user_frame(torch) == user);
  CHECK(builder.graph.user_frame(user) == user);
  CHECK(builder.graph.user_frame(none) == none);
}

TEST_CASE("a library whose name begins like torch's is user code") {
  test::SampleGraph builder;
  const FrameId outer = builder.frame(12);
  for (const char* file :
       {"torchvision/models/resnet.py", "torch_geometric/nn/conv.py", "mytorch/nn/block.py"}) {
    const FrameId inner = builder.graph.add_frame({{file, 5, 0, 0}, none, outer});
    CHECK(builder.graph.user_frame(inner) == inner);
  }
}

TEST_CASE("where all frames are torch's, the innermost is shown") {
  test::SampleGraph builder;
  const FrameId outer = builder.graph.add_frame({{"torch/nn/modules/rnn.py", 5, 0, 0}, 0, none});
  const FrameId inner = builder.graph.add_frame({{"torch/nn/functional.py", 9, 0, 0}, 0, outer});
  CHECK(builder.graph.user_frame(inner) == inner);
}

TEST_CASE("a location names the module whose code stands there") {
  test::SampleGraph builder;
  const ModuleId block = builder.module("block", "net.Block", false);
  const auto location = location_of(builder.graph, builder.frame(12, 12, block), "call");
  CHECK(location.source.line == 12);
  CHECK(location.module == "block");
  CHECK(location.role == "call");
}

TEST_CASE("names are listed as Python lists them") {
  CHECK(python_list({}) == "[]");
  CHECK(python_list({"relu1", "layer.relu"}) == "['relu1', 'layer.relu']");
  CHECK(short_class("torch.nn.modules.activation.ReLU") == "ReLU");
  CHECK(short_class("Net") == "Net");
}

TEST_CASE("the root is named as the model itself") {
  Module module;
  module.class_name = "torch.nn.modules.conv.Conv2d";
  CHECK(spoken_module(module, "module ") == "the model itself (Conv2d)");
  module.path = "layer1.conv";
  CHECK(spoken_module(module, "module ") == "module `layer1.conv` (Conv2d)");
  CHECK(spoken_module(module) == "`layer1.conv` (Conv2d)");
  module.class_name.clear();
  CHECK(spoken_module(module) == "`layer1.conv`");
}
