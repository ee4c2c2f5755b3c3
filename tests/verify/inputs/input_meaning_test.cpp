#include "verify/inputs/input_files.h"
#include "verify/inputs/input_meaning.h"
#include "verify/inputs/input_values.h"
#include "verify/inputs/sample_sizes.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

#include <algorithm>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

InputNeed need(const std::string& name, DType dtype, Shape shape,
               std::vector<std::string> symbols = {}) {
  InputNeed made{name,  "Tensor",         InputNeed::Kind::tensor, true,
                 dtype, std::move(shape), std::move(symbols)};
  return made;
}

InputRole role_by_name(const std::string& name, DType dtype, Shape shape) {
  std::vector<InputNeed> needs{need(name, dtype, std::move(shape))};
  find_meanings(needs);
  return needs.front().meaning.role;
}

std::vector<std::int64_t> whole(const Value& value) {
  const auto& view = std::get<Tensor>(value.data).view;
  const auto* first = static_cast<const std::int64_t*>(view.data);
  return {first, first + element_count(view)};
}

/// A decoder as exporters of transformers declare it.
std::vector<InputNeed> decoder() {
  const std::string total = "past_length + sequence_length";
  std::vector<InputNeed> needs{
      need("input_ids", DType::int64, {-1, -1}, {"batch_size", "sequence_length"}),
      need("attention_mask", DType::int64, {-1, -1}, {"batch_size", total}),
      need("position_ids", DType::int64, {-1, -1}, {"batch_size", "sequence_length"}),
      need("past_key_values.0.key", DType::float32, {-1, 2, -1, 4},
           {"batch_size", "", "past_length", ""})};
  find_meanings(needs);
  needs[0].meaning.rows = 50;
  return needs;
}

const Sample& named(const FilledSamples& filled, const std::string& name) {
  const auto found = std::find_if(filled.shapes.begin(), filled.shapes.end(),
                                  [&](const SampleShape& shape) { return shape.name == name; });
  REQUIRE(found != filled.shapes.end());
  return filled.samples[static_cast<std::size_t>(found - filled.shapes.begin())];
}

} // namespace

TEST_CASE("names say what inputs are, where their types allow it") {
  CHECK(role_by_name("decoder_input_ids", DType::int64, {1, 4}) == InputRole::rows);
  CHECK(role_by_name("input_ids", DType::float32, {1, 4}) == InputRole::unknown);
  CHECK(role_by_name("encoder_attention_mask", DType::int64, {1, 4}) == InputRole::padding_mask);
  CHECK(role_by_name("attention_mask", DType::float32, {1, 1, 4, 4}) == InputRole::added_mask);
  CHECK(role_by_name("past_key_values.3.value", DType::float16, {1, 2, 3, 4}) == InputRole::cache);
  CHECK(role_by_name("cache_position", DType::int64, {4}) == InputRole::positions);
  CHECK(role_by_name("pixel_values", DType::float32, {1, 3, 8, 8}) == InputRole::image);
  CHECK(role_by_name("input_lengths", DType::int64, {3}) == InputRole::lengths);
  CHECK(role_by_name("input_lengths", DType::int64, {3, 2}) == InputRole::unknown);
  CHECK(role_by_name("lengths", DType::float32, {3}) == InputRole::unknown);
  CHECK(role_by_name("x", DType::float32, {1, 3}) == InputRole::unknown);
}

TEST_CASE("a table that the graph gathers from says more than a name") {
  GraphBuilder graph;
  Op input;
  input.name = "x";
  input.type = "input";
  input.kind = OpKind::input;
  const OpId x = graph.add_op(input);
  Op gather;
  gather.name = "index_select_0";
  gather.type = "index_select";
  gather.parameter_inputs = {0};
  Parameter table;
  table.type = {std::vector<std::int64_t>{320, 16}, "float32"};
  gather.parameters = {graph.add_parameter(table)};
  const OpId lookup = graph.add_op(gather);
  Product ids;
  ids.input = 1;
  graph.add_product(x, lookup, ids);
  std::vector<InputNeed> needs{need("x", DType::int64, {1, 4})};
  find_meanings(graph, needs);
  CHECK(needs[0].meaning.role == InputRole::rows);
  CHECK(needs[0].meaning.rows == 320);
  CHECK(needs[0].meaning.why == "it gathers from a table of 320 rows");
}

