#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// The numbers of the fields of a `.tflite` file. (google-ai-edge/LiteRT,
// tflite/converter/schema/schema.fbs)
namespace model_validator::litert {

namespace model {
enum : int { operator_codes = 1, subgraphs = 2, buffers = 4, signatures = 7 };
}
namespace graph {
enum : int { tensors = 0, inputs = 1, outputs = 2, operators = 3 };
}
namespace tensor {
enum : int { shape = 0, type = 1, buffer = 2, name = 3, quantisation = 4, open_shape = 7 };
}
namespace quantisation {
enum : int { scales = 2, zero_points = 3, details_type = 4, details = 5, axis = 6 };
constexpr std::uint8_t in_blocks = 2;
constexpr int block_size = 2;
} // namespace quantisation
namespace op {
enum : int { code = 0, inputs = 1, outputs = 2, options = 4 };
}
namespace operator_code {
enum : int { old_builtin = 0, custom = 1, version = 2, builtin = 3 };
}
namespace fully_connected {
enum : int { weights_format = 1 };
}
namespace buffer {
enum : int { data = 0, offset = 1, size = 2 };
}
namespace signature {
enum : int { inputs = 0, outputs = 1, key = 2, subgraph = 4 };
}
namespace map {
enum : int { name = 0, tensor = 1 };
}

/// By `TensorType`.
constexpr std::array<std::string_view, 21> dtypes{
    "float32", "float16",   "int32",  "uint8",   "int64",      "string", "bool",
    "int16",   "complex64", "int8",   "float64", "complex128", "uint64", "",
    "",        "uint32",    "uint16", "int4",    "bfloat16",   "int2",   "uint4"};

} // namespace model_validator::litert
