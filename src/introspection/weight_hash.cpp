#include "introspection/digest.h"
#include "introspection/weight_reader.h"
#include "introspection/weight_store.h"

namespace model_validator {

std::vector<std::string> hash_weights(const std::vector<StoredWeights>& weights, unsigned threads) {
  const WeightReader reader(weights);
  std::vector<std::string> of_pieces(reader.pieces().size());
  reader.run(threads, [&](std::size_t piece, PieceBytes& bytes) {
    Digest digest;
    for (auto part = bytes.next(); !part.empty(); part = bytes.next())
      digest.add(part.data(), part.size());
    of_pieces[piece] = digest.text();
  });
  std::vector<Digest> tensors(weights.size());
  for (std::size_t piece = 0; piece < of_pieces.size(); ++piece)
    tensors[reader.pieces()[piece].tensor].add(of_pieces[piece]);
  std::vector<std::string> digests;
  for (std::size_t tensor = 0; tensor < weights.size(); ++tensor) {
    tensors[tensor].add(weights[tensor].bytes);
    digests.push_back(tensors[tensor].text());
  }
  return digests;
}

} // namespace model_validator
