#include "pickle_writer.h"

#include <bit>
#include <vector>

namespace fuzz {
namespace {

using namespace std::string_view_literals;

std::string little(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xffU);
  return text;
}

class Writer {
public:
  explicit Writer(Choices& choices) : choices_(choices) {}

  std::string document() {
    std::string pickle = "\x80\x02";
    // What encloses everything, as deep as wanted.
    const std::string_view open = choices_.of({"("sv, "]("sv, "}("sv, ")"sv});
    const std::string_view close = open == "(" ? "t" : open == "](" ? "e" : open == "}(" ? "u" : "";
    const std::size_t depth = choices_.one_in(16) ? choices_.times(50000, 3) : 0;
    pickle += repeated(open, depth) + value(6) + repeated(close, depth);
    if (choices_.one_in(32)) return pickle;
    return pickle + ".";
  }

  std::string value(int depth);

private:
  std::string put() {
    if (memo_ >= 256 || !choices_.one_in(3)) return {};
    return std::string("q") + static_cast<char>(memo_++);
  }
  std::string get() {
    if (memo_ == 0) return "N";
    return std::string("h") +
           static_cast<char>(choices_.below(memo_ + (choices_.one_in(64) ? 1 : 0)));
  }
  std::string items(int depth, bool pairs);
  std::string call(int depth);
  std::string odd();

  Choices& choices_;
  std::size_t memo_ = 0;
  std::size_t values_ = 0;
};

/// An instruction that fits nowhere, or a number that is too large.
std::string Writer::odd() {
  return std::string(choices_.of({"0"sv,
                                  "1"sv,
                                  "t"sv,
                                  "R"sv,
                                  "b"sv,
                                  "u"sv,
                                  "a"sv,
                                  "\x85"sv,
                                  "\x87"sv,
                                  "e"sv,
                                  "h\xff"sv,
                                  "j\xff\xff\xff\x7f"sv,
                                  "r\xff\xff\xff\x7f"sv,
                                  "X\xff\xff\xff\xff"sv,
                                  "\x8a\xff"sv,
                                  "\x95\xff\xff\xff\xff\xff\xff\xff\xff"sv,
                                  "\x94"sv,
                                  "Q"sv,
                                  "c\n\n"sv,
                                  "\x8d\xff\xff\xff\xff\xff\xff\xff\xff"sv,
                                  "I99999999999999999999\n"sv,
                                  "p999999999999\n"sv,
                                  "g-1\n"sv,
                                  "L1\n"sv,
                                  "F1e999\n"sv,
                                  "\x93"sv,
                                  "\x81"sv}));
}

std::string Writer::items(int depth, bool pairs) {
  std::string all;
  for (std::size_t i = 0, count = choices_.below(4); i < count; ++i) {
    const std::string item = value(depth - 1);
    const std::string key = pairs ? pickled::text(choices_.name()) : "";
    all += key + item;
    const bool plain = item.find_first_of("qp\x94") == std::string::npos;
    if (plain) all += repeated(key + item, choices_.times(50000, key.size() + item.size()) / 4);
  }
  return all;
}

std::string Writer::call(int depth) {
  const std::string_view what =
      choices_.of({"ctorch._utils\n_rebuild_tensor_v2\n"sv, "ctorch.jit._pickle\nbuild_intlist\n"sv,
                   "ctorch.jit._pickle\nrestore_type_tag\n"sv, "ccollections\nOrderedDict\n"sv,
                   "c__torch__\nM\n"sv, "cos\nsystem\n"sv, "ctorch._utils\n_rebuild_qtensor\n"sv,
                   "ctorch.jit._pickle\nbuild_tensorlist\n"sv, "ctorch\ndevice\n"sv,
                   "ctorch.jit._pickle\nbuild_tensor_from_id\n"sv, "c__torch__.torch.nn\nA\n"sv});
  if (choices_.one_in(2))
    return std::string(what) + "(" + items(depth, false) + choices_.of({"tR", "t\x81"});
  return std::string(what) + ")\x81}" + put() + "(" + items(depth, true) + "ub";
}

std::string Writer::value(int depth) {
  if (++values_ > 300) depth = 0;
  if (choices_.one_in(96)) return odd();
  const std::size_t kind = choices_.below(depth > 0 ? 14 : 7);
  switch (kind) {
  default: return "N";
  case 1: return choices_.of({"\x88", "\x89", ")", "]", "}"});
  case 2: return pickled::integer(choices_.integer());
  case 3: return pickled::real(choices_.real());
  case 4: return pickled::text(choices_.name()) + put();
  case 5: return get();
  case 6:
    return "(K\x01"
           "K\x02t" +
           put();
  case 7: return "(" + items(depth, false) + "t" + put();
  case 8: return "]" + put() + "(" + items(depth, false) + "e"; // may hold itself
  case 9: return "}" + put() + "(" + items(depth, true) + "u";
  case 10:
  case 11: return call(depth) + put();
  case 12: return pickled::tensor(choices_) + put();
  case 13: { // each holds the one before twice
    std::string chain = value(0);
    for (std::size_t i = 0, levels = choices_.times(200, 6); i < levels && memo_ < 250; ++i) {
      const std::string at(1, static_cast<char>(memo_++));
      chain += "q" + at + choices_.of({"h" + at + "\x86", "h" + at + "h" + at + "\x87"});
    }
    return chain;
  }
  }
}

/// A number of a table, with those of sources shared through the memo.
std::string numbers(Choices& choices, std::size_t most) {
  std::string all = "(";
  const std::string number = pickled::integer(choices.one_in(8) ? choices.integer() : 0);
  all += number + repeated(number, choices.times(most, number.size()));
  return all + "t";
}

} // namespace

