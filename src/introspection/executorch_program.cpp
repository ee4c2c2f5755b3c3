#include "files/flat_table.h"
#include "introspection/edge_model.h"

#include <model_validator/data/dtype.h>
#include <model_validator/error.h>

#include <algorithm>
#include <string_view>

namespace model_validator {
namespace {

// Numbers of fields. (pytorch/executorch, schema/program.fbs)
namespace program {
enum : int { plans = 1, inline_data = 3, segments = 4 };
}
namespace plan {
enum : int { name = 0, values = 2, inputs = 3, outputs = 4, delegates = 7 };
}
namespace evalue {
enum : int { type = 0, value = 1 };
constexpr std::uint8_t is_tensor = 5;
} // namespace evalue
namespace tensor {
enum : int { dtype = 0, sizes = 2, data = 5, allocation = 6, dynamism = 8 };
}
namespace delegate {
enum : int { id = 0, processed = 1 };
}
namespace processed {
enum : int { location = 0, index = 1 };
}
namespace segment {
constexpr int offset = 0;
}
// (pytorch/executorch, backends/xnnpack/serialization/runtime_schema.fbs)
namespace xnn {
constexpr int values = 2;
enum : int { type = 0, value = 1 };               // of one
enum : int { tensor = 0, steps_type = 1 };        // of one that is quantised
enum : int { dtype = 0, dims = 2, constant = 3 }; // of a tensor
constexpr std::uint8_t quantised = 2, per_channel = 1, per_group = 4;
constexpr std::int16_t float16 = 2, in_four_bits = 8;
} // namespace xnn

class ExecuTorchReader {
public:
  explicit ExecuTorchReader(const std::filesystem::path& path)
      : file_(path), root_(FlatTable::root(file_)) {}

  EdgeModel read() {
    const auto plans = root_.tables(program::plans);
    if (plans.empty()) damaged();
    for (const FlatTable& each : plans) found_.entries.push_back(each.text(plan::name));
    const auto usual = std::ranges::find(found_.entries, "forward");
    const auto chosen = static_cast<std::size_t>(
        usual == found_.entries.end() ? 0 : usual - found_.entries.begin());
    found_.entry = found_.entries[chosen];
    const FlatTable& from = plans[chosen];
    for (const FlatTable& each : from.tables(plan::values))
      found_.values.push_back(read_value(each));
    take_ports(from.numbers<std::int32_t>(plan::inputs), "input_", found_.inputs);
    take_ports(from.numbers<std::int32_t>(plan::outputs), "output_", found_.outputs);
    for (const FlatTable& each : from.tables(plan::delegates))
      if (each.text(delegate::id) == "XnnpackBackend") read_delegate(each);
    return std::move(found_);
  }

private:
  [[noreturn]] void damaged() const {
    throw Error(ErrorKind::damaged_file, file_.path().string(), "the ExecuTorch program is damaged",
                "copy it again, or lower the model again");
  }

  /// A program keeps no names.
  void take_ports(const std::vector<std::int32_t>& numbers, const std::string& prefix,
                  std::vector<EdgePort>& ports) const {
    for (const std::int32_t number : numbers) {
      if (number < 0 || number >= std::ssize(found_.values)) damaged();
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

  void read_delegate(const FlatTable& from) {
    const auto place = from.table(delegate::processed);
    const auto at = place ? start_of_data(*place) : std::nullopt;
    if (!at) return;
    constexpr std::uint64_t magic = 4, flat_offset = 10;
    std::uint32_t offset = 0;
    if (file_.read_at(*at + magic, 4) != "XH00" ||
        file_.read_at(*at + flat_offset, &offset, sizeof offset) != sizeof offset)
      return;
    for (const FlatTable& each : FlatTable::root(file_, *at + offset).tables(xnn::values))
      if (const auto value = each.table(xnn::value))
        found_.values.push_back(
            read_delegated(*value, each.number<std::uint8_t>(xnn::type) == xnn::quantised));
  }

  /// Where what was made for a delegate begins. None where it lies in the program itself, as older
  /// releases had it.
  std::optional<std::uint64_t> start_of_data(const FlatTable& place) const {
    constexpr std::uint64_t magic = 8, base_at = 24;
    const auto segments = root_.tables(program::segments);
    const auto index = place.number<std::uint32_t>(processed::index);
    std::uint64_t base = 0;
    const bool is_segment = place.number<std::int8_t>(processed::location) == 1;
    if (!is_segment || index >= segments.size() || file_.read_at(magic, 4) != "eh00" ||
        file_.read_at(base_at, &base, sizeof base) != sizeof base)
      return std::nullopt;
    return base + segments[index].number<std::uint64_t>(segment::offset);
  }

  static EdgeValue read_delegated(const FlatTable& from, bool is_quantised) {
    const auto tensor = is_quantised ? from.table(xnn::tensor) : std::optional(from);
    EdgeValue value;
    if (!tensor) return value;
    const auto dtype = tensor->number<std::int16_t>(xnn::dtype);
    value.is_stored = tensor->number<std::uint32_t>(xnn::constant) > 0;
    const auto sizes = tensor->numbers<std::uint32_t>(xnn::dims);
    value.shape.emplace(sizes.begin(), sizes.end());
    value.is_stepped = is_quantised;
    value.dtype = is_quantised ? (dtype == xnn::in_four_bits ? "int4" : "int8")
                               : (dtype == xnn::float16 ? "float16" : "float32");
    const auto steps = is_quantised ? from.number<std::uint8_t>(xnn::steps_type) : std::uint8_t{0};
    value.has_many_scales = steps == xnn::per_channel || steps == xnn::per_group;
    return value;
  }

  InputFile file_;
  FlatTable root_;
  EdgeModel found_;
};

} // namespace

EdgeModel read_executorch_program(const std::filesystem::path& file) {
  return ExecuTorchReader(file).read();
}

} // namespace model_validator
