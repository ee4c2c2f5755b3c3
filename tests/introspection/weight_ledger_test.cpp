#include "introspection/weight_ledger.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

/// Two float32 tensors of a file of `size` bytes, each where it is said to be.
WeightLedger ledger(std::size_t size, const std::vector<ByteSpan>& spans,
                    std::uint64_t elements = 6) {
  const test::TemporaryFolder folder;
  const auto data = folder.write("data.bin", std::string(size, 'x'));
  std::vector<StoredWeights> weights;
  for (const ByteSpan& span : spans) {
    StoredWeights& each = weights.emplace_back();
    each.file = data;
    each.spans = {span};
    each.name = "w" + std::to_string(weights.size());
    each.dtype = "float32";
    each.shape = {elements};
  }
  return ledger_of(weights, folder.path() / "model.onnx");
}

std::uint64_t unread(std::size_t size, const std::vector<ByteSpan>& spans) {
  return ledger(size, spans).files.at(0).unread;
}

} // namespace

TEST_CASE("a place is held against what the dimensions need") {
  CHECK(ledger(48, {{0, 24}, {24, 24}}).faults.empty());
  const auto fault = [](std::uint64_t named) { return ledger(48, {{0, named}}).faults.at(0).kind; };
  CHECK(fault(20) == ByteFault::Kind::too_short);
  CHECK(fault(25) == ByteFault::Kind::too_long);
}

TEST_CASE("tensors overlap where one begins inside another") {
  const WeightLedger found = ledger(48, {{0, 24}, {12, 24}});
  REQUIRE(found.faults.size() == 1);
  CHECK(found.faults[0].kind == ByteFault::Kind::overlap);
  CHECK(found.faults[0].tensor == "w2");
  CHECK(found.faults[0].other == "w1");
  CHECK(found.faults[0].named == 12);
  CHECK(ledger(48, {{0, 24}, {0, 24}}).faults.empty()); // one tensor under two names
  CHECK(ledger(48, {{24, 24}, {0, 24}}).faults.empty());
}

TEST_CASE("bytes that no tensor takes are counted, but for those that align the next") {
  CHECK(unread(48, {{0, 24}, {24, 24}}) == 0);
  CHECK(unread(88, {{0, 24}, {64, 24}}) == 0);
  CHECK(unread(92, {{0, 24}, {68, 24}}) == 44);
  CHECK(unread(4096, {{0, 24}, {24, 24}}) == 0); // a page
  CHECK(unread(4100, {{0, 24}, {24, 24}}) == 4052);
  CHECK(unread(112, {{64, 24}, {88, 24}}) == 64); // the first 64 are an older copy
}
