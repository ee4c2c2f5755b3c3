#include "lint/standard_input.h"
#include "support/temporary_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <unistd.h>

using namespace model_validator;
using test::TemporaryFolder;

namespace {

/// A file open for reading.
class Source {
public:
  explicit Source(const std::filesystem::path& file) : descriptor(::open(file.c_str(), O_RDONLY)) {}
  ~Source() { ::close(descriptor); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  int descriptor;
};

} // namespace

TEST_CASE("standard input is kept in a file that goes with it") {
  const TemporaryFolder folder;
  const Source source(folder.write("in", std::string("a\0b", 3)));
  std::filesystem::path kept;
  {
    const StandardInput input(source.descriptor);
    kept = input.path();
    CHECK(test::content_of(kept) == std::string("a\0b", 3));
  }
  CHECK_FALSE(std::filesystem::exists(kept));
}

TEST_CASE("standard input has a bound") {
  const TemporaryFolder folder;
  const Source source(folder.write("in", "0123456789"));
  CHECK_THROWS_AS(StandardInput(source.descriptor, 9), Error);
}

TEST_CASE("standard input that cannot be read is an error") {
  CHECK_THROWS_AS(StandardInput(-1), Error);
}
