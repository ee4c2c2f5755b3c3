#include "files/folder_lock.h"
#include "support/temporary_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("a folder is locked by one run at a time") {
  const test::TemporaryFolder folder;
  {
    const FolderLock lock(folder.path());
    CHECK_THROWS_WITH(FolderLock(folder.path(), std::chrono::milliseconds(1)),
                      Catch::Contains("another run"));
  }
  CHECK_NOTHROW(FolderLock(folder.path(), std::chrono::milliseconds(1)));
}