TEST_CASE("what only hides elements from attention is a mask, whatever it is called") {
  for (const char* way : {"rsub", "embedding", "le"}) {
    GraphBuilder graph;
    const auto add = [&](const char* type, OpKind kind) {
      Op op;
      op.name = op.type = type;
      op.kind = kind;
      return graph.add_op(op);
    };
    const OpId x = add("x", OpKind::input), made = add(way, OpKind::functional);
    const OpId other = add("arange", OpKind::functional), sum = add("add", OpKind::functional);
    const OpId weights = add("softmax", OpKind::functional);
    graph.add_product(x, made, {});
    Product beside;
    beside.input = 1;
    graph.add_product(other, made, beside);
    graph.add_product(made, sum, {});
    graph.add_product(sum, weights, {});
    std::vector<InputNeed> needs{need("x", DType::int64, {2, 7})};
    find_meanings(graph, needs);
    CHECK((needs[0].meaning.role == InputRole::padding_mask) == (std::string(way) == "rsub"));
  }
}

TEST_CASE("sizes follow from one another") {
  const auto needs = decoder();
  SampleSizes sizes(needs);
  CHECK(sizes.find("past") == "past_length");
  CHECK_FALSE(sizes.find("height"));
  sizes.fix("past_length", 6);
  sizes.suggest(SizeRole::past, 0);
  sizes.suggest(SizeRole::sequence, 3);
  CHECK(sizes.shape_of(needs[1]) == Shape{2, 9});
  CHECK(sizes.shape_of(needs[3]) == Shape{2, 2, 6, 4});
}

TEST_CASE("lengths are those of the sequences, the longest first") {
  const auto lengths_for = [](Shape shape, std::vector<std::string> symbols) {
    std::vector<InputNeed> needs{need("x", DType::float32, std::move(shape), std::move(symbols)),
                                 need("lengths", DType::int64, {-1}, {"batch"})};
    find_meanings(needs);
    const FilledSamples filled = *standard_samples(needs, {}, 1000, 0);
    return std::pair(whole(filled.samples.front()[1]),
                     whole(named(filled, "shorter sequences")[1]));
  };
  const auto [full, shorter] = lengths_for({-1, -1, 8}, {"batch", "sequence", ""});
  CHECK(full == std::vector<std::int64_t>{7, 6});
  CHECK(shorter == std::vector<std::int64_t>{5, 4});
  const auto [time_first, less] = lengths_for({9, -1, 8}, {"", "batch", ""});
  CHECK(time_first == std::vector<std::int64_t>{8, 7}); // either of both may be meant
  CHECK(less == std::vector<std::int64_t>{6, 5});
}

TEST_CASE("a recurrent layer says what lengths are") {
  GraphBuilder graph;
  Op input, layer;
  input.name = "n";
  input.kind = OpKind::input;
  layer.name = layer.type = "gru";
  const OpId from = graph.add_op(input), to = graph.add_op(layer);
  Product fifth;
  fifth.input = 4;
  graph.add_product(from, to, fifth);
  std::vector<InputNeed> needs{need("n", DType::int32, {3})};
  find_meanings(graph, needs);
  CHECK(needs.front().meaning.role == InputRole::lengths);
}

TEST_CASE("sound is longer than what else is called a sequence") {
  std::vector<InputNeed> needs{
      need("input_values", DType::float32, {-1, -1}, {"batch_size", "sequence_length"})};
  find_meanings(needs);
  CHECK(SampleSizes(needs).shape_of(needs[0]) == Shape{2, 4000});
}

TEST_CASE("an encoder alone is given every row, and other lengths") {
  std::vector<InputNeed> needs{
      need("input_ids", DType::int64, {-1, -1}, {"batch_size", "encoder_sequence_length"}),
      need("attention_mask", DType::int64, {-1, -1}, {"batch_size", "encoder_sequence_length"})};
  find_meanings(needs);
  needs[0].meaning.rows = 50;
  const auto filled = standard_samples(needs, {}, 1000, 0);
  CHECK(whole(named(*filled, "every row of the table")[0]).size() >= 50);
  CHECK(std::get<Tensor>(named(*filled, "another size")[0].data).view.shape == Shape{3, 6});
}

