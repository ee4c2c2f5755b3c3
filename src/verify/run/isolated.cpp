#include "verify/run/isolated.h"

#include "files/process/error_bytes.h"
#include "files/process/worker_process.h"
#include "files/process/worker_protocol.h"
#include "text/process_words.h"

#include <model_validator/error.h>

#include <cstdlib>
#include <malloc.h>
#include <new>

/// Of mimalloc, where the program has it as its allocator.
extern "C" [[gnu::weak]] void mi_collect(bool force);

namespace model_validator::verify {
namespace {

using Ending = IsolatedOutcome::Ending;
using process::WorkerResult;

process::Confinement confinement_of(const Isolation& isolation) {
  process::Confinement confinement;
  confinement.sandbox =
      process::sandbox_mode_from(isolation.sandbox).value_or(process::SandboxMode::automatic);
  confinement.permissions = process::permissions_to_run(isolation.folder, isolation.uses_gpu);
  confinement.permissions.program = isolation.becomes_program;
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

/// In the new process.
void prepare(const Isolation& isolation) {
  fail_on_memory();
  ::setenv("TMPDIR", isolation.folder.c_str(), 1); // NOLINT: the process has one thread
  if (isolation.uses_gpu) turn_off_tf32();
}

/// Whatever the work throws becomes an Error.
void work_safely(const std::function<void()>& work) {
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
}

/// An allocator keeps what was freed for later, and a process that waits for a request may have no
/// later.
void give_back_freed_memory() {
  if (mi_collect != nullptr)
    mi_collect(true);
  else
    ::malloc_trim(0);
}

/// An answer is empty, or the Error.
void answer_requests(const IsolatedRunner::Work& work) {
  while (const auto request = process::next_request()) {
    std::string answer;
    try {
      work_safely([&] { work(*request); });
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::out_of_memory) throw; // what it holds is given back
      answer = process::error_to_bytes(error);
    }
    process::answer_request(answer);
    give_back_freed_memory();
  }
}

IsolatedOutcome failed(const Error& error) {
  return {Ending::failed, error.kind(), error.what(), error.hint()};
}

IsolatedOutcome ended_without_result() {
  return {Ending::crashed, {}, "it ended without a result", ""};
}

IsolatedOutcome outcome_of_answer(const std::string& answer) {
  if (answer.empty()) return {};
  try {
    return failed(process::error_from(answer));
  } catch (const std::exception&) { // of one that is no longer to be trusted
    return ended_without_result();
  }
}

IsolatedOutcome outcome_of(const WorkerResult& result, const Isolation& isolation) {
  switch (result.ending) {
  case WorkerResult::Ending::done: return {};
  case WorkerResult::Ending::failed: return failed(*result.error);
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
  return run_isolated({{work, isolation}}).front();
}

std::vector<IsolatedOutcome> run_isolated(const std::vector<IsolatedWork>& works) {
  std::vector<std::unique_ptr<process::WorkerProcess>> workers;
  for (const auto& [work, isolation] : works)
    workers.push_back(std::make_unique<process::WorkerProcess>(
        [&work, &isolation] {
          prepare(isolation);
          work_safely(work);
          return std::string();
        },
        confinement_of(isolation)));
  std::vector<IsolatedOutcome> outcomes;
  for (std::size_t i = 0; i < works.size(); ++i)
    outcomes.push_back(outcome_of(workers[i]->wait(works[i].isolation.stop), works[i].isolation));
  return outcomes;
}

IsolatedRunner::IsolatedRunner(Isolation isolation) : isolation_(std::move(isolation)) {}
IsolatedRunner::~IsolatedRunner() = default;

IsolatedOutcome IsolatedRunner::ask(const Work& work, const std::string& request,
                                    std::optional<std::chrono::milliseconds> limit) {
  isolation_.limit.reset(); // it stays as long as it is asked
  if (!process_)
    process_ = std::make_unique<process::WorkerProcess>(
        [&] {
          prepare(isolation_);
          answer_requests(work);
          return std::string();
        },
        confinement_of(isolation_));
  auto answer = process_->ask(request, limit, isolation_.stop);
  if (const auto* bytes = std::get_if<std::string>(&answer)) return outcome_of_answer(*bytes);
  process_.reset();
  isolation_.limit = limit;
  const auto& result = std::get<process::WorkerResult>(answer);
  return result.ending == WorkerResult::Ending::done ? ended_without_result()
                                                     : outcome_of(result, isolation_);
}

} // namespace model_validator::verify
