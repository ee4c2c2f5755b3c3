#include "requests/service_pool.h"

#include "files/process/worker_process.h"

#include <model_validator/error.h>

#include <algorithm>
#include <thread>

namespace model_validator {

ServicePool::ServicePool(std::filesystem::path program, std::string library_path)
    : program_(std::move(program)), library_path_(std::move(library_path)),
      places_(std::max(1U, std::thread::hardware_concurrency())) {}

std::unique_ptr<ServiceProcess> ServicePool::take(const std::function<bool()>& go_on) {
  std::unique_lock lock(mutex_);
  while (!freed_.wait_for(lock, process::patience, [this] { return places_ > 0; })) {
    lock.unlock();
    if (!go_on())
      throw Error(ErrorKind::interrupted, "", "waiting for a free reader was interrupted");
    lock.lock();
  }
  --places_;
  if (idle_.empty()) return nullptr;
  auto service = std::move(idle_.back());
  idle_.pop_back();
  return service;
}

void ServicePool::give_back(std::unique_ptr<ServiceProcess> service) {
  const std::lock_guard lock(mutex_);
  if (service) idle_.push_back(std::move(service));
  ++places_;
  freed_.notify_one();
}

Reply ServicePool::ask(const Call& call, bool alone, const std::function<bool()>& go_on) {
  auto service = take(go_on);
  try {
    Reply reply = alone ? ServiceProcess(program_, library_path_).ask(call, go_on)
                        : ask_kept(service, call, go_on);
    give_back(std::move(service));
    return reply;
  } catch (...) {
    give_back(nullptr);
    throw;
  }
}

/// One that waited for its next call may have been ended by others in the meantime.
Reply ServicePool::ask_kept(std::unique_ptr<ServiceProcess>& service, const Call& call,
                            const std::function<bool()>& go_on) {
  if (service) try {
      return service->ask(call, go_on);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::no_service) throw;
    }
  service = std::make_unique<ServiceProcess>(program_, library_path_);
  return service->ask(call, go_on);
}

} // namespace model_validator
