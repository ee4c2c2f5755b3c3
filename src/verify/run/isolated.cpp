#include "verify/run/isolated.h"

#include "files/process/worker_process.h"
#include "text/process_words.h"

#include <model_validator/error.h>

#include <cstdlib>
#include <new>

namespace model_validator::verify {
namespace {

using Ending = IsolatedOutcome::Ending;
using process::WorkerResult;

process::Confinement confinement_of(const Isolation& isolation) {
  process::Confinement confinement;
  confinement.sandbox =
      process::sandbox_mode_from(isolation.sandbox).value_or(process::SandboxMode::automatic);
  confinement.permissions = process::permissions_to_run(isolation.folder, isolation.uses_gpu);
  confinement.limits.time = isolation.limit;
  // A GPU's driver maps far more address space than it uses memory.
  if (!isolation.uses_gpu) confinement.limits.memory = isolation.max_memory;
  return confinement;
}

/// A model that is refused memory gets an exception, and nothing else.
void fail_on_memory() {
  std::set_new_handler([] { throw std::bad_alloc(); });
}

/// NVIDIA's libraries read it when they are first used, whoever uses them: LibTorch, a package of
/// AOTInductor, a provider of ONNX Runtime. Convolutions with fewer bits than float32 has would be
/// off by far more than rounding. (NVIDIA's cuBLAS documentation, "NVIDIA_TF32_OVERRIDE".)
void turn_off_tf32() { ::setenv("NVIDIA_TF32_OVERRIDE", "0", 1); } // NOLINT: one thread

std::string run(const std::function<void()>& work, const Isolation& isolation) {
  fail_on_memory();
  ::setenv("TMPDIR", isolation.folder.c_str(), 1); // NOLINT: the process has one thread
  if (isolation.uses_gpu) turn_off_tf32();
  try {
    work();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory, "", "there is not enough memory");
  } catch (const std::exception& error) {
    const std::string text = error.what();
    throw Error(ErrorKind::run_failed, "", text.substr(0, text.find('\n')));
  }
  return {};
}

IsolatedOutcome outcome_of(const WorkerResult& result, const Isolation& isolation) {
  switch (result.ending) {
  case WorkerResult::Ending::done: return {};
  case WorkerResult::Ending::failed:
    return {Ending::failed, result.error->kind(), result.error->what(), result.error->hint()};
  case WorkerResult::Ending::timed_out:
    return {
        Ending::timed_out, {}, "it did not end within " + seconds_in_words(*isolation.limit), ""};
  case WorkerResult::Ending::refused:
    return {Ending::crashed,
            {},
            "it asked the system for " + result.bytes + ", which no model needs",
            ""};
  case WorkerResult::Ending::out_of_memory:
    return {Ending::failed, ErrorKind::out_of_memory, "there is not enough memory", ""};
  case WorkerResult::Ending::stopped:
    throw Error(ErrorKind::interrupted, "", "the run was interrupted");
  default: return {Ending::crashed, {}, "it " + result.bytes, ""};
  }
}

} // namespace

IsolatedOutcome run_isolated(const std::function<void()>& work, const Isolation& isolation) {
  process::WorkerProcess worker([&] { return run(work, isolation); }, confinement_of(isolation));
  return outcome_of(worker.wait(isolation.stop), isolation);
}

} // namespace model_validator::verify
