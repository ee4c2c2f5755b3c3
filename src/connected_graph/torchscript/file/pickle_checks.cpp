#include "connected_graph/torchscript/file/pickle_checks.h"

#include <model_validator/data/dtype.h>
#include <model_validator/error.h>

#include <algorithm>
#include <limits>

namespace model_validator::torchscript {
namespace {

using pickle::Document;
using pickle::Kind;
using pickle::Value;

constexpr std::size_t deepest = 1000;
constexpr std::size_t max_type_depth = 64;
constexpr std::size_t max_dimensions = 64;
// Values may be shared, but a small file must not describe a huge model by sharing.
constexpr std::uint64_t free_expansion = 1'000'000;
constexpr std::uint64_t max_expansion = 64;

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a > largest - b ? largest : a + b; }
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > largest / b ? largest : a * b;
}

/// Bits per element. An unknown type gets the smallest number.
std::uint64_t bits_of(const std::string& storage_type) {
  const auto dtype = dtype_of_storage(storage_type);
  return dtype ? facts_of(*dtype).bits : 1;
}

/// Checks the values of one document.
class Checker {
public:
  Checker(const Document& document, const StorageBytes& storage_bytes, const std::string& file)
      : document_(document), storage_bytes_(storage_bytes), file_(file) {}

  void run() const {
    check_nesting();
    for (const Value& value : document_.values())
      if (value.kind == Kind::call) check_call(value);
  }

private:
  [[noreturn]] void damaged(const std::string& cause) const {
    throw Error(ErrorKind::damaged_file, file_, cause,
                "copy or download it again, or export the model again");
  }
  [[noreturn]] void too_deep(const std::string& cause) const {
    throw Error(ErrorKind::too_deep, file_, cause,
                "do not trust this file; it was not made by an exporter");
  }
  const Value& item(const Value& value, std::size_t position) const {
    const auto items = document_.items(value);
    if (position >= items.size()) damaged("a tensor is described with too few fields");
    return document_[items[position]];
  }
  std::uint64_t natural(const Value& value) const {
    if (value.kind != Kind::integer || value.integer < 0)
      damaged("a tensor has something other than a size");
    return static_cast<std::uint64_t>(value.integer);
  }

  void check_nesting() const;
  void check_call(const Value& call) const;
  void check_made(const std::string& callable, const Value& arguments) const;
  void check_tensor(const Value& arguments) const;
  void check_quantizer(const Value& arguments) const;
  void check_type(std::string_view type) const;
  std::uint64_t elements_reached(const Value& arguments) const;

  const Document& document_;
  const StorageBytes& storage_bytes_;
  const std::string& file_;
};

void Checker::check_nesting() const {
  const pickle::Nesting nesting = nesting_of(document_);
  if (nesting.cyclic) too_deep("a value contains itself");
  if (nesting.depth > deepest)
    too_deep("values are nested " + std::to_string(nesting.depth) + " deep");
  const std::uint64_t most = free_expansion + max_expansion * document_.values().size();
  if (nesting.expanded > most)
    too_deep("shared values are too large: written out, there would be more than " +
             std::to_string(most) + " of them");
}

void Checker::check_call(const Value& call) const {
  const std::string callable = document_.name(item(call, 0));
  const Value& arguments = item(call, 1);
  if (callable == "torch._tensor._rebuild_from_type_v2")
    check_made(document_.name(item(arguments, 0)), item(arguments, 2));
  else
    check_made(callable, arguments);
}

void Checker::check_made(const std::string& callable, const Value& arguments) const {
  if (callable == "torch._utils._rebuild_tensor_v2" || callable == "torch._utils._rebuild_tensor" ||
      callable == "torch._utils._rebuild_qtensor")
    check_tensor(arguments);
  if (callable == "torch._utils._rebuild_qtensor") check_quantizer(arguments);
  if (callable == "torch.jit._pickle.restore_type_tag")
    check_type(Document::text(item(arguments, 1)));
}

void Checker::check_type(std::string_view type) const {
  if (std::count(type.begin(), type.end(), '[') > static_cast<std::ptrdiff_t>(max_type_depth))
    too_deep("a type is nested more than " + std::to_string(max_type_depth) + " levels deep");
}

// The arguments are the storage, the offset in it, the sizes and the strides.
void Checker::check_tensor(const Value& arguments) const {
  const Value& storage = item(arguments, 0);
  if (storage.kind != Kind::persistent) damaged("a tensor has no storage");
  const Value& id = item(storage, 0);
  const std::string key(Document::text(item(id, 2)));
  const std::uint64_t bits = bits_of(document_.name(item(id, 1)));
  const std::uint64_t reached = elements_reached(arguments);
  if (reached == 0) return;
  const auto bytes = storage_bytes_(key);
  if (!bytes) damaged("the data of a tensor is missing: `" + key + "`");
  if (times(reached, bits) / 8 > *bytes) damaged("a tensor reaches beyond its data `" + key + "`");
}

/// Where every channel has a scale and a zero point of its own, kernels read one for each.
void Checker::check_quantizer(const Value& arguments) const {
  constexpr std::size_t parts = 4; // the scheme, the scales, the zero points, the axis
  const Value& quantizer = item(arguments, 4);
  if (document_.items(quantizer).size() < parts) return;
  const std::uint64_t channels = natural(item(item(arguments, 2), natural(item(quantizer, 3))));
  for (const std::size_t part : {1, 2}) {
    const Value& tensor = item(quantizer, part);
    if (tensor.kind != Kind::call) damaged("a quantized tensor has no scales");
    const Value& sizes = item(item(tensor, 1), 2);
    if (document_.items(sizes).size() != 1 || natural(item(sizes, 0)) != channels)
      damaged("a quantized tensor has scales that do not fit it");
  }
}

/// How many elements of the storage the tensor needs; 0 if it has no elements itself.
std::uint64_t Checker::elements_reached(const Value& arguments) const {
  const Value& sizes = item(arguments, 2);
  const Value& strides = item(arguments, 3);
  const std::size_t dimensions = document_.items(sizes).size();
  if (dimensions != document_.items(strides).size() || dimensions > max_dimensions)
    damaged("a tensor has sizes and strides that do not fit each other");
  std::uint64_t last = natural(item(arguments, 1));
  bool empty = false;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::uint64_t size = natural(item(sizes, i));
    const std::uint64_t stride = natural(item(strides, i));
    empty |= size == 0;
    if (size > 1) last = plus(last, times(size - 1, stride));
  }
  return empty ? 0 : plus(last, 1);
}

} // namespace

void check_pickle(const Document& document, const StorageBytes& storage_bytes,
                  const std::string& file) {
  if (!document.complete)
    throw Error(ErrorKind::damaged_file, file, document.failure,
                "copy or download it again, or export the model again");
  Checker(document, storage_bytes, file).run();
}

bool has_sparse_tensors(const Document& document) {
  return std::any_of(document.values().begin(), document.values().end(), [&](const Value& value) {
    return document.name(value) == "torch._utils._rebuild_sparse_tensor";
  });
}

} // namespace model_validator::torchscript
