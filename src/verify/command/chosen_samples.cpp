#include "verify/command/chosen_samples.h"

#include "text/grouped_names.h"
#include "verify/command/generation.h"
#include "verify/command/model_runs.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <numeric>

namespace model_validator::verify {
namespace {

/// Whether other inputs may help.
bool may_be_of_the_inputs(ErrorKind kind) {
  return kind == ErrorKind::run_failed || kind == ErrorKind::bad_inputs ||
         kind == ErrorKind::reference_crashed;
}

std::string words_for(const ComparedPair& pair, std::size_t sample) {
  const std::string& name = pair.shapes.at(sample).name;
  return "sample " + std::to_string(sample) + (name.empty() ? "" : " (" + name + ")");
}

/// Leaves out the samples that failed, and their results.
void keep_what_ran(ComparedPair& pair, RunResults& results) {
  std::vector<std::size_t> kept;
  std::vector<NamedTensors> outputs;
  for (std::size_t i = 0; i < pair.samples.size(); ++i) {
    const auto failed = std::ranges::find(results.failed, i, &FailedSample::sample);
    if (failed != results.failed.end()) {
      const std::string& name = pair.shapes[i].name;
      pair.notes.push_back("the reference does not run with " +
                           (name.empty() ? "values at random" : name) +
                           ", which is left out: " + failed->message);
      continue;
    }
    kept.push_back(i);
    for (std::size_t step = 0; step < results.steps; ++step)
      outputs.push_back(std::move(results.samples.at(i * results.steps + step)));
  }
  keep_samples(pair, kept);
  results.samples = std::move(outputs);
  results.failed.clear();
}

/// `batch=2,past=5`; empty where the file fixes all sizes.
std::string sizes_to_copy(const ComparedPair& pair) {
  std::vector<std::string> sizes;
  for (const auto& [name, size] : pair.shapes.front().sizes)
    sizes.push_back(name + "=" + std::to_string(size));
  return boost::join(sizes, ",");
}

[[noreturn]] void refuse(const ComparedPair& pair, const Error& error) {
  // What is known of the failure is told; else that other inputs may help.
  if (!error.hint().empty())
    throw Error(error.kind(), error.path(), error.what(),
                error.hint() + "; `--show-inputs` says what each input is taken for");
  const std::string sizes = sizes_to_copy(pair);
  const std::string help =
      "no inputs that were made up suit it; give " +
      (sizes.empty() ? "values with `--inputs FILE.npz`"
                     : "other sizes, `--sizes " + sizes + "`, or values with `--inputs FILE.npz`") +
      "; `--show-inputs` says what each is taken for";
  throw Error(error.kind(), error.path(), error.what(), help);
}

/// Leaves out what is only worth trying. @returns whether there was any
bool leave_out_extras(ComparedPair& pair) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < pair.shapes.size(); ++i)
    if (!pair.shapes[i].scene.extra) kept.push_back(i);
  if (kept.size() == pair.shapes.size()) return false;
  keep_samples(pair, kept);
  return true;
}

/// What is only worth trying may end the process.
RunResults run_reference_with_extras(ComparedPair& pair) {
  try {
    return run_reference(pair);
  } catch (const Error& error) {
    if (!may_be_of_the_inputs(error.kind()) || !leave_out_extras(pair)) throw;
    RunResults results = run_reference(pair);
    pair.notes.push_back("the reference does not run with values at bounds, or other sizes, which "
                         "are left out: " +
                         std::string(error.what()));
    return results;
  }
}

} // namespace

RunResults run_reference_on_samples(ComparedPair& pair) {
  if (!pair.chooses_samples) return run_reference(pair);
  std::optional<Error> first;
  const auto keep_first = [&](const Error& error) {
    if (!may_be_of_the_inputs(error.kind())) throw error;
    if (!first) first = error;
  };
  for (std::size_t attempt = 0; attempt == 0 || take_standard_samples(pair, attempt); ++attempt) {
    try {
      RunResults results = run_reference_with_extras(pair);
      if (results.failed.size() < pair.samples.size()) {
        keep_what_ran(pair, results);
        return results;
      }
      const FailedSample& failed = results.failed.front();
      keep_first(Error(ErrorKind::run_failed, pair.request.reference.string(), failed.message,
                       failed.hint));
    } catch (const Error& error) {
      keep_first(error);
    }
  }
  take_standard_samples(pair, 0);
  refuse(pair, *first);
}

void take_generated_calls(ComparedPair& pair, const RunResults& reference) {
  const auto& needs = pair.reference.needs;
  ++pair.revision;
  pair.later.assign(pair.samples.size(), {});
  pair.tokens.assign(pair.samples.size(), {});
  for (std::size_t i = 0; i < pair.samples.size(); ++i) {
    Wires wires;
    SampleShape shape = pair.shapes.at(i);
    for (std::size_t step = 1; step < reference.steps; ++step) {
      const NamedTensors& outputs = reference.samples.at(i * reference.steps + step - 1);
      if (step == 1) wires = wire_caches(needs, outputs, pair.request.wires);
      pair.tokens[i].push_back(tokens_after(needs, outputs, pair.tokens[i]));
      shape = later(shape, pair.tokens[i].back());
      pair.later[i].push_back(next_sample(needs, wires, shape, pair.inputs_of_call(i, step - 1),
                                          outputs, pair.tokens[i].back()));
    }
  }
}

bool report_failed_samples(const ComparedPair& pair, const RunResults& candidate,
                           VerifyReport& report) {
  const bool all = candidate.failed.size() == pair.samples.size();
  for (const FailedSample& failed : candidate.failed) {
    report.incidents.push_back({IncidentKind::crash,
                                "the candidate failed" +
                                    (all ? "" : " with " + words_for(pair, failed.sample)) + ": " +
                                    failed.message,
                                failed.hint, true});
    if (all) break;
  }
  return !all;
}

} // namespace model_validator::verify
