#pragma once

#include <model_validator/verify/interpreter.h>

#include <ATen/core/Tensor.h>

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace model_validator::verify {

/// A tensor of a run: the operator that made it, counted in the order they ran, and which of its
/// tensors it is.
struct ResultId {
  std::size_t op = 0;
  std::size_t index = 0;
  auto operator<=>(const ResultId&) const = default;
};

/// An operator that has just made tensors.
struct WatchedOp {
  std::size_t number;
  std::string name; ///< `conv2d_3`
  std::string type; ///< `conv2d`
  const Step& step;
  std::vector<at::Tensor> results;
  std::vector<ResultId> producers; ///< of the tensors it read; weights and inputs have none
};

/// Watches a run as operators that make tensors from each other's tensors, through any calls,
/// branches and lists.
class OpWatcher final : public RunObserver {
public:
  using Visit = std::function<void(const WatchedOp&)>;
  explicit OpWatcher(Visit visit) : visit_(std::move(visit)) {}

  void on_step(const Step& step) override;
  /// The operator that made a tensor that is still alive.
  std::optional<ResultId> maker_of(const at::Tensor& tensor) const;

private:
  /// An address is reused once its tensor is gone: the weak pointer shows that.
  struct Maker {
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;
    ResultId result;
  };

  void note_producers(const at::Tensor& tensor, std::vector<ResultId>& producers) const;
  void note_result(const at::Tensor& tensor, const Step& step, ResultId result);

  Visit visit_;
  std::size_t count_ = 0;
  std::unordered_map<const c10::TensorImpl*, Maker> makers_;
  std::unordered_map<const c10::StorageImpl*, ResultId> writers_;
  std::map<std::string, std::size_t> counters_;
};

} // namespace model_validator::verify
