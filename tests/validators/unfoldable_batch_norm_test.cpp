#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

constexpr test::Checker check{checks::unfoldable_batch_norm};

struct Chain {
  SampleGraph builder;
  OpId last = none;

  Chain& append(OpId op) {
    if (last != none) builder.edge(last, op);
    last = op;
    return *this;
  }
  OpId call(const std::string& path, const std::string& class_name,
            std::vector<Attribute> arguments = {}) {
    return builder.call(builder.module(path, class_name), builder.frame(5), 1, none,
                        {{"aten::op", std::move(arguments), {}, {}}});
  }
  Chain& input() { return append(builder.op("x_0", OpKind::input)); }
  Chain& conv(std::vector<Attribute> arguments = {}) {
    return append(call("conv", "torch.nn.modules.conv.Conv2d", std::move(arguments)));
  }
  Chain& norm() { return append(call("norm", "torch.nn.modules.batchnorm.BatchNorm2d")); }
  Chain& relu() { return append(call("relu", "torch.nn.modules.activation.ReLU")); }
};

} // namespace

TEST_CASE("a batch norm after a convolution that nothing else reads can be folded") {
  Chain chain;
  chain.input().conv().norm().relu();
  CHECK(check(chain.builder).findings().empty());
}

TEST_CASE("a batch norm after an activation is found") {
  Chain chain;
  chain.input().norm().relu();
  const auto found = check(chain.builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "batch norm `norm` (BatchNorm2d) cannot be folded");
}

TEST_CASE("a convolution that has a batch norm folded in, and its name, is no batch norm") {
  Chain chain;
  Operator conv;
  conv.schema = "onnx::Conv";
  const OpId folded =
      chain.builder.call(chain.builder.module("norm", "torch.nn.modules.batchnorm.BatchNorm2d"),
                         chain.builder.frame(5), 1, none, {conv});
  chain.input().append(folded).relu();
  CHECK(check(chain.builder).findings().empty());
}

TEST_CASE("a batch norm of a layer fused for quantisation-aware training belongs to that") {
  for (const bool fused : {true, false}) {
    Chain chain;
    chain.builder.module(
        "conv", fused ? "torch.ao.nn.intrinsic.qat.modules.conv_fused.ConvBnReLU2d" : "net.Block",
        false);
    const OpId norm = chain.call("conv.bn", "torch.nn.modules.batchnorm.BatchNorm2d");
    chain.input().append(chain.builder.functional("div", "aten::div.Tensor")).append(norm).relu();
    CHECK(check(chain.builder).findings().size() == (fused ? 0 : 1));
  }
}

TEST_CASE("a batch norm whose convolution is read elsewhere is found") {
  Chain chain;
  chain.input().conv();
  const OpId conv = chain.last;
  chain.norm().relu();
  chain.builder.edge(conv, chain.builder.functional("add", "aten::add.Tensor"));
  CHECK(check(chain.builder).findings().size() == 1);
}

TEST_CASE("a batch norm before a convolution can be folded where that does not pad") {
  Chain unpadded;
  unpadded.input().norm().conv();
  CHECK(check(unpadded.builder).findings().empty());
  Chain padded;
  padded.input().norm().conv({{"padding", std::vector<std::int64_t>{1, 1}}});
  CHECK(check(padded.builder).findings().size() == 1);
}

TEST_CASE("a dropout or identity between changes nothing") {
  Chain chain;
  chain.input().conv();
  chain.append(chain.call("drop", "torch.nn.modules.dropout.Dropout"));
  chain.norm();
  CHECK(check(chain.builder).findings().empty());
}
