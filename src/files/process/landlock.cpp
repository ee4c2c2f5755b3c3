#include "files/process/landlock.h"

#include <cstdint>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace model_validator::process {
namespace {

// Newer than the headers of Debian 12; linux/landlock.h of Linux 6.10 has them.
constexpr std::uint64_t truncate_right = 1ULL << 14;
constexpr std::uint64_t device_control_right = 1ULL << 15;

constexpr std::uint64_t read_rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t make_rights =
    LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
/// Those of a file that is not a folder.
constexpr std::uint64_t file_rights = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                      LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_right |
                                      device_control_right;

long landlock_version() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/// All rights that this version of Landlock knows. A ruleset may name no others.
std::uint64_t known_rights(long version) {
  std::uint64_t rights =
      LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | read_rights | make_rights;
  if (version >= 2) rights |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) rights |= truncate_right;
  if (version >= 5) rights |= device_control_right;
  return rights;
}

class Ruleset {
public:
  explicit Ruleset(std::uint64_t handled) : handled_(handled) {
    const landlock_ruleset_attr attributes{handled};
    descriptor_ =
        static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0));
  }
  ~Ruleset() { ::close(descriptor_); }
  Ruleset(const Ruleset&) = delete;
  Ruleset& operator=(const Ruleset&) = delete;

  /// What cannot be opened is not permitted either.
  void permit(const std::filesystem::path& path, std::uint64_t rights) const {
    const int place = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (place < 0) return;
    struct stat status {};
    const bool folder = ::fstat(place, &status) == 0 && S_ISDIR(status.st_mode);
    if (!folder) rights &= file_rights;
    const landlock_path_beneath_attr beneath{rights & handled_, place};
    ::syscall(SYS_landlock_add_rule, descriptor_, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    ::close(place);
  }

  bool enforce() const { return ::syscall(SYS_landlock_restrict_self, descriptor_, 0) == 0; }

private:
  std::uint64_t handled_;
  int descriptor_ = -1;
};

} // namespace

bool landlock_is_there() { return landlock_version() >= 1; }

bool restrict_files(const Permissions& permissions) {
  const long version = landlock_version();
  if (version < 1) return false;
  const Ruleset rules(known_rights(version));
  const std::uint64_t rights =
      permissions.program ? read_rights | LANDLOCK_ACCESS_FS_EXECUTE : read_rights;
  for (const auto& path : permissions.readable) rules.permit(path, rights);
  for (const auto& path : permissions.writable)
    rules.permit(path, read_rights | make_rights | LANDLOCK_ACCESS_FS_WRITE_FILE |
                           LANDLOCK_ACCESS_FS_REFER | truncate_right | device_control_right);
  return rules.enforce();
}

} // namespace model_validator::process
