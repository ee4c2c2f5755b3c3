#include "verify/inputs/calibrated_range.h"

#include <model_validator/quantisation.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace model_validator::verify {
namespace {

template <class T> std::pair<double, double> limits_of() {
  return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

std::optional<std::pair<double, double>> stored_limits(const std::string& dtype) {
  if (dtype == "int8") return limits_of<std::int8_t>();
  if (dtype == "uint8") return limits_of<std::uint8_t>();
  if (dtype == "int16") return limits_of<std::int16_t>();
  if (dtype == "uint16") return limits_of<std::uint16_t>();
  return std::nullopt;
}

std::optional<ValueRange> range_of(const Quantisation& quantisation) {
  const auto limits = stored_limits(quantisation.dtype);
  const auto& [scale, zero_point] = std::tie(quantisation.scale, quantisation.zero_point);
  const bool one = scale.values && scale.values->size() == 1 &&
                   (!zero_point.given || (zero_point.values && zero_point.values->size() == 1));
  if (!limits || !one || !(scale.values->front() > 0)) return std::nullopt;
  const double zero = zero_point.given ? zero_point.values->front() : 0;
  return ValueRange{(limits->first - zero) * scale.values->front(),
                    (limits->second - zero) * scale.values->front()};
}

} // namespace

void narrow(std::optional<ValueRange>& known, const ValueRange& range) {
  if (!known) known = range;
  const ValueRange both{std::max(known->low, range.low), std::min(known->high, range.high)};
  if (both.low < both.high) known = both;
}

std::optional<ValueRange> calibrated_range(const ConnectedGraph& graph, OpId id) {
  std::optional<ValueRange> found;
  const auto [begin, end] = boost::out_edges(id, graph.graph());
  for (auto edge = begin; edge != end; ++edge) {
    const OpId reader = boost::target(*edge, graph.graph());
    if (graph.op(reader).type != "quantize_per_tensor" || graph.graph()[*edge].input != 0) continue;
    const auto [first, last] = boost::out_edges(reader, graph.graph());
    if (first == last || !graph.graph()[*first].quantisation) continue;
    if (const auto range = range_of(*graph.graph()[*first].quantisation)) narrow(found, *range);
  }
  return found;
}

} // namespace model_validator::verify
