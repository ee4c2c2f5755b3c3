#include "files/zip_archive.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"
#include "support/zip_file.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::test;

TEST_CASE("the directory names every entry inside its top folder") {
  const TemporaryFolder folder;
  ZipFile zip;
  zip.add("net/data.pkl", "abc").add("net/code/a.py", "");
  const InputFile file(folder.write("a.zip", zip.bytes()));
  const ZipArchive archive(file);
  CHECK(archive.top_folder() == "net/");
  CHECK(archive.entries().size() == 2);
  const ZipEntry* entry = archive.find("data.pkl");
  REQUIRE(entry != nullptr);
  CHECK(entry->size == 3);
  CHECK(archive.name_inside(*entry) == "data.pkl");
  CHECK(archive.read(*entry, 3) == "abc");
  CHECK(archive.read_start(*entry, 2) == "ab");
  CHECK(archive.find("net/data.pkl") == nullptr);
}

TEST_CASE("a zip without one top folder has none") {
  const TemporaryFolder folder;
  ZipFile zip;
  zip.add("a/x", "1").add("b/y", "2");
  const InputFile file(folder.write("a.zip", zip.bytes()));
  const ZipArchive archive(file);
  CHECK(archive.top_folder().empty());
  CHECK(archive.find("b/y") != nullptr);
}

TEST_CASE("an entry is not unpacked beyond the limit") {
  const TemporaryFolder folder;
  ZipFile zip;
  zip.add("a", "12345");
  const InputFile file(folder.write("a.zip", zip.bytes()));
  const ZipArchive archive(file);
  CHECK(kind_thrown_by([&] { archive.read(*archive.find("a"), 4); }) == "too-large");
}

TEST_CASE("an entry whose bytes changed is damaged") {
  const TemporaryFolder folder;
  ZipFile zip;
  zip.add("a", "12345");
  std::string bytes = zip.bytes();
  bytes[bytes.find("12345")] = '9';
  const InputFile file(folder.write("a.zip", bytes));
  const ZipArchive archive(file);
  CHECK(kind_thrown_by([&] { archive.read(*archive.find("a"), 100); }) == "damaged-zip");
}

TEST_CASE("an entry without a checksum is read, as torch.save may leave it out") {
  const TemporaryFolder folder;
  ZipFile zip;
  zip.add({"a", "12345", false, {}, 0, true});
  const InputFile file(folder.write("a.zip", zip.bytes()));
  const ZipArchive archive(file);
  CHECK(archive.read(*archive.find("a"), 100) == "12345");
  CHECK(archive.read_start(*archive.find("a"), 2) == "12");
}

TEST_CASE("entries that share bytes do not multiply them") {
  const TemporaryFolder folder;
  ZipFile zip;
  for (int i = 0; i < 3; ++i) zip.add("a" + std::to_string(i), std::string(1000, 'x'));
  std::string bytes = zip.bytes();
  // Cut the last two entries' data out, and let all three point at the first.
  const auto second = bytes.find("PK\x03\x04", 4);
  const auto directory = bytes.find("PK\x01\x02");
  std::string shared = bytes.substr(0, second) + bytes.substr(directory);
  for (auto at = shared.find("PK\x01\x02"); at != std::string::npos;
       at = shared.find("PK\x01\x02", at + 1))
    shared.replace(at + 42, 4, std::string(4, '\0'));
  const auto end = shared.find("PK\x05\x06");
  const auto start = static_cast<std::uint32_t>(second);
  for (int i = 0; i < 4; ++i) shared[end + 16 + i] = static_cast<char>((start >> (8 * i)) & 0xffU);
  const InputFile file(folder.write("a.zip", shared));
  CHECK(kind_thrown_by([&] { ZipArchive archive(file); }) == "zip-bomb");
}

TEST_CASE("a zip within a zip is read in place, or from its bytes") {
  const TemporaryFolder folder;
  ZipFile inner;
  inner.add("archive/data.pkl", "abc").add("archive/data/0", "1234");
  ZipFile outer;
  outer.add("net/saved.pt", inner.bytes()).add("net/text", "no zip, but long enough to be one");
  outer.add({.name = "net/packed.pt", .data = inner.bytes(), .deflated = true, .claimed_size = {}});
  const InputFile file(folder.write("a.zip", outer.bytes()));
  const ZipArchive archive(file);
  const ZipArchive within(archive, *archive.find("saved.pt"));
  CHECK(within.read(*within.find("data.pkl"), 3) == "abc");
  CHECK(within.read_at(*within.find("data/0"), 1, 2) == "23");
  CHECK(within.read_at(*within.find("data/0"), 5, 2).empty());

  const ZipEntry& packed = *archive.find("packed.pt");
  const std::string bytes = archive.read(packed, 1000);
  const ZipArchive unpacked(archive, packed, bytes);
  CHECK(unpacked.read(*unpacked.find("data.pkl"), 3) == "abc");
  CHECK(kind_thrown_by([&] { ZipArchive(archive, *archive.find("text")); }) == "damaged-zip");
}
