#pragma once

#include <torch/csrc/jit/serialization/source_range_serialization.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::torchscript {

/// The Python locations that a file of TorchScript code came from: its `.debug_pkl`, decoded on
/// first use.
class DebugRanges final : public torch::jit::SourceRangeUnpickler {
public:
  explicit DebugRanges(std::string pickle) : pickle_(std::move(pickle)) {}

  std::optional<torch::jit::SourceRange>
  findSourceRangeThatGenerated(const torch::jit::SourceRange& range) override;

private:
  /// From byte `offset` on, the code comes from this piece of Python.
  struct Record {
    std::uint64_t offset;
    std::uint64_t start;
    std::uint64_t end;
    std::shared_ptr<torch::jit::Source> source;
  };
  void decode();

  std::once_flag decoded_;
  std::string pickle_;
  std::vector<Record> records_;
};

} // namespace model_validator::torchscript
