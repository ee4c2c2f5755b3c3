#pragma once

#include "run/script.h"

#include <ATen/ATen.h>

namespace model_validator::verify {

/// Linear 10→10, ReLU, Linear 10→10, Sigmoid.
inline torch::jit::Module sequential() {
  auto module = scripted("");
  for (const char* name : {"w1", "w2"})
    module.register_parameter(name, at::randn({10, 10}) * 0.3, false);
  for (const char* name : {"b1", "b2"}) module.register_parameter(name, at::randn({10}), false);
  define(module, R"(
    def forward(self, x):
      x = torch.relu(torch.linear(x, self.w1, self.b1))
      return torch.sigmoid(torch.linear(x, self.w2, self.b2)))");
  module.eval();
  return module;
}

/// Convolution 3→4 without bias, batch normalisation with eps 0.001, ReLU.
inline torch::jit::Module conv_bn_relu() {
  auto module = scripted("");
  module.register_parameter("conv", at::randn({4, 3, 3, 3}), false);
  module.register_parameter("gain", at::rand({4}), false);
  module.register_parameter("bias", at::randn({4}), false);
  module.register_buffer("mean", at::randn({4}));
  module.register_buffer("variance", at::rand({4}) + 0.5);
  define(module, R"(
    def forward(self, x):
      x = torch.conv2d(x, self.conv, None, [1, 1], [1, 1])
      x = torch.batch_norm(x, self.gain, self.bias, self.mean, self.variance, False, 0.1, 0.001, False)
      return torch.relu(x))");
  module.eval();
  return module;
}

} // namespace model_validator::verify
