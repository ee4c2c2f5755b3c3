#include "verify/localize/layer_errors.h"

#include "verify/localize/sketch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace model_validator::verify {
namespace {

constexpr std::size_t max_bytes = std::size_t{256} << 20; ///< of values that are put in at a time

struct Value {
  std::string name, node, op;
  std::vector<std::string> inputs;
  Sketch sketch;
};

/// The values of a run, in order.
struct Values {
  std::vector<Value> all;
  std::map<std::string, std::size_t> by_name;

  const Value* find(const std::string& name) const {
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : &all[found->second];
  }
};

Values values_of(const ShowRun& model) {
  Values values;
  IntermediateRun what;
  what.visit = [&](const Intermediate& shown) {
    values.by_name[shown.name] = values.all.size();
    values.all.push_back({shown.name, shown.node, shown.op, shown.inputs, sketch_of(shown.tensor)});
  };
  shown_outputs(model, what);
  return values;
}

constexpr double nothing_left = -1000; ///< dB, of a result that has nothing of the reference's

/// Signal to quantisation noise in dB, over the values that sketches keep; infinite where equal.
double sqnr(const Sketch& reference, const Sketch& candidate) {
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < std::min(reference.samples.size(), candidate.samples.size()); ++i) {
    const double value = reference.samples[i], difference = value - candidate.samples[i];
    signal += value * value;
    noise += difference * difference;
  }
  if (noise == 0) return std::numeric_limits<double>::infinity();
  const double ratio = 10 * std::log10(signal / noise);
  return std::isfinite(ratio) ? ratio : nothing_left;
}

/// A value that both models have, and the nearest such values that the copy computes it from.
struct Shared {
  const Value* reference;
  const Value* candidate; ///< as other layers read it: quantised, and back in float
  std::vector<std::string> sources;
  std::optional<double> introduced, introduced_sqnr;
};

/// Values whose errors one run shows: none of them is computed from another.
struct Batch {
  std::vector<Shared*> shown;
  std::set<std::string> shown_names, sources; ///< in the reference
  std::size_t bytes = 0;

  bool takes(const Shared& value, std::size_t more) const {
    return bytes + more <= max_bytes && sources.count(value.reference->name) == 0 &&
           std::none_of(value.sources.begin(), value.sources.end(),
                        [&](const std::string& name) { return shown_names.count(name) != 0; });
  }
  void add(Shared& value, std::size_t more) {
    shown.push_back(&value);
    shown_names.insert(value.reference->name);
    sources.insert(value.sources.begin(), value.sources.end());
    bytes += more;
  }
};

class LayerErrors {
public:
  LayerErrors(const ShowRun& reference, const ShowRun& candidate)
      : run_reference_(reference), run_candidate_(candidate), reference_(values_of(reference)),
        candidate_(values_of(candidate)) {
    for (std::size_t i = 0; i < candidate_.all.size(); ++i)
      for (const std::string& input : candidate_.all[i].inputs)
        readers_.try_emplace({input, candidate_.all[i].op}, i);
    find_shared();
  }

  Divergence run() {
    for (Batch& batch : batches()) measure(batch);
    Divergence divergence;
    for (const Shared& value : shared_) divergence.ops.push_back(row(value));
    return divergence;
  }

private:
  void find_shared() {
    for (const Value& value : reference_.all) {
      const Value* other = as_read(value.name);
      if (other != nullptr && value.sketch.real_valued && other->sketch.real_valued &&
          value.sketch.shape == other->sketch.shape) {
        reads_[other->name] = value.name;
        shared_.push_back({&value, other, {}, {}, {}});
      }
    }
    for (Shared& value : shared_) value.sources = sources_of(*value.candidate);
  }

  /// Quantisers leave an activation out where rounding to steps does the same, so that a value is
  /// the reference's only behind the steps.
  const Value* as_read(const std::string& name) const {
    const Value* value = candidate_.find(name);
    for (const char* op : {"QuantizeLinear", "DequantizeLinear"}) {
      if (value == nullptr) return candidate_.find(name);
      value = reader_of(value->name, op);
    }
    return value != nullptr ? value : candidate_.find(name);
  }

  const Value* reader_of(const std::string& name, const std::string& op) const {
    const auto found = readers_.find({name, op});
    return found == readers_.end() ? nullptr : &candidate_.all[found->second];
  }

  /// The layer that makes a value, before its steps.
  const Value& maker_of(const Value& value) const {
    const Value* maker = &value;
    while (maker->op == "QuantizeLinear" || maker->op == "DequantizeLinear") {
      const Value* before =
          maker->inputs.empty() ? nullptr : candidate_.find(maker->inputs.front());
      if (before == nullptr) break;
      maker = before;
    }
    return *maker;
  }

