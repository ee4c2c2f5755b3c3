#include "files/new_folder.h"
#include "files/scratch_folder.h"
#include "text/escape.h"
#include "verify/command/confined_reading.h"
#include "verify/reduce/bug_report.h"
#include "verify/reduce/node_lines.h"
#include "verify/reduce/runtimes.h"
#include "verify/reduce/whole_failure.h"

#include <model_validator/error.h>

#include <algorithm>
#include <memory>

namespace model_validator::verify {
namespace {

void require_new(const std::filesystem::path& folder) {
  std::error_code failure;
  if (std::filesystem::exists(std::filesystem::symlink_status(folder, failure)))
    throw Error(ErrorKind::already_there, folder.string(), "there is something here already",
                "name a new folder");
}

std::string files_in_words(const ReduceRequest& request, const BugReport& report) {
  const std::string folder = escape(request.folder.string());
  return headline(report) + "\n  " + std::to_string(report.nodes_of_whole) + " nodes became " +
         std::to_string(report.part.cut.nodes.size()) + ", in " + std::to_string(report.attempts) +
         " attempts\n  " + folder + "/reduced.onnx is the model, `python " + folder +
         "/repro.py` shows the failure, and " + folder + "/report.md is for a bug report\n";
}

std::string how_to_go_on(const std::filesystem::path& folder, const OnnxCut& cut) {
  const std::string name = escape(folder.string());
  return "  it was ended before it was smallest: `model_validator reduce " + name +
         "/reduced.onnx" + (cut.inputs.empty() ? "" : " --inputs " + name + "/inputs.npz") +
         "`, with the same options, goes on\n";
}

void write_models(const VerifyRequest& request, const Subject& subject, const Subject* other,
                  const FailingPart& part, const std::filesystem::path& folder) {
  const bool written = write_cut(request, subject.model, part.cut, folder / "reduced.onnx") &&
                       (!part.candidate || write_cut(request, other->model, *part.candidate,
                                                     folder / "candidate.onnx"));
  if (!written)
    throw Error(ErrorKind::cannot_write, folder.string(), "the reduced model cannot be written");
}

/// Searches a model, and then bodies of what is left of it.
class Search {
public:
  Search(const ReduceRequest& request, const WholeFailure& whole)
      : request_(request), whole_(whole), end_(std::chrono::steady_clock::now() + request.time),
        subject_(own_subject(whole.model)),
        other_(whole.is_pair ? own_subject(request.verify.candidate) : nullptr),
        failure_(whole.answer, whole.message, subject_->flow.outline(), other_runtime()),
        nodes_(subject_->flow.outline().nodes.size()) {}

  /// @throws Error (`not-repeatable`) where the model does not fail when it is written anew
  void run() {
    reduction_ = reduction_of(*subject_);
    if (!reduction_->fails_as_a_whole())
      throw Error(ErrorKind::not_repeatable, whole_.model.string(),
                  "the model fails, but does not where its nodes are written anew: " +
                      whole_.message);
    reduction_->run();
    attempts_ = reduction_->attempts();
    while (!other_ && !reduction_->is_out_of_time() && go_into_a_body())
      attempts_ += reduction_->attempts();
  }

  const Subject& subject() const { return *subject_; }
  const Subject* other() const { return other_.get(); }
  const Reduction& reduction() const { return *reduction_; }
  const Failure& failure() const { return failure_; }
  std::size_t nodes() const { return nodes_; } ///< of the whole
  std::size_t attempts() const { return attempts_; }

private:
  std::unique_ptr<Subject> own_subject(const std::filesystem::path& model) const {
    return std::make_unique<Subject>(subject_of(request_.verify, model, whole_.inputs));
  }

  /// Where values differ, the reference runs each part anyway.
  std::optional<AskedRuntime> other_runtime() const {
    if (whole_.answer == Answer::differs) return std::nullopt;
    ExpectedRun run = run_by_reference(request_.verify, subject_->model, subject_->inputs);
    return run.run.answer == Answer::ran ? std::optional(std::move(run.runner)) : std::nullopt;
  }

  std::unique_ptr<Reduction> reduction_of(const Subject& subject) const {
    return std::make_unique<Reduction>(request_, subject, other_.get(), whole_.runner, failure_,
                                       end_);
  }

