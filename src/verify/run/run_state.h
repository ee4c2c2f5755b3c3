#pragma once

#include "verify/run/tensor_tree.h"

#include <torch/csrc/jit/api/module.h>

#include <unordered_map>
#include <utility>
#include <vector>

namespace model_validator::verify {

/// The state of a module during a run: as long as this lives, its objects hold copies of their
/// lists and dicts, and stand-ins for their tensors. What the run changes is gone afterwards.
/// Objects are not copied, because a NodeMap distinguishes calls by them.
class RunState {
public:
  /// @param stand_in  called once for every tensor
  RunState(const torch::jit::Module& module, TensorMap stand_in);
  ~RunState();
  RunState(const RunState&) = delete;
  RunState& operator=(const RunState&) = delete;

private:
  c10::IValue copy(const c10::IValue& value);
  c10::IValue copy_contents(const c10::IValue& value);
  c10::IValue copy_list(const c10::IValue& value);
  c10::IValue copy_dict(const c10::IValue& value);

  TensorMap stand_in_;
  std::vector<std::pair<c10::intrusive_ptr<c10::ivalue::Object>, std::vector<c10::IValue>>> saved_;
  std::unordered_map<const void*, c10::IValue> copies_; ///< what is held twice is copied once
};

/// Copies of tensors that share memory with each other as the originals do, and none with them.
class TensorCopies {
public:
  at::Tensor operator()(const at::Tensor& tensor);

private:
  std::unordered_map<const c10::StorageImpl*, c10::Storage> copies_;
};

} // namespace model_validator::verify
