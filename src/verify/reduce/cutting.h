#pragma once

#include "verify/reduce/attempt.h"
#include "verify/reduce/onnx_cut.h"
#include "verify/reduce/onnx_outline.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A model, and what it is run with.
struct Subject {
  std::filesystem::path model;
  OnnxFlow flow;
  NamedTensors inputs;
};

inline std::uint64_t byte_count(const TensorView& view) {
  return static_cast<std::uint64_t>(element_count(view)) * element_size(view.dtype);
}

/// Reads a file's nodes in a process that can only compute. @throws Error
OnnxFlow flow_of(const VerifyRequest& request, const std::filesystem::path& model);

/// Writes parts of a model in a process that can write nowhere else, all into one folder. One that
/// cannot be written is left out. @throws Error (`interrupted`)
void write_cuts(const VerifyRequest& request, const std::filesystem::path& model,
                const std::vector<OnnxCut>& cuts, const std::vector<std::filesystem::path>& files);
/// The same of one. @returns whether it was written
bool write_cut(const VerifyRequest& request, const std::filesystem::path& model, const OnnxCut& cut,
               const std::filesystem::path& file);

/// The same of a body of one of its nodes.
bool write_body(const VerifyRequest& request, const std::filesystem::path& model,
                const OnnxOpenedBody& opened, const std::filesystem::path& file);

/// What a model's values are where ONNX Runtime runs it without optimisations, or, where that
/// cannot, the runtime that is asked for it; computed when they are wanted.
class ReferenceValues {
public:
  ReferenceValues(const VerifyRequest& request, const Subject& subject, AskedRuntime other)
      : request_(request), subject_(subject), runtimes_{reference_runner(), std::move(other)} {}

  /// @returns nothing where one of them cannot be computed
  std::optional<NamedTensors> of(const std::vector<std::string>& names);
  /// Frees what can be computed again, where it has become much.
  void forget_if_large();

private:
  bool compute(const std::vector<std::string>& names);
  bool compute_by(const AskedRuntime& runtime, const std::vector<std::string>& names);

  const VerifyRequest& request_;
  const Subject& subject_;
  std::array<AskedRuntime, 2> runtimes_;
  std::map<std::string, Tensor> known_;
  std::set<std::string> impossible_;
};

} // namespace model_validator::verify