  /// @returns whether one that is left fails by itself
  bool go_into_a_body() {
    const auto& nodes = subject_->flow.outline().nodes;
    for (const std::size_t number : std::vector(reduction_->part().cut.nodes))
      for (std::size_t body = 0; body < nodes[number].bodies.size(); ++body)
        if (go_into(number, body)) return true;
    return false;
  }

  bool go_into(std::size_t number, std::size_t body) {
    const OnnxNode& node = subject_->flow.outline().nodes[number];
    const auto inputs = reduction_->inputs_of_body(node, node.bodies[body]);
    if (!inputs) return false;
    auto folder = std::make_unique<ScratchFolder>();
    const auto file = folder->path() / "body.onnx";
    if (!write_body(request_.verify, subject_->model, {number, body, *inputs}, file)) return false;
    auto inside = std::make_unique<Subject>(subject_of(request_.verify, file, *inputs));
    auto reduction = reduction_of(*inside);
    if (!reduction->fails_as_a_whole()) return false;
    reduction->run();
    reduction_ = std::move(reduction);
    subject_ = std::move(inside);
    opened_.push_back(std::move(folder));
    return true;
  }

  const ReduceRequest& request_;
  const WholeFailure& whole_;
  std::chrono::steady_clock::time_point end_;
  std::vector<std::unique_ptr<ScratchFolder>> opened_; ///< bodies, as files
  std::unique_ptr<Subject> subject_, other_;
  Failure failure_;
  std::size_t nodes_;
  std::unique_ptr<Reduction> reduction_;
  std::size_t attempts_ = 0;
};

/// What the reference gives.
void add_expectation(const VerifyRequest& request, const std::filesystem::path& model,
                     BugReport& report) {
  const OnnxCut& cut = report.part.cut;
  const ExpectedRun reference = run_by_reference(request, model, cut.inputs);
  report.expected = reference.run.outputs;
  for (std::size_t i = 0; i < std::min(report.expected.size(), cut.outputs.size()); ++i)
    report.expected[i].name = cut.outputs[i];
  report.reference = runtime_in_words(reference.runner, version_of(request, reference.runner));
}

/// What a report holds besides what was found.
BugReport report_of(const ReduceRequest& request, const WholeFailure& whole, const Search& search,
                    const std::filesystem::path& folder) {
  const FailingPart& part = search.reduction().part();
  const auto model = folder / "reduced.onnx";
  const auto ran = part.candidate ? folder / "candidate.onnx" : model;
  const VerifyRequest& verify = request.verify;
  BugReport report{request, search.subject(), whole.runner, part};
  report.nodes_of_whole = search.nodes();
  report.attempts = search.attempts();
  report.random_inputs = search.reduction().has_random_inputs();
  add_expectation(verify, model, report);
  report.came = try_model(verify, whole.runner, ran, part.cut.inputs).outputs;
  report.version = version_of(verify, whole.runner);
  report.lines = read_confined_value({model}, verify, [&] { return node_lines(model); });
  if (part.candidate)
    report.lines_of_candidate = read_confined_value({ran}, verify, [&] { return node_lines(ran); });
  return report;
}

} // namespace

ReduceResult run_reduction(const ReduceRequest& given) {
  ReduceRequest request = given;
  constexpr std::chrono::seconds usual_limit{60};
  if (!request.verify.timeout) request.verify.timeout = usual_limit;
  require_onnx(request.verify);
  require_new(request.folder);
  NewFolder folder(request.folder, request.verify.stop);
  const auto whole = failure_of_whole(request.verify);
  if (!whole) return {false, "the model does not fail: there is nothing to reduce\n"};
  Search search(request, *whole);
  search.run();
  request.verify.stop = {}; // what is known is written down
  write_models(request.verify, search.subject(), search.other(), search.reduction().part(),
               folder.path());
  const BugReport report = report_of(request, *whole, search, folder.path());
  write_bug_report(report, folder.path());
  folder.put_in_place();
  const bool in_time = !search.reduction().is_out_of_time();
  return {true, files_in_words(request, report) +
                    (in_time ? "" : how_to_go_on(request.folder, report.part.cut))};
}

} // namespace model_validator::verify