TEST_CASE("a cache that is a ring is as long as its window, and filled as far as the past goes") {
  GraphBuilder graph;
  Op input;
  input.name = "past.key";
  input.type = "input";
  input.kind = OpKind::input;
  const OpId cache = graph.add_op(input);
  Op attention;
  attention.name = "attention";
  attention.type = "group_query_attention";
  attention.attributes = {{"num_heads", std::int64_t{2}},
                          {"kv_num_heads", std::int64_t{2}},
                          {"local_window_size", std::int64_t{8}},
                          {"sliding_window_cache", std::int64_t{1}}};
  const OpId user = graph.add_op(attention);
  Product kept;
  kept.input = 3;
  graph.add_product(cache, user, kept);
  std::vector<InputNeed> needs{need("past.key", DType::float32, {1, 2, -1, 3}, {"", "", "w", ""})};
  find_meanings(graph, needs);
  CHECK(needs[0].shape == Shape{1, 2, 8, 3});
  Scene scene;
  scene.past = 5;
  const Tensor values = meaningful_tensor(needs[0], DType::float32, {1, 2, 8, 3}, scene, 1, {});
  const auto* numbers = static_cast<const float*>(values.view.data);
  for (int i = 0; i < 48; ++i) CHECK((numbers[i] != 0) == (i / 3 % 8 < 5));
}

TEST_CASE("a decoder is given a prompt, a token after a past, padding and every row") {
  const auto needs = decoder();
  const auto filled = standard_samples(needs, {}, 1000, 0);
  REQUIRE(filled);
  CHECK(std::get<Tensor>(named(*filled, "a prompt of 7 elements")[3].data).view.shape ==
        Shape{2, 2, 0, 4});
  const Sample& next = named(*filled, "one element after a past of 5");
  CHECK(whole(next[2]) == std::vector<std::int64_t>{5, 5});
  const Sample& left = named(*filled, "padding on the left");
  CHECK(whole(left[1]) == std::vector<std::int64_t>{1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1});
  CHECK(whole(left[2]) == std::vector<std::int64_t>{5, 3});
  const Sample& right = named(*filled, "padding on the right");
  CHECK(whole(right[1]) == std::vector<std::int64_t>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0});
  std::vector<std::int64_t> rows = whole(named(*filled, "every row of the table")[0]);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  CHECK(rows.size() == 50);
}

TEST_CASE("a mask that is only counted has its padding last") {
  auto needs = decoder();
  needs[1].meaning.counted = true;
  const auto filled = standard_samples(needs, {}, 1000, 0);
  for (const SampleShape& shape : filled->shapes) CHECK(shape.name != "padding on the left");
}

TEST_CASE("fused attention counts what a mask leaves") {
  for (const char* user : {"attention", "mul"}) {
    GraphBuilder graph;
    const auto add = [&](const char* type, OpKind kind) {
      Op op;
      op.name = op.type = type;
      op.kind = kind;
      return graph.add_op(op);
    };
    const OpId mask = add("attention_mask", OpKind::input), sum = add("sum", OpKind::functional);
    graph.add_product(mask, sum, {});
    Product lengths;
    lengths.input = 3;
    graph.add_product(sum, add(user, OpKind::functional), lengths);
    std::vector<InputNeed> needs{need("attention_mask", DType::int64, {2, 7})};
    find_meanings(graph, needs);
    CHECK(needs[0].meaning.counted == (std::string(user) == "attention"));
  }
}

TEST_CASE("an image is also given constant areas and its limits") {
  std::vector<InputNeed> needs{need("pixel_values", DType::uint8, {1, 3, 8, 8})};
  find_meanings(needs);
  const auto filled = standard_samples(needs, {}, 1000, 0);
  REQUIRE(filled->samples.size() == 2);
  const auto& view = std::get<Tensor>(filled->samples[1][0].data).view;
  const auto* pixels = static_cast<const std::uint8_t*>(view.data);
  CHECK(std::count(pixels, pixels + 192, 127) == 96);
  CHECK(std::count(pixels, pixels + 192, 255) + std::count(pixels, pixels + 192, 0) == 96);
}

TEST_CASE("plain numbers are one sample") {
  std::vector<InputNeed> needs{need("x", DType::float32, {1, 8})};
  find_meanings(needs);
  CHECK(standard_samples(needs, {}, 1000, 0)->samples.size() == 1);
}
