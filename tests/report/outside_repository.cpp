#include "support/temporary_folder.h"

#include <filesystem>

namespace {

/// Paths in reports are those of the repository around the working folder. Tests run in a folder
/// that is in none.
class OutsideRepository {
public:
  OutsideRepository() { std::filesystem::current_path(folder_.path()); }

private:
  model_validator::test::TemporaryFolder folder_;
};

const OutsideRepository outside_repository;

} // namespace
