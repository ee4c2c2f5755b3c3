#include "verify/localize/layer_errors.h"

#include "text/lists.h"
#include "verify/localize/layer_values.h"
#include "verify/localize/stepped_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>

namespace model_validator::verify {
namespace {

constexpr std::size_t max_bytes = std::size_t{256} << 20; ///< of values that are put in at a time

/// A layer that raises the outputs when it is left in float.
struct Repair {
  const SharedValue* value;
  bool with_readers; ///< what it yields has to stay in float as well
};

using Replaced = std::map<std::string, at::Tensor>;

/// Values whose errors one run shows.
struct Batch {
  std::vector<SharedValue*> shown;
  std::set<std::string> sources; ///< in the reference
  std::size_t bytes = 0;
};

class LayerErrors {
public:
  LayerErrors(const ShowRun& reference, const ShowRun& candidate,
              const std::shared_ptr<const NodeValues>& seen = nullptr)
      : run_reference_(reference), run_candidate_(candidate), values_(reference, candidate, seen) {}

  Divergence run() {
    for (Batch& batch : batches()) measure(batch);
    Divergence divergence;
    for (const SharedValue& value : values_.shared) divergence.ops.push_back(row(value));
    return divergence;
  }

  /// By the reference's name of each value.
  std::map<std::string, const SharedValue*> ratios() {
    for (Batch& batch : batches()) measure(batch);
    std::map<std::string, const SharedValue*> found;
    for (const SharedValue& value : values_.shared)
      if (value.introduced_sqnr) found[value.reference->name] = &value;
    return found;
  }

  const std::shared_ptr<const NodeValues>& reference_values() const {
    return values_.shared_reference();
  }
  std::set<std::string> shared_names() const {
    std::set<std::string> names;
    for (const SharedValue& value : values_.shared) names.insert(value.reference->name);
    return names;
  }
  void keep(const std::set<std::string>& names) { values_.keep(names); }
  /// Those that the copy lost, if not whether it was at this layer.
  void keep_lost() {
    std::set<std::string> names;
    for (const SharedValue& value : values_.shared)
      if (stepped_ratio(value.reference->sketch, value.candidate->sketch).is_lost)
        names.insert(value.reference->name);
    keep(names);
  }
  std::string layer_of(const SharedValue& value) const { return row(value).op; }

  /// The reference's first op on the way to a value from those that the copy computes it from.
  std::string first_op_of(const SharedValue& value) const {
    const NodeValues& all = values_.reference();
    std::set<std::string> seen(value.sources.begin(), value.sources.end());
    std::vector<std::string> open{value.reference->name};
    const NodeValue* first = value.reference;
    while (!open.empty()) {
      const NodeValue* made = all.find(open.back());
      open.pop_back();
      if (made == nullptr || !seen.insert(made->name).second) continue;
      if (made->sketch.real_valued && made < first) first = made;
      open.insert(open.end(), made->inputs.begin(), made->inputs.end());
    }
    return first->node.empty() ? first->name : first->node;
  }

  /// Which layers to leave in float, by what the outputs then have; empty where they have enough.
  std::string advice() const {
    const double before = sqnr_of_outputs({});
    if (before >= sufficient_output_db) return {};
    std::vector<Repair> repairs;
    for (const SharedValue* value : worst())
      if (const auto repair = repair_of(*value, before)) repairs.push_back(*repair);
    const std::string now = " (now " + decibels(before) + ")";
    if (repairs.empty())
      return "no layer that adds much error raises the outputs by 1 dB when it alone is left in "
             "float" +
             now;
    std::ranges::sort(repairs, [](const Repair& one, const Repair& other) {
      return one.value->reference < other.value->reference;
    });
    Replaced replaced;
    for (const Repair& repair : repairs)
      replaced[target_of(repair).name] = in_float(*repair.value, replaced);
    return "to keep in float: " + names_of(repairs) + "; the outputs then have " +
           decibels(sqnr_of_outputs(replaced)) + now;
  }

private:
  static constexpr double sufficient_output_db = 30;
  static constexpr double negligible_layer_db = 40; ///< that a layer's error leaves
  static constexpr double min_gain_db = 1;          ///< of the outputs
  static constexpr std::size_t max_tried = 8;

  static std::string decibels(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f dB", value);
    return text.data();
  }

