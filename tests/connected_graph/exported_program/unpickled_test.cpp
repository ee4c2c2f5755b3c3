#include "connected_graph/exported_program/evaluated_text.h"
#include "connected_graph/exported_program/unpickled.h"
#include "program_builder.h"
#include "support/zip_file.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using exported_program::ProgramFile;
using test::ZipFile;
using testing::ProgramBuilder;
using testing::TemporaryZip;
using Names = std::vector<std::string>;

namespace {

const std::string runs_now = "\x80\x02"
                             "cos\nsystem\n"
                             ")R.";        // `os.system()`
const std::string harmless = "\x80\x02)."; // an empty tuple

std::string saved(const std::string& pickle) {
  ZipFile zip;
  zip.add("archive/data.pkl", pickle).add("archive/byteorder", "little");
  return zip.bytes();
}

/// What loading unpickles of a program with these entries.
std::vector<Unpickled> unpickled(const std::map<std::string, std::string>& more,
                                 const ProgramBuilder& program = {}) {
  auto entries = program.entries();
  if (more.contains("data/weights/model.pt"))
    entries.erase("net/data/weights/model_weights_config.json");
  for (const auto& [name, bytes] : more) entries["net/" + name] = bytes;
  const TemporaryZip file(entries);
  return unpickled_when_loaded(ProgramFile(file.path()));
}

} // namespace

TEST_CASE("what example inputs call when they are loaded is named") {
  const auto name = GENERATE("data/sample_inputs/model.pt", "data/Sample_Inputs/MODEL.pt",
                             "data/weights/model.pt", "data/constants/model.pt",
                             "serialized_state_dict.pt", "serialized_example_inputs.pt");
  const auto found = unpickled({{name, saved(runs_now)}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].entry == name);
  CHECK(found[0].names == Names{"os.system"});
  CHECK(found[0].failure.empty());
}

TEST_CASE("a harmless pickle names nothing") {
  const auto found = unpickled({{"data/sample_inputs/model.pt", saved(harmless)}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].names.empty());
  CHECK(found[0].failure.empty());
}

TEST_CASE("an empty entry, and one that nothing unpickles, are left out") {
  CHECK(unpickled({{"data/sample_inputs/model.pt", ""},
                   {"extra/model.pt", saved(runs_now)},
                   {"data/constants/custom_obj_0", saved(runs_now)}})
            .empty());
}

TEST_CASE("a tensor is unpickled where the list of tensors says so") {
  ProgramBuilder program;
  program.parameter("fc.weight", "p", "weight_0");
  CHECK(unpickled({{"data/weights/weight_0", saved(runs_now)}}, program).empty());
  program.weights["fc.weight"]["use_pickle"] = true;
  const auto found = unpickled({{"data/weights/weight_0", saved(runs_now)}}, program);
  REQUIRE(found.size() == 1);
  CHECK(found[0].names == Names{"os.system"});
}

TEST_CASE("a tensor whose place torch finds otherwise is refused") {
  ProgramBuilder program;
  program.parameter("fc.weight", "p", "/weight_0"); // which Python joins to no folder
  CHECK_THROWS_WITH(unpickled({}, program), Catch::Contains("where `fc.weight` is"));
}

TEST_CASE("a pickle before a zip is what torch loads") {
  const auto found = unpickled({{"data/sample_inputs/model.pt", harmless + saved(harmless)}});
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].failure.empty());
}

TEST_CASE("sizes and guards are arithmetic, or they are told") {
  using exported_program::is_arithmetic;
  for (const char* text :
       {"s77", "2*s0 + 1", "Mul(Integer(2), Symbol('s77', positive=True, integer=True))",
        "Rational(-1, 2)", "Float('0.5', precision=53)", "L['x'].size()[0] % 8 == 0",
        "((-9) + L['args'][0].size()[1]) // max(1, 3) != 1.5", "not (a and b)"})
    CHECK(is_arithmetic(text));
  for (const char* text :
       {"__import__('os').system('x')", "open('f', 'w')", "L['x'].tofile('f')", "[open][0]('f')",
        "(open)('f')", "S('open(1)')", "S('\\x6f')", "f'{x}'", "(lambda: 1)", "x.__class__",
        "open ('f')", "open\n('f')", "x . tofile ('f')", "exec(1)", "S(\"a\" \"b(\")", "a; b",
        "a := b", "'x", "x if y else z('q')"})
    CHECK_FALSE(is_arithmetic(text));
}

TEST_CASE("texts within a program may be nested however deeply, and hold whatever") {
  ProgramBuilder program;
  auto& signature = program.program["graph_module"]["module_call_graph"][0]["signature"];
  signature["in_spec"] = std::string(1'000'000, '[');
  CHECK(unpickled({}, program).empty());
  signature["in_spec"] = R"({"context": "{\"__enum__\": 1, \"fqn\": 2}"})";
  CHECK(unpickled({}, program).at(0).names == Names{""});
}

TEST_CASE("a program that evaluates more than arithmetic is told") {
  ProgramBuilder program;
  program.program["guards_code"] = {"L['x'].size()[0] == 2"};
  CHECK(unpickled({}, program).empty());
  program.program["guards_code"] = {"__import__('os').mkdir('x') or True"};
  const auto found = unpickled({}, program);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0].failure, Catch::Contains("more than arithmetic"));
}

TEST_CASE("a tensor that is said to be pickled and is not there is not passed over") {
  ProgramBuilder program;
  program.parameter("fc.weight", "p", "weight_9");
  program.weights["fc.weight"]["use_pickle"] = true;
  const auto found = unpickled({}, program);
  REQUIRE(found.size() == 1);
  CHECK(found[0].failure == "the file has no such entry");
}

TEST_CASE("an opaque object is a pickle without a zip") {
  const auto found = unpickled({{"data/constants/opaque_obj_0", runs_now}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].names == Names{"os.system"});
}

TEST_CASE("what torch.export.save writes nowhere is not guessed") {
  ZipFile script;
  script.add("m/data.pkl", harmless).add("m/constants.pkl", harmless);
  ZipFile other;
  other.add("m/other", harmless);
  const std::vector<std::string> cases = {
      runs_now,
      saved(harmless) + saved(runs_now),
      script.bytes(),
      other.bytes(),
      saved("\x80\x02"
            "cos\nsystem"),
  };
  for (const std::string& bytes : cases) {
    const auto found = unpickled({{"data/sample_inputs/model.pt", bytes}});
    REQUIRE(found.size() == 1);
    CHECK_FALSE((found[0].failure.empty() && found[0].names.empty()));
  }
}
