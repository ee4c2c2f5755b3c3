#include "connected_graph/stored_weights.h"

#include <model_validator/error.h>

namespace model_validator {

void require_within(const StoredWeights& weights, std::uint64_t size) {
  for (const ByteSpan& span : weights.spans)
    if (span.offset > size || span.size > size - span.offset)
      throw Error(ErrorKind::truncated_file, weights.file.string(),
                  "the bytes of tensor `" + weights.name + "` reach beyond the end of " +
                      (weights.entry.empty() ? "the file" : "`" + weights.entry + "`"),
                  "copy or download it again, or export the model again");
}

} // namespace model_validator