  /// Those that add most error, the worst first. Layers that pass a rounded value on round it once
  /// more to the same steps, and seem to add as much.
  std::vector<const SharedValue*> worst() const {
    std::vector<const SharedValue*> found;
    for (const SharedValue& value : values_.shared)
      if (value.introduced_sqnr && *value.introduced_sqnr < negligible_layer_db)
        found.push_back(&value);
    std::ranges::stable_sort(found, [](const SharedValue* one, const SharedValue* other) {
      return *one->introduced_sqnr < *other->introduced_sqnr;
    });
    const auto same = [](const SharedValue* one, const SharedValue* other) {
      return *one->introduced_sqnr == *other->introduced_sqnr;
    };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    if (found.size() > max_tried) found.resize(max_tried);
    return found;
  }

  std::optional<Repair> repair_of(const SharedValue& value, double before) const {
    const at::Tensor in_float_now = in_float(value, {});
    if (!in_float_now.defined()) return std::nullopt;
    for (const bool with_readers : {false, true}) {
      const Repair repair{&value, with_readers};
      if (!target_of(repair).sketch.real_valued) continue; // made in whole numbers
      if (sqnr_of_outputs({{target_of(repair).name, in_float_now}}) >= before + min_gain_db)
        return repair;
    }
    return std::nullopt;
  }

  /// The value that is the layer's own, in float: as it makes it, or as others read it.
  const NodeValue& target_of(const Repair& repair) const {
    return repair.with_readers ? *repair.value->candidate
                               : values_.maker_of(*repair.value->candidate);
  }

  /// What the reference's layer makes of what the copy gives it.
  at::Tensor in_float(const SharedValue& value, const Replaced& replaced) const {
    IntermediateRun given, exact;
    given.needs_outputs = exact.needs_outputs = false;
    given.replaced = replaced;
    std::map<std::string, std::string> sources; // by name in the copy
    for (const std::string& name : value.sources) sources[values_.as_read(name)->name] = name;
    given.wanted = [&](const std::string& name) { return sources.count(name) != 0; };
    given.visit = [&](const Intermediate& shown) {
      const std::string& name = sources.at(shown.name);
      exact.replaced[name] =
          shown.tensor.to(values_.reference().find(name)->sketch.dtype).contiguous().clone();
    };
    if (!sources.empty()) shown_outputs(run_candidate_, given, "candidate");
    at::Tensor made;
    exact.wanted = [&](const std::string& name) { return name == value.reference->name; };
    exact.visit = [&](const Intermediate& shown) {
      made = shown.tensor.to(value.candidate->sketch.dtype).contiguous().clone();
    };
    shown_outputs(run_reference_, exact, "reference");
    return made;
  }

  /// Of the worst output; what nothing else reads is one.
  double sqnr_of_outputs(const Replaced& replaced) const {
    std::set<std::string> read;
    for (const NodeValue& value : values_.reference().all)
      read.insert(value.inputs.begin(), value.inputs.end());
    std::map<std::string, const Sketch*> outputs;
    for (const SharedValue& value : values_.shared)
      if (read.count(value.reference->name) == 0)
        outputs[value.candidate->name] = &value.reference->sketch;
    double least = std::numeric_limits<double>::infinity();
    IntermediateRun run;
    run.needs_outputs = false;
    run.replaced = replaced;
    run.wanted = [&](const std::string& name) { return outputs.count(name) != 0; };
    run.visit = [&](const Intermediate& shown) {
      least = std::min(least, sqnr(*outputs.at(shown.name), sketch_of(shown.tensor)));
    };
    shown_outputs(run_candidate_, run, "candidate");
    return least;
  }

