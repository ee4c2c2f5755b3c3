#include "verify/inputs/later_values.h"

#include "verify/inputs/strided_copy.h"

#include <model_validator/data/dtype.h>

#include <algorithm>
#include <string>

namespace model_validator::verify {
namespace {

void move_on(Tensor& tensor, std::size_t places) {
  const auto count = static_cast<std::size_t>(element_count(tensor.view));
  if (!is_floating(tensor.view.dtype) || count < 2) return;
  std::string bytes;
  append_row_major(bytes, tensor.view);
  const auto moved = static_cast<std::ptrdiff_t>(places % count * (bytes.size() / count));
  std::rotate(bytes.begin(), bytes.end() - moved, bytes.end());
  tensor = make_tensor(tensor.view.dtype, tensor.view.shape, bytes.data());
}

void move_on(Value& value, std::size_t places) {
  if (auto* tensor = std::get_if<Tensor>(&value.data)) return move_on(*tensor, places);
  if (auto* sequence = std::get_if<Sequence>(&value.data))
    for (Value& item : sequence->items) move_on(item, places);
  if (auto* dict = std::get_if<Dict>(&value.data))
    for (auto& [key, item] : dict->items) move_on(item, places);
}

} // namespace

NamedValues moved_on(NamedValues values, std::size_t places) {
  for (NamedValue& each : values) move_on(each.value, places);
  return values;
}

} // namespace model_validator::verify
