#include "cli/check/baseline_store.h"

#include "files/atomic_file.h"
#include "files/folder_lock.h"
#include "files/real_path.h"

namespace model_validator::cli {

std::size_t store_baseline(const std::filesystem::path& file, const Baseline& found) {
  const auto real = real_path(file);
  const FolderLock lock(real.parent_path());
  std::error_code failure;
  Baseline all = std::filesystem::exists(real, failure) ? Baseline::load(real) : Baseline();
  all.take(found);
  AtomicFile written(file);
  all.write(written.stream());
  written.commit();
  return all.size();
}

} // namespace model_validator::cli
