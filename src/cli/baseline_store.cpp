#include "cli/baseline_store.h"

#include "files/atomic_file.h"
#include "files/folder_lock.h"

namespace model_validator::cli {

std::size_t store_baseline(const std::filesystem::path& file, const Baseline& found) {
  const auto real = std::filesystem::weakly_canonical(std::filesystem::absolute(file));
  const FolderLock lock(real.parent_path());
  Baseline all = std::filesystem::exists(real) ? Baseline::load(real) : Baseline();
  all.take(found);
  AtomicFile written(file);
  all.write(written.stream());
  written.commit();
  return all.size();
}

} // namespace model_validator::cli
