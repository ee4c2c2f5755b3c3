// Pickles: in a file of TorchScript, and as torch.save and others leave them.
#include "connected_graph/torchscript/file/pickle_checks.h"
#include "files/pickle.h"
#include "fuzzer.h"
#include "introspection/torchscript_weights.h"
#include "look_at_graph.h"
#include "pickle_writer.h"
#include "support/zip_file.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

#include <fstream>
#include <iterator>

namespace {

/// Checks every pickle, the way files of TorchScript are checked.
void check(const std::string& bytes, const std::filesystem::path& file) {
  const auto document = model_validator::pickle::parse(bytes);
  if (!document.complete) return;
  for (model_validator::pickle::Index i = 0; i < document.values().size(); ++i)
    document.name(document[i]);
  model_validator::torchscript::check_pickle(
      document,
      [](std::string_view key) {
        return key == "0" ? std::optional<std::uint64_t>(64) : std::nullopt;
      },
      file.string());
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

std::string fuzz::write_file(Choices& choices) {
  const bool bare = choices.one_in(3);
  const bool saved = choices.one_in(3);
  const std::string pickle = choices.one_in(4) ? write_debug_table(choices) : write_pickle(choices);
  if (bare) return pickle;
  model_validator::test::ZipFile zip;
  zip.add("m/version", "3\n").add("m/data.pkl", pickle).add("m/data/0", repeated("\1", 64));
  if (!saved) zip.add("m/constants.pkl", write_pickle(choices)).add("m/code/__torch__.py", "");
  return zip.bytes();
}

bool fuzz::read_file(const std::filesystem::path& file) {
  using namespace model_validator;
  const std::string bytes = bytes_of(file);
  check(bytes.substr(0, std::min(bytes.find("PK\x03\x04"), bytes.size())), file);
  if (recognise(file) != FileFormat::torchscript) return false;
  list_torchscript_weights(file);
  look_at_weights(file);
  return true;
}