  /// For a quantiser's list of nodes to leave out.
  std::string names_of(const std::vector<Repair>& repairs) const {
    std::vector<std::string> names;
    const auto add = [&](const NodeValue& value) {
      const std::string name = "`" + (value.node.empty() ? value.name : value.node) + "`";
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    for (const Repair& repair : repairs) {
      add(values_.maker_of(*repair.value->candidate));
      if (!repair.with_readers) continue;
      for (const NodeValue& reader : values_.candidate().all)
        if (std::ranges::find(reader.inputs, target_of(repair).name) != reader.inputs.end())
          add(reader);
    }
    return joined(names, ", ");
  }

  std::vector<Batch> batches() {
    std::vector<Batch> all(1);
    for (SharedValue& value : values_.shared) {
      if (all.back().bytes > max_bytes) all.emplace_back();
      Batch& batch = all.back();
      batch.shown.push_back(&value);
      for (const std::string& name : value.sources)
        if (batch.sources.insert(name).second)
          batch.bytes += bytes_of(*values_.reference().find(name));
    }
    return all;
  }

  static std::size_t bytes_of(const NodeValue& value) {
    std::size_t bytes = c10::elementSize(value.sketch.dtype);
    for (const std::int64_t size : value.sketch.shape) bytes *= static_cast<std::size_t>(size);
    return bytes;
  }

  void measure(Batch& batch) {
    IntermediateRun exact, given;
    exact.needs_outputs = given.needs_outputs = false;
    given.shows_own = true;
    exact.wanted = [&](const std::string& name) { return batch.sources.count(name) != 0; };
    exact.visit = [&](const Intermediate& shown) {
      const NodeValue& read = *values_.as_read(shown.name);
      given.replaced[read.name] = shown.tensor.to(read.sketch.dtype).contiguous().clone();
    };
    if (!batch.sources.empty()) shown_outputs(run_reference_, exact, "reference");
    std::map<std::string, SharedValue*> wanted;
    for (SharedValue* value : batch.shown) wanted[value->candidate->name] = value;
    given.wanted = [&](const std::string& name) { return wanted.count(name) != 0; };
    given.visit = [&](const Intermediate& shown) {
      SharedValue& value = *wanted.at(shown.name);
      const Sketch sketch = sketch_of(shown.tensor);
      value.introduced = distance(value.reference->sketch, sketch);
      value.introduced_sqnr = sqnr(value.reference->sketch, sketch);
      value.stepped = stepped_ratio(value.reference->sketch, sketch);
    };
    shown_outputs(run_candidate_, given, "candidate");
  }

  OpComparison row(const SharedValue& value) const {
    OpComparison row;
    const NodeValue& maker = values_.layer_of(*value.candidate);
    row.op = maker.node.empty() ? maker.name : maker.node;
    row.type = maker.op;
    row.candidate = maker.op + " " + maker.name;
    row.result = value.reference->name;
    row.greatest = value.reference->sketch.largest;
    row.error = distance(value.reference->sketch, value.candidate->sketch);
    row.introduced = value.introduced;
    if (!has_signal(value.reference->sketch)) return row;
    row.sqnr = sqnr(value.reference->sketch, value.candidate->sketch);
    row.introduced_sqnr = value.introduced_sqnr;
    return row;
  }

  const ShowRun& run_reference_;
  const ShowRun& run_candidate_;
  LayerValues values_;
};

bool begin_alike(const SharedValue& one, const SharedValue& other) {
  const auto as_set = [](const SharedValue& value) {
    return std::set<std::string>(value.sources.begin(), value.sources.end());
  };
  return as_set(one) == as_set(other);
}

} // namespace

std::vector<LayerRatio> layer_ratios(const ShowRun& reference, const ShowRun& candidate,
                                     const std::function<ShowRun()>& rounded, bool only_lost) {
  LayerErrors copy(reference, candidate);
  if (only_lost) copy.keep_lost();
  if (copy.shared_names().empty()) return {};
  const ShowRun run_rounded = rounded();
  LayerErrors own(reference, run_rounded, copy.reference_values());
  copy.keep(own.shared_names());
  own.keep(copy.shared_names());
  const auto explained = own.ratios();
  std::vector<LayerRatio> found;
  for (const auto& [name, value] : copy.ratios()) {
    const auto other = explained.find(name);
    if (other == explained.end() || !begin_alike(*value, *other->second)) continue;
    found.push_back({copy.layer_of(*value), copy.first_op_of(*value), value->stepped.kept,
                     joint_sqnr(*other->second->introduced_sqnr, value->stepped.explained),
                     value->reference->sketch.largest, value->stepped.is_lost});
  }
  return found;
}

Divergence layer_errors(const ShowRun& reference, const ShowRun& candidate) {
  LayerErrors errors(reference, candidate);
  Divergence divergence = errors.run();
  if (std::string advice = errors.advice(); !advice.empty())
    divergence.notes.push_back(std::move(advice));
  divergence.notes.push_back(
      divergence.ops.empty()
          ? "the candidate is quantised and has no value under the same name as the reference"
          : "the candidate is quantised: its layers are compared by the names of their results");
  return divergence;
}

} // namespace model_validator::verify
