#include "files/pickle.h"

#include <catch2/catch.hpp>

#include <string>

using namespace model_validator::pickle;
using namespace std::string_literals;

namespace {

const Value& root(const Document& document) {
  REQUIRE(document.complete);
  return document[document.root];
}

bool refused(const std::string& bytes) {
  const Document document = parse(bytes);
  return !document.complete && !document.failure.empty();
}

} // namespace

TEST_CASE("plain values are read") {
  CHECK(root(parse("\x80\x02K\x07.")).integer == 7);
  CHECK(root(parse("\x80\x02J\xff\xff\xff\xff.")).integer == -1);
  CHECK(root(parse("\x80\x02\x88.")).integer == 1);
  CHECK(root(parse("\x80\x02N.")).kind == Kind::none);
  const std::string text = "\x80\x02X\x02\x00\x00\x00hi."s;
  CHECK(Document::text(root(parse(text))) == "hi");
}

TEST_CASE("containers hold their items in order") {
  const std::string bytes = "\x80\x02(K\x01K\x02K\x03t."s;
  const Document document = parse(bytes);
  const auto items = document.items(root(document));
  REQUIRE(items.size() == 3);
  CHECK(document[items[2]].integer == 3);
}

TEST_CASE("a list filled through the memo holds what was added") {
  const std::string bytes = "\x80\x02]q\x00K\x01"
                            "ah\x00\x86."s;
  const Document document = parse(bytes);
  CHECK(document.items(root(document)).size() == 2);
}

TEST_CASE("globals keep their names and nothing is imported") {
  const std::string bytes = "\x80\x02"
                            "cos\nsystem\nX\x02\x00\x00\x00ls\x85R."s;
  const Document document = parse(bytes);
  const Value& call = root(document);
  REQUIRE(call.kind == Kind::call);
  CHECK(document.name(document[document.items(call)[0]]) == "os.system");
}

TEST_CASE("protocol 4 frames, memo and stack globals are read") {
  const std::string bytes =
      "\x80\x04\x95\x10\0\0\0\0\0\0\0\x8c\x01m\x94\x8c\x01n\x94\x93\x94)\x81."s;
  const Document document = parse(bytes);
  CHECK(document.name(document[document.items(root(document))[0]]) == "m.n");
}

TEST_CASE("a broken pickle is refused") {
  CHECK(refused(""));
  CHECK(refused("\x80\x02K"));
  CHECK(refused("\x80\x02."));
  CHECK(refused("\x80\x02K\x01"));
  CHECK(refused("\x80\x02X\xff\xff\xff\xff."));  // text longer than the file
  CHECK(refused("\x80\x02t."));                  // no mark
  CHECK(refused("\x80\x02h\x05."));              // nothing remembered
  CHECK(refused("\x80\x02Nr\xff\xff\xff\x7f.")); // a memo of gigabytes
  CHECK(refused("\x80\x02K\x01K\x01"
                "a."));
  CHECK(refused("\x80\x02\x01."));
  CHECK(refused("\x80\x02K\x01(a.")); // takes from below the mark
}

TEST_CASE("nesting is measured without recursion") {
  const auto nesting = [](const std::string& bytes) { return nesting_of(parse(bytes)); };
  CHECK(nesting("\x80\x02).").depth == 1);
  CHECK(nesting("\x80\x02)\x85\x85.").depth == 3);
  CHECK(nesting("\x80\x02)" + std::string(1'000'000, '\x85') + ".").depth == 1'000'001);
}

TEST_CASE("sharing is measured as if each copy were visited separately") {
  std::string bytes = "\x80\x02)"s;
  for (int i = 0; i < 40; ++i) bytes += "2\x86"; // twice the value below
  CHECK(nesting_of(parse(bytes + ".")).expanded > (std::uint64_t{1} << 40U));
}

TEST_CASE("a value that contains itself is found") {
  CHECK(nesting_of(parse("\x80\x02]q\x00h\x00"
                         "a."s))
            .cyclic);
  CHECK_FALSE(nesting_of(parse("\x80\x02]q\x00]h\x00"
                               "a."s))
                  .cyclic);
}