namespace pickled {

std::string text(std::string_view text) { return "X" + little(text.size(), 4) + std::string(text); }

std::string integer(std::int64_t number) {
  if (number >= 0 && number < 256) return "K" + little(static_cast<std::uint64_t>(number), 1);
  return "\x8a\x08" + little(static_cast<std::uint64_t>(number), 8);
}

std::string real(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  std::string big = "G";
  for (int i = 7; i >= 0; --i) big += static_cast<char>(bits >> (8 * i) & 0xffU);
  return big;
}

std::string tensor(Choices& choices) {
  const auto natural = [&](std::int64_t usual) {
    return integer(choices.one_in(24) ? choices.integer() : usual);
  };
  const std::string_view type =
      choices.of({"FloatStorage"sv, "LongStorage"sv, "BoolStorage"sv, "HalfStorage"sv,
                  "QInt8Storage"sv, "ComplexDoubleStorage"sv, "NoStorage"sv});
  std::string storage = "(" + text("storage") + "ctorch\n" + std::string(type) + "\n" +
                        text(choices.one_in(32) ? choices.name() : "0") + text("cpu") +
                        natural(16) + "tQ";
  std::string sizes = "(";
  std::string strides = "(";
  for (std::size_t i = 0, rank = choices.below(3); i < rank; ++i) {
    sizes += natural(2);
    strides += natural(choices.of({1, 2, 0}));
  }
  return "ctorch._utils\n_rebuild_tensor_v2\n(" + storage + natural(0) + sizes + "t" + strides +
         "t\x89"
         "ccollections\nOrderedDict\n)RtR";
}

std::string document(const std::string& value) { return "\x80\x02" + value + "."; }

} // namespace pickled

std::string write_pickle(Choices& choices) { return Writer(choices).document(); }

std::string write_debug_table(Choices& choices) {
  if (choices.one_in(8)) return write_pickle(choices);
  std::string strings = "(";
  for (std::size_t i = 0, count = 1 + choices.below(3); i < count; ++i)
    strings +=
        pickled::text(choices.one_in(3) ? repeated(choices.of({"a"sv, "a\n"sv, "é"sv, "\xff"sv}),
                                                   choices.times(200000, 2))
                                        : choices.name());
  std::string records = "(";
  for (std::size_t i = 0, count = 1 + choices.times(2000, 40); i < count; ++i) {
    const std::string source =
        "(" + numbers(choices, 20000) + "K\x01" + pickled::integer(choices.integer()) + "t";
    const std::string range = "(" + source +
                              pickled::integer(choices.one_in(8) ? choices.integer() : 0) +
                              pickled::integer(choices.one_in(4) ? choices.integer() : 3) + "t";
    records += "(" + pickled::integer(static_cast<std::int64_t>(10 * i)) + range +
               pickled::integer(static_cast<std::int64_t>(i)) + "Nt";
    if (choices.spent()) break;
  }
  return pickled::document("(" + pickled::text("FORMAT_WITH_STRING_TABLE") + strings + "t" +
                           records + "tt");
}

} // namespace fuzz
