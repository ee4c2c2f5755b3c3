// Models of LiteRT and programs of ExecuTorch: what they declare is read from their tables.
#include "files/input_file.h"
#include "fuzzer.h"
#include "introspection/edge_model.h"
#include "memory_file.h"
#include "support/flat_buffer.h"
#include "verify/backends/litert_unrounded.h"

#include <model_validator/graph_reader.h>

#include <array>
#include <stdexcept>

namespace {

using fuzz::Choices;
using model_validator::test::FlatWriter;

/// Writes tables as their schemas have them, but that now and then a field is left out or is of
/// another kind.
class Writer {
public:
  explicit Writer(Choices& choices) : choices_(choices) {}

  std::string litert() {
    FlatWriter root = list({}, 2, [&] { return graph(); });
    root = list(std::move(root), 4, [&] { return whole({}, 0, 3); });
    root = list(std::move(root), 1, [&] { return code(); });
    if (!choices_.one_in(4)) root = list(std::move(root), 7, [&] { return signature(); });
    return root.file("TFL3");
  }

  std::string executorch() {
    FlatWriter root = list({}, 1, [&] { return plan(); });
    return list(std::move(root), 4, [&] { return FlatWriter().number(0, small()); }).file("ET12");
  }

private:
  std::int32_t small() { return static_cast<std::int32_t>(choices_.below(4)); }

  /// Whether a field is as it should be; else it is another, or none.
  bool is_right(FlatWriter& table, int field) {
    if (!choices_.one_in(40)) return true;
    if (choices_.one_in(3)) table = std::move(table).number(field, choices_.integer());
    return false;
  }
  FlatWriter number(FlatWriter table, int field, std::int32_t value) {
    return is_right(table, field) ? std::move(table).number(field, value) : std::move(table);
  }
  FlatWriter text(FlatWriter table, int field) {
    return is_right(table, field) ? std::move(table).text(field, choices_.name())
                                  : std::move(table);
  }
  FlatWriter whole(FlatWriter table, int field, std::size_t most) {
    if (!is_right(table, field)) return table;
    std::vector<std::int32_t> all;
    for (std::size_t left = choices_.below(most + 1); left > 0; --left)
      all.push_back(choices_.one_in(40) ? static_cast<std::int32_t>(choices_.integer()) : small());
    return std::move(table).numbers(field, all);
  }
  template <class Make> FlatWriter list(FlatWriter table, int field, const Make& make) {
    if (!is_right(table, field)) return table;
    std::vector<FlatWriter> all;
    for (std::size_t left = 4 * choices_.times(50, 400); left > 0; --left) all.push_back(make());
    return std::move(table).tables(field, std::move(all));
  }

  FlatWriter steps() {
    FlatWriter table = whole({}, 2, 2); // scales, of which all bits are numbers
    if (is_right(table, 3)) table = std::move(table).numbers<std::int64_t>(3, {choices_.integer()});
    table = number(std::move(table), 4, small());
    return std::move(table).table(5, number({}, 0, small()));
  }
  /// Rounds, takes what is rounded, or a layer.
  FlatWriter code() {
    static constexpr std::array<std::int8_t, 5> kinds{114, 6, 3, 9, 32};
    const std::int8_t kind = kinds.at(choices_.below(kinds.size()));
    FlatWriter table = FlatWriter().number(0, kind);
    return number(number(std::move(table), 2, small()), 3, kind);
  }
  FlatWriter tensor() {
    FlatWriter table = number(whole({}, 0, 4), 1, small());
    table = text(number(std::move(table), 2, small()), 3);
    return choices_.one_in(3) ? std::move(table).table(4, steps()) : std::move(table);
  }
  FlatWriter graph() {
    FlatWriter table = list({}, 0, [&] { return tensor(); });
    table = whole(whole(std::move(table), 1, 2), 2, 2);
    return list(std::move(table), 3,
                [&] { return number(whole(whole({}, 1, 3), 2, 2), 0, small()); });
  }
  FlatWriter signature() {
    const auto port = [&] { return number(text({}, 0), 1, small()); };
    return number(text(list(list({}, 0, port), 1, port), 2), 4, 0);
  }
  FlatWriter plan() {
    FlatWriter table = list(text({}, 0), 2, [&] { return value(); });
    return whole(whole(std::move(table), 3, 2), 4, 2);
  }
  FlatWriter value() {
    FlatWriter tensor = number(whole(number({}, 0, small()), 2, 4), 8, small());
    return number({}, 0, choices_.one_in(4) ? small() : 5).table(1, std::move(tensor));
  }

  Choices& choices_;
};

} // namespace

std::string fuzz::write_file(Choices& choices) {
  Writer writer(choices);
  std::string bytes = choices.one_in(2) ? writer.litert() : writer.executorch();
  if (choices.one_in(3)) damage(bytes, choices);
  return bytes;
}

/// A copy that computes in float32 is no more than so many times as large as the file, and is read
/// again.
bool fuzz::read_file(const std::filesystem::path& file) {
  using namespace model_validator;
  if (recognise(file) != FileFormat::litert) return !read_executorch_program(file).inputs.empty();
  const EdgeModel model = read_litert_model(file);
  const fuzz::MemoryFile copy("");
  const auto own = [](const verify::FewBitWeight&) { return std::vector<float>{}; };
  const auto written = verify::write_unrounded_litert(file, copy.path(), own);
  constexpr std::uint64_t most_times = 16, of_tables = 1 << 16;
  if (InputFile(written.path).size() > most_times * InputFile(file).size() + of_tables)
    throw std::logic_error("the copy in float32 is too large");
  return read_litert_model(written.path).inputs.size() == model.inputs.size();
}
