#include "verify/command/localized_run.h"

#include "files/process/value_file.h"
#include "files/scratch_folder.h"
#include "files/temporary_folder.h"
#include "text/grouped_names.h"
#include "verify/backends/builtin.h"
#include "verify/backends/onnx_moved.h"
#include "verify/command/model_work.h"
#include "verify/command/moved_model.h"
#include "verify/command/quantised_copy.h"
#include "verify/localize/layer_errors.h"
#include "verify/localize/localize.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/join.hpp>
#include <c10/core/GradMode.h>

#include <set>

namespace model_validator::verify {
namespace {

/// Whether the compiled model continues from the state of the given module.
bool runs_module(const std::string& backend) { return backend == "eager" || backend == "ts"; }

/// The module with the state that it has after some calls.
torch::jit::Module after_calls(const torch::jit::Module& module, const Arguments& calls) {
  const c10::NoGradGuard no_gradients;
  auto used = module.deepcopy();
  for (const auto& inputs : calls) used.forward(clone_inputs(inputs));
  return used;
}

/// Names of values that no run shows.
class Hidden {
public:
  ShowRun noted(ShowRun run) {
    return [this, run = std::move(run)](const IntermediateRun& what) {
      IntermediateRun noted = what;
      noted.pass_over = [this](const std::string& name) { names_.insert(name); };
      return run(noted);
    };
  }

  void add_to(std::vector<std::string>& notes) const {
    if (names_.empty()) return;
    notes.push_back("not compared, as they are text, lists or numbers of 4 bits: `" +
                    boost::join(grouped({names_.begin(), names_.end()}), "`, `") + "`");
  }

private:
  std::set<std::string> names_;
};

std::unique_ptr<ReferenceRun> traced_reference(const ComparedPair& pair, const ModelFile& reference,
                                               const Arguments& before,
                                               const std::vector<c10::IValue>& inputs,
                                               Hidden& hidden) {
  // What ops of a candidate in halves are held to.
  const auto narrowing = pair.narrow ? std::optional(pair.narrow->narrowing) : std::nullopt;
  if (reference.is_module())
    return run_of_module(after_calls(*reference.module, before), inputs, narrowing);
  Arguments moved_inputs{clone_inputs(inputs)};
  ModelFile moved = reference;
  if (narrowing) {
    moved.onnx = NarrowedOnnx(pair, reference).make(*narrowing, 0);
  } else {
    move_by_roundings(moved_inputs, 0);
    moved.onnx = moved_onnx(reference.onnx, temporary_folder(), 0);
  }
  return run_of_backend(hidden.noted(shown_onnx(pair, reference, inputs)),
                        shown_onnx(pair, moved, moved_inputs.front()));
}

/// What the calls of a sample take, up to one of them.
Arguments arguments_until(const ComparedPair& pair, const ModelFile& reference,
                          const CallId& call) {
  std::vector<Sample> calls;
  for (std::size_t step = 0; step < call.step; ++step)
    calls.push_back(pair.inputs_of_call(call.sample, step));
  return arguments_of(calls, reference);
}

/// In a process that may compute.
Divergence divergence_of(const ComparedPair& pair, const CallId& call) {
  ComparedPair compared = pair;
  const bool with_own_weights = can_be_unrounded(pair) && !has_comparable_layers(pair) &&
                                !pair.narrow->narrowing.computes_in_halves();
  const auto backend = BackendRegistry::builtin().find(pair.candidate_backend());
  const ModelFile reference = open_declared(pair.reference);
  Arguments before = arguments_until(pair, reference, call);
  const auto inputs = std::move(before.back());
  before.pop_back();
  ModelFile candidate = pair.candidate ? open_declared(*pair.candidate) : reference;
  if (with_own_weights) {
    const bool are_own =
        unround(pair, candidate, has_stepped_values(pair) ? Misfits::left : Misfits::replaced)
            .are_all_found;
    compared.narrow = are_own ? std::nullopt : std::optional(stored_alone(*pair.narrow));
  }
  auto compiled = candidate.backend_input(names_of_inputs(pair, Side::candidate));
  const auto own_inputs =
      pair.candidate_inputs
          ? arguments_of(pair.candidate_inputs->samples, candidate).at(call.sample)
          : inputs;
  if (compiled.module && runs_module(backend->name()))
    compiled.module = after_calls(*compiled.module, before);
  Hidden hidden;
  const auto search = [&] {
    if (has_comparable_layers(pair))
      return layer_errors(hidden.noted(shown_onnx(pair, reference, inputs)),
                          hidden.noted(shown_onnx(pair, judged_candidate(pair), inputs)));
    const auto traced = traced_reference(compared, reference, before, inputs, hidden);
    const auto run = [&, options = pair.backend_options()](const IntermediateRun& what) {
      return backend->run_intermediates(compiled, own_inputs, options, what);
    };
    return localize(*traced, hidden.noted(run), inputs);
  };
  Divergence divergence = search();
  hidden.add_to(divergence.notes);
  if (with_own_weights)
    divergence.notes.emplace_back("the op was looked for with the reference's weights in place of "
                                  "those in few bits");
  return divergence;
}

Divergence run_to_localize(const ComparedPair& pair, const CallId& call) {
  constexpr int runs = 20; // about so many of each model are needed
  const ScratchFolder folder;
  const auto file = value_file(folder.path());
  Isolation isolation = isolation_in(folder.path(), pair.request);
  if (isolation.limit) *isolation.limit *= runs;
  isolation.becomes_program = is_run_by_python(pair.candidate_backend());
  const auto outcome = run_isolated(
      [&] {
        limit_threads(pair.request);
        process::write_value(file, divergence_of(pair, call));
      },
      isolation);
  if (outcome.ending != IsolatedOutcome::Ending::done)
    throw error_of(outcome, pair.candidate_name());
  return process::read_value<Divergence>(file, max_value_size,
                                         "the search for the first differing op");
}

} // namespace

std::string why_not_localized(const ComparedPair& pair, const CallId& call) {
  if (pair.golden)
    return "the first differing op is not looked for: only the outputs of the reference are stored";
  if (!pair.reference.is_module() && pair.reference.format != FileFormat::onnx)
    return "the first differing op is looked for only in a TorchScript, torch.export or ONNX "
           "reference";
  if (pair.candidate_inputs && call.step > 1)
    return "the first differing op is looked for only in the first call where the candidate takes "
           "other inputs than the reference";
  return {};
}

void localize_difference(const ComparedPair& pair, const CallId& call, VerifyReport& report) {
  if (std::string why = why_not_localized(pair, call); !why.empty())
    return report.notes.push_back(std::move(why));
  note_failure(report, "the first differing op was not found", [&] {
    for (const Side side : {Side::reference, Side::candidate}) pair.runners->end(side);
    Divergence divergence = run_to_localize(pair, call);
    if (pair.calls() > 1)
      report.notes.push_back("the op was looked for in step " + std::to_string(call.step) +
                             ", the first that differs");
    report.ops = std::move(divergence.ops);
    report.notes.insert(report.notes.end(), divergence.notes.begin(), divergence.notes.end());
  });
}

} // namespace model_validator::verify
