#include "files/process/byte_archive.h"
#include "files/process/error_bytes.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::process;

TEST_CASE("what is written is read back, member by member") {
  std::string text("a\0b", 3);
  std::vector<int> numbers{1, -2, 3};
  std::optional<std::string> there = "x", absent;
  bool yes = true;
  ByteWriter writer;
  writer(text, numbers, there, absent, yes);

  std::string text_back;
  std::vector<int> numbers_back;
  std::optional<std::string> there_back, absent_back = "y";
  bool yes_back = false;
  ByteReader reader(writer.bytes());
  reader(text_back, numbers_back, there_back, absent_back, yes_back);
  CHECK(text_back == text);
  CHECK(numbers_back == numbers);
  CHECK(there_back == there);
  CHECK_FALSE(absent_back);
  CHECK(yes_back);
}

TEST_CASE("bytes that declare more than there is are refused, and take no memory first") {
  std::size_t count = std::size_t{1} << 60;
  ByteWriter writer;
  writer(count);
  std::vector<std::uint64_t> numbers;
  std::string text;
  CHECK_THROWS_AS(ByteReader(writer.bytes())(numbers), std::runtime_error);
  CHECK_THROWS_AS(ByteReader(writer.bytes())(text), std::runtime_error);
}

TEST_CASE("a boolean is true for any byte but zero") {
  bool value = false;
  ByteReader reader("\x02");
  reader(value);
  CHECK(value == true);
}

TEST_CASE("an error crosses as it is") {
  const Error error =
      error_from(error_to_bytes(Error(ErrorKind::too_deep, "a path", "the cause", "a hint")));
  CHECK(error.kind() == ErrorKind::too_deep);
  CHECK(error.path() == "a path");
  CHECK(std::string(error.what()) == "the cause");
  CHECK(error.hint() == "a hint");
  CHECK_THROWS_AS(error_from("cut"), std::runtime_error);
}
