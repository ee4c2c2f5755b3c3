#include "connected_graph/torchscript/file/large_stack.h"

#include "connected_graph/out_of_memory.h"

#include <cstddef>
#include <exception>
#include <pthread.h>

namespace model_validator::torchscript {
namespace {

constexpr std::size_t stack_bytes = std::size_t{1} << 30U;

struct Job {
  const std::function<void()>* work;
  std::exception_ptr thrown;
};

void* run(void* argument) {
  auto* job = static_cast<Job*>(argument);
  try {
    (*job->work)();
  } catch (...) {
    job->thrown = std::current_exception();
  }
  return nullptr;
}

} // namespace

void with_large_stack(const std::function<void()>& work) {
  Job job{&work, nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t thread{};
  const int failure = pthread_create(&thread, &attributes, run, &job);
  pthread_attr_destroy(&attributes);
  if (failure != 0)
    throw out_of_memory("", "no address space is left for a thread with a large stack");
  pthread_join(thread, nullptr);
  if (job.thrown) std::rethrow_exception(job.thrown);
}

} // namespace model_validator::torchscript
