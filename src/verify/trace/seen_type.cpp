#include "verify/trace/seen_type.h"

#include "connected_graph/torchscript/file/tensor_type.h"
#include "verify/run/tensor_tree.h"

#include <algorithm>

namespace model_validator::verify {

void SeenType::see(const at::Tensor& tensor) {
  const auto sizes = tensor.sizes();
  if (!seen_) {
    seen_ = true;
    dtype_ = tensor.scalar_type();
    for (const std::int64_t size : sizes) sizes_.emplace_back(size, size);
    return;
  }
  if (dtype_ != tensor.scalar_type()) dtype_.reset();
  ranks_differ_ = ranks_differ_ || sizes.size() != sizes_.size();
  for (std::size_t i = 0; !ranks_differ_ && i < sizes.size(); ++i)
    sizes_[i] = {std::min(sizes_[i].first, sizes[i]), std::max(sizes_[i].second, sizes[i])};
}

void SeenType::see(const c10::IValue& value) {
  for_each_tensor(value, [this](const at::Tensor& tensor) { see(tensor); });
}

TensorType SeenType::type() const {
  TensorType type;
  if (!seen_) return type;
  if (dtype_) type.dtype = torchscript::dtype_name(*dtype_);
  if (ranks_differ_) return type;
  type.shape.emplace();
  for (const auto& [least, greatest] : sizes_)
    type.shape->push_back(least == greatest ? least : -1);
  return type;
}

SizeRanges SeenType::ranges() const {
  const bool varies = std::any_of(sizes_.begin(), sizes_.end(),
                                  [](const auto& size) { return size.first != size.second; });
  return varies && !ranks_differ_ ? sizes_ : SizeRanges();
}

} // namespace model_validator::verify