  std::vector<std::string> sources_of(const Value& value) const {
    std::vector<std::string> open = value.inputs, found;
    std::set<std::string> seen;
    while (!open.empty()) {
      const std::string name = std::move(open.back());
      open.pop_back();
      if (!seen.insert(name).second) continue;
      if (const auto shared = reads_.find(name); shared != reads_.end())
        found.push_back(shared->second);
      else if (const Value* inner = candidate_.find(name))
        open.insert(open.end(), inner->inputs.begin(), inner->inputs.end());
    }
    return found;
  }

  std::vector<Batch> batches() {
    std::vector<Batch> all;
    for (Shared& value : shared_) {
      std::size_t bytes = 0;
      for (const std::string& name : value.sources) bytes += bytes_of(*reference_.find(name));
      auto place = std::find_if(all.begin(), all.end(),
                                [&](const Batch& batch) { return batch.takes(value, bytes); });
      if (place == all.end()) place = all.insert(all.end(), Batch{});
      place->add(value, bytes);
    }
    return all;
  }

  static std::size_t bytes_of(const Value& value) {
    std::size_t bytes = c10::elementSize(value.sketch.dtype);
    for (const std::int64_t size : value.sketch.shape) bytes *= static_cast<std::size_t>(size);
    return bytes;
  }

  void measure(Batch& batch) {
    IntermediateRun exact, given;
    exact.wanted = [&](const std::string& name) { return batch.sources.count(name) != 0; };
    exact.visit = [&](const Intermediate& shown) {
      const Value& read = *as_read(shown.name);
      given.replaced[read.name] = shown.tensor.to(read.sketch.dtype).contiguous().clone();
    };
    if (!batch.sources.empty()) shown_outputs(run_reference_, exact);
    std::map<std::string, Shared*> wanted;
    for (Shared* value : batch.shown) wanted[value->candidate->name] = value;
    given.wanted = [&](const std::string& name) { return wanted.count(name) != 0; };
    given.visit = [&](const Intermediate& shown) {
      Shared& value = *wanted.at(shown.name);
      const Sketch sketch = sketch_of(shown.tensor);
      value.introduced = distance(value.reference->sketch, sketch);
      value.introduced_sqnr = sqnr(value.reference->sketch, sketch);
    };
    shown_outputs(run_candidate_, given);
  }

  OpComparison row(const Shared& value) const {
    OpComparison row;
    const Value& maker = maker_of(*value.candidate);
    row.op = maker.node.empty() ? maker.name : maker.node;
    row.type = maker.op;
    row.error = distance(value.reference->sketch, value.candidate->sketch);
    row.sqnr = sqnr(value.reference->sketch, value.candidate->sketch);
    row.introduced = value.introduced;
    row.introduced_sqnr = value.introduced_sqnr;
    return row;
  }

  const ShowRun& run_reference_;
  const ShowRun& run_candidate_;
  Values reference_, candidate_;
  std::map<std::pair<std::string, std::string>, std::size_t> readers_; ///< by value and operator
  std::map<std::string, std::string> reads_; ///< names in the copy, and in the reference
  std::vector<Shared> shared_;
};

} // namespace

namespace {

/// In dB: a layer that adds more error than this leaves is worth its float weights.
constexpr double keep_in_float = 20;
constexpr std::size_t max_named = 5;

/// Which layers to keep in float, the worst first; empty where none adds that much.
std::string advice_of(const Divergence& divergence) {
  std::vector<const OpComparison*> worst;
  for (const OpComparison& op : divergence.ops)
    if (op.introduced_sqnr && *op.introduced_sqnr < keep_in_float) worst.push_back(&op);
  if (worst.empty()) return {};
  std::stable_sort(worst.begin(), worst.end(), [](const auto* one, const auto* other) {
    return *one->introduced_sqnr < *other->introduced_sqnr;
  });
  std::string names;
  for (std::size_t i = 0; i < std::min(max_named, worst.size()); ++i)
    names += (i == 0 ? "`" : ", `") + worst[i]->op + "`";
  if (worst.size() > max_named)
    names += " and " + std::to_string(worst.size() - max_named) + " more";
  return "to keep in float, or to quantise per channel: " + names +
         "; the error that each adds leaves less than 20 dB";
}

} // namespace

Divergence layer_errors(const ShowRun& reference, const ShowRun& candidate) {
  Divergence divergence = LayerErrors(reference, candidate).run();
  if (std::string advice = advice_of(divergence); !advice.empty())
    divergence.notes.push_back(std::move(advice));
  divergence.notes.push_back(
      divergence.ops.empty()
          ? "the candidate is quantised and has no value under the same name as the reference"
          : "the candidate is quantised: its layers are compared by the names of their results");
  return divergence;
}

} // namespace model_validator::verify
