#pragma once

#include "requests/service.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace model_validator {

/// Services that stay between calls: as many as calls come at once, up to one per core. For all
/// threads of the process that made it.
class ServicePool {
public:
  ServicePool(std::filesystem::path program, std::string library_path);

  /// Waits while the maximum number of calls is under way.
  /// @param alone  the call loads the user's own libraries, which no other call may find
  /// @throws Error (`interrupted`, `no-service`)
  Reply ask(const Call& call, bool alone, const std::function<bool()>& go_on);

private:
  Reply ask_kept(std::unique_ptr<ServiceProcess>& service, const Call& call,
                 const std::function<bool()>& go_on);
  std::unique_ptr<ServiceProcess> take(const std::function<bool()>& go_on);
  void give_back(std::unique_ptr<ServiceProcess> service);

  std::filesystem::path program_;
  std::string library_path_;
  std::size_t places_;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<std::unique_ptr<ServiceProcess>> idle_;
};

} // namespace model_validator
