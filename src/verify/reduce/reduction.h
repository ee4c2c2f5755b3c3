#pragma once

#include "verify/reduce/attempt.h"
#include "verify/reduce/cutting.h"
#include "verify/reduce/onnx_outline.h"

#include <model_validator/verify/reduce.h>

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace model_validator::verify {

/// How a model fails, so that a part of it can be said to fail in the same way.
class Failure {
public:
  /// @param other  a runtime that runs the whole model, if any
  Failure(Answer answer, std::string message, const OnnxOutline& outline,
          std::optional<AskedRuntime> other = std::nullopt);

  Answer answer() const noexcept { return answer_; }
  const std::string& message() const noexcept { return message_; }
  /// What must also run each part, for else the part itself is wrong.
  const std::optional<AskedRuntime>& other() const noexcept { return other_; }
  /// Whether it ends in the same way, and the runtime says much the same of it. Names of the
  /// model's own and numbers do not count.
  bool is_like(const Attempt& other) const;

private:
  std::set<std::string> words_of(const std::string& message) const;

  Answer answer_;
  std::string message_;
  std::optional<AskedRuntime> other_;
  std::set<std::string> own_names_; ///< words in the names that the model gives
  std::set<std::string> words_;
};

/// A part of a model that fails.
struct FailingPart {
  OnnxCut cut;
  std::optional<OnnxCut> candidate; ///< the same part of the other file
  Attempt came;                     ///< what became of it
};

/// A search for the smallest part of a model that fails as the whole does: first the end is found,
/// by halves, then how far back the failure reaches, then nodes are left out one by one. Values at
/// a cut are those of the reference's run.
class Reduction {
public:
  /// @param candidate  the other file's nodes, where two files differ
  /// @param end  when the smallest part so far is taken
  Reduction(const ReduceRequest& request, const Subject& subject, const Subject* candidate,
            AskedRuntime runner, Failure failure, std::chrono::steady_clock::time_point end);

  /// Everything given, whatever the time; nothing where that does not fail when it is written anew.
  bool fails_as_a_whole();
  /// Makes it smaller, until the time is over or it is asked to stop.
  void run();

  const FailingPart& part() const { return *part_; }
  /// What the bodies of a node of the part take, when they first run; nothing where that is not
  /// known.
  std::optional<NamedTensors> inputs_of_body(const OnnxNode& node, const OnnxBody& body);
  std::size_t attempts() const noexcept { return attempts_; }
  bool is_out_of_time() const noexcept { return out_of_time_; }
  bool has_random_inputs() const noexcept { return random_inputs_; }

private:
  /// How what passes into a part is declared.
  enum class Form : std::uint8_t { inputs, stored_integers, as_declared };
  using Nodes = std::vector<std::size_t>;
  using Names = std::vector<std::string>;

  void seek();
  void cut_the_end();
  void cut_the_beginning();
  void leave_out_nodes();
  bool leave_out(const Nodes& nodes);
  void leave_out_outputs();
  void forget_values();

  bool fails(const Nodes& nodes, const Names& outputs);
  bool fails_in(Form form, const Nodes& nodes, const Names& outputs, const NamedTensors& given);
  std::vector<Form> forms_for(const NamedTensors& given) const;
  bool fails(const OnnxCut& cut);
  std::optional<OnnxCut> cut_of_candidate(const OnnxCut& cut) const;
  Attempt ask(const OnnxCut& cut, const std::optional<OnnxCut>& candidate);
  void require_time() const;
  void tell() const;

  const ReduceRequest& request_;
  const Subject& subject_;
  const Subject* candidate_;
  AskedRuntime runner_;
  Failure failure_;
  ReferenceValues values_;
  std::optional<FailingPart> part_;
  Form form_ = Form::as_declared;
  std::size_t attempts_ = 0;
  std::chrono::steady_clock::time_point end_;
  bool out_of_time_ = false;
  bool random_inputs_ = false;
};

} // namespace model_validator::verify
