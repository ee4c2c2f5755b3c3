#include "files/process/model_reading.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace model_validator::process;
using model_validator::test::TemporaryFolder;
using Ending = WorkerResult::Ending;

namespace {

bool may_read(const Confinement& confinement, const std::filesystem::path& path) {
  const auto& readable = confinement.permissions.readable;
  return std::find(readable.begin(), readable.end(), path) != readable.end();
}

} // namespace

TEST_CASE("a zip is read alone, and the weights of another model may lie beside it") {
  const TemporaryFolder folder;
  const auto zip = folder.write("a.pt", "PK\x03\x04");
  const auto onnx = folder.write("b.onnx", "\x08\x08");
  const auto alone = confinement_for_reading({zip}, {}, {});
  CHECK(may_read(alone, zip));
  CHECK_FALSE(may_read(alone, folder.path()));
  CHECK(may_read(confinement_for_reading({onnx}, {}, {}), folder.path()));
  CHECK(may_read(confinement_for_reading({zip}, {onnx}, {}), onnx));
}

TEST_CASE("a link into a store makes the store's folder readable") {
  const TemporaryFolder folder, store;
  const auto real = store.write("blob", "\x08\x08");
  const auto link = folder.path() / "model.onnx";
  std::filesystem::create_symlink(real, link);
  const auto confinement = confinement_for_reading({link}, {}, {});
  CHECK(may_read(confinement, folder.path()));
  CHECK(may_read(confinement, std::filesystem::canonical(store.path())));
}

TEST_CASE("the limits grow with the contents of the file") {
  const TemporaryFolder folder;
  const auto small = folder.write("a.pt", "PK");
  const auto large = folder.write("b.pt", "PK" + std::string(1 << 20, 'x'));
  CHECK(*confinement_for_reading({large}, {}, {}).limits.memory >
        *confinement_for_reading({small}, {}, {}).limits.memory + (1 << 20));
}

TEST_CASE("the limits grow with the weights of an OpenVINO model, which lie beside it") {
  const TemporaryFolder folder;
  const auto model = folder.write("a.xml", "<net/>");
  const auto before = *confinement_for_reading({model}, {}, {}).limits.memory;
  folder.write("b.bin", std::string(1 << 20, 'x'));
  CHECK(*confinement_for_reading({model}, {}, {}).limits.memory < before + (1 << 20));
  folder.write("a.bin", std::string(1 << 20, 'x'));
  CHECK(*confinement_for_reading({model}, {}, {}).limits.memory > before + (1 << 20));
}

TEST_CASE("a hole in the file raises no limit") {
  const TemporaryFolder folder;
  const auto file = folder.write("a.pt", "PK");
  const auto before = *confinement_for_reading({file}, {}, {}).limits.memory;
  std::filesystem::resize_file(file, std::uintmax_t{1} << 33);
  CHECK(*confinement_for_reading({file}, {}, {}).limits.memory < before + (1 << 20));
}

TEST_CASE("the limits grow with the files that a model names, and with no others") {
  const TemporaryFolder folder, elsewhere;
  const std::string megabyte(1 << 20, 'x');
  const auto entry = [](const std::string& name) {
    return "\x0a\x08location\x12" + std::string(1, static_cast<char>(name.size())) + name;
  };
  const auto large = elsewhere.write("large", megabyte);
  folder.write("weights", megabyte);
  std::filesystem::create_symlink("weights", folder.path() / "again");
  std::filesystem::create_symlink(large, folder.path() / "leaves");
  for (int i = 0; i < 100; ++i)
    std::filesystem::create_symlink(large, folder.path() / ("link" + std::to_string(i)));
  const auto memory = [&](const std::string& names) {
    const auto model = folder.write("m.onnx", "\x08\x08" + names);
    return *confinement_for_reading({model}, {}, {}).limits.memory;
  };
  const auto named_more = memory(entry("weights")) - memory("");
  CHECK(named_more >= 2 << 20);
  CHECK(named_more < 3 << 20);
  // Wherever in the file its name is.
  for (const std::size_t before : {1 << 18, (1 << 18) - 3, (1 << 18) - 20}) {
    const std::string others(before, 'x');
    CHECK(memory(others + entry("weights")) >= memory(others) + (2 << 20));
  }
  // Twice the same, what lies elsewhere, what is not there, and no name at all.
  CHECK(memory(entry("weights") + entry("again") + entry("weights") + entry("leaves") +
               entry("../large") + entry("absent") + entry("") + entry(large.string()) +
               "\x0a\x08location\x12") < memory("") + (3 << 20));
}

TEST_CASE("each way to end has its sentence") {
  const ReadingPolicy policy;
  const auto sentence = [&](Ending ending, const char* bytes = "") {
    return std::string(error_of({ending, bytes, {}, {}}, "a.pt", policy).what());
  };
  CHECK_THAT(sentence(Ending::refused, "`openat`"), Catch::Contains("`openat`"));
  CHECK(sentence(Ending::out_of_memory) ==
        "the model needs more than 2048 MB of memory to be read");
  CHECK(sentence(Ending::out_of_processor_time) ==
        "reading the model took longer than 60 s of processor time");
  CHECK(sentence(Ending::crashed, "was ended by signal 11") ==
        "the process that read the model was ended by signal 11");
}
