#include "introspection/edge_model.h"
#include "introspection/executorch_file.h"
#include "introspection/xnnpack_schema.h"

#include <model_validator/data/dtype.h>

namespace model_validator {
namespace {

// Numbers of fields. (pytorch/executorch, schema/program.fbs)
namespace plan {
enum : int { values = 2, inputs = 3, outputs = 4 };
}
namespace evalue {
enum : int { type = 0, value = 1 };
constexpr std::uint8_t is_tensor = 5;
} // namespace evalue
namespace tensor {
enum : int { dtype = 0, sizes = 2, data = 5, allocation = 6, dynamism = 8 };
}

class ExecuTorchReader {
public:
  explicit ExecuTorchReader(const std::filesystem::path& path) : file_(path) {}

  EdgeModel read() {
    found_.entries = file_.names();
    found_.entry = found_.entries[file_.chosen()];
    const FlatTable& from = file_.method();
    for (const FlatTable& each : from.tables(plan::values))
      found_.values.push_back(read_value(each));
    take_ports(from.numbers<std::int32_t>(plan::inputs), "input_", found_.inputs);
    take_ports(from.numbers<std::int32_t>(plan::outputs), "output_", found_.outputs);
    for (const XnnGraph& graph : file_.xnn_graphs()) read_delegate(graph.table);
    return std::move(found_);
  }

private:
  /// A program keeps no names.
  void take_ports(const std::vector<std::int32_t>& numbers, const std::string& prefix,
                  std::vector<EdgePort>& ports) const {
    for (const std::int32_t number : numbers) {
      if (number < 0 || number >= std::ssize(found_.values)) file_.damaged();
      ports.push_back({prefix + std::to_string(ports.size()), static_cast<std::size_t>(number)});
    }
  }

  static EdgeValue read_value(const FlatTable& from) {
    EdgeValue value;
    const auto stored = from.table(evalue::value);
    if (from.number<std::uint8_t>(evalue::type) != evalue::is_tensor || !stored) return value;
    const auto dtype =
        dtype_numbered(&DTypeFacts::torch, stored->number<std::int8_t>(tensor::dtype));
    if (dtype) value.dtype = to_string(*dtype);
    value.is_stored =
        stored->number<std::uint32_t>(tensor::data) > 0 && !stored->table(tensor::allocation);
    // Where any size is open, all are the largest that it may have.
    if (stored->number<std::int8_t>(tensor::dynamism) != 0) return value;
    const auto sizes = stored->numbers<std::int32_t>(tensor::sizes);
    value.shape.emplace(sizes.begin(), sizes.end());
    return value;
  }

  void read_delegate(const FlatTable& graph) {
    for (const FlatTable& each : graph.tables(xnn::graph::values))
      if (const auto value = each.table(xnn::value::tensor))
        found_.values.push_back(read_delegated(
            *value, each.number<std::uint8_t>(xnn::value::type) == xnn::value::quantised));
  }

  static EdgeValue read_delegated(const FlatTable& from, bool is_quantised) {
    const auto tensor = is_quantised ? from.table(xnn::quantised::tensor) : std::optional(from);
    EdgeValue value;
    if (!tensor) return value;
    const auto dtype = tensor->number<std::int16_t>(xnn::tensor::dtype);
    value.is_stored = tensor->number<std::uint32_t>(xnn::tensor::constant) > 0;
    const auto sizes = tensor->numbers<std::uint32_t>(xnn::tensor::dims);
    value.shape.emplace(sizes.begin(), sizes.end());
    value.is_stepped = is_quantised;
    value.dtype = is_quantised ? (dtype == xnn::tensor::int4_of_channels ? "int4" : "int8")
                               : (dtype == xnn::tensor::float16 ? "float16" : "float32");
    const auto steps =
        is_quantised ? from.number<std::uint8_t>(xnn::quantised::steps_type) : std::uint8_t{0};
    value.has_many_scales = steps == xnn::steps::per_channel || steps == xnn::steps::per_group;
    return value;
  }

  ExecuTorchFile file_;
  EdgeModel found_;
};

} // namespace

EdgeModel read_executorch_program(const std::filesystem::path& file) {
  return ExecuTorchReader(file).read();
}

} // namespace model_validator
