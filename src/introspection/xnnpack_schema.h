#pragma once

#include <cstdint>

// Numbers of the fields of XNNPACK's graphs.
// (pytorch/executorch, backends/xnnpack/serialization/runtime_schema.fbs)
namespace model_validator::xnn {

namespace graph {
enum : int { nodes = 1, values = 2, constants = 8 };
}
namespace node {
enum : int { type = 0, layer = 1 };
constexpr std::uint8_t fully_connected = 2, convolution = 7, depthwise = 13, transposed = 39;
} // namespace node
namespace value {
enum : int { type = 0, tensor = 1 };
constexpr std::uint8_t quantised = 2;
} // namespace value
namespace quantised {
enum : int { tensor = 0, steps_type = 1, steps = 2 };
}
namespace steps {
constexpr std::uint8_t per_channel = 1, per_tensor = 2, per_group = 4;
constexpr int scale = 0; // of all three
constexpr int zero_point = 1;
namespace of_channels {
enum : int { axis = 1, constant = 2, count = 3 };
}
namespace of_groups {
enum : int { size = 2, constant = 4, count = 5 };
}
} // namespace steps
namespace tensor {
enum : int { dtype = 0, dims = 2, constant = 3, id = 6 };
constexpr std::int16_t float16 = 2, int8 = 3, uint8 = 4, int8_of_channels = 6, int4_of_channels = 8,
                       int4_of_groups = 10;
} // namespace tensor
namespace constant {
enum : int { offset = 0, size = 1, name = 2 };
}

} // namespace model_validator::xnn
