#include "formats/saved_pickle.h"

#include "files/pickle.h"
#include "formats/export_hints.h"

#include <model_validator/error.h>

#include <algorithm>
#include <string>

namespace model_validator {
namespace {

using namespace std::string_view_literals;

// torch.save wrote five pickles in a row before torch 1.6; the first is this number, behind the
// protocol, and from 4 on its length.
constexpr std::string_view torch_magic = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."sv;
constexpr std::size_t longest_magic = 24;
constexpr std::size_t legacy_headers = 3; // magic number, protocol version, system
constexpr std::size_t looked_at = std::size_t{8} << 20U;

/// Whether saving only tensors and plain values writes this name.
bool is_plain(const std::string& name) {
  static constexpr std::string_view prefixes[] = {"torch._utils.", "torch._tensor.", "collections.",
                                                  "numpy.",        "builtins.",      "__builtin__.",
                                                  "_codecs.",      "copyreg.",       "copy_reg."};
  static constexpr std::string_view names[] = {"torch.Size", "torch.device",
                                               "torch.nn.parameter.Parameter", "torch.storage",
                                               "torch.serialization._get_layout"};
  const auto starts = [&name](std::string_view prefix) { return name.rfind(prefix, 0) == 0; };
  if (std::any_of(std::begin(prefixes), std::end(prefixes), starts)) return true;
  if (std::any_of(std::begin(names), std::end(names), starts)) return true;
  return starts("torch.") &&
         name.find('.', 6) == std::string::npos; // torch.FloatStorage, torch.float32
}

/// The name of a class; torch.save wraps those of modules to keep their source code with them.
std::string class_name(const pickle::Document& document, const pickle::Value& value) {
  if (value.kind != pickle::Kind::persistent) return document.name(value);
  const auto id = document.items(document[document.items(value)[0]]);
  const bool wrapped = id.size() > 1 && pickle::Document::text(document[id[0]]) == "module";
  return wrapped ? document.name(document[id[1]]) : std::string();
}

/// The class of the object `value`; empty where it is not an object.
std::string class_of(const pickle::Document& document, const pickle::Value& value) {
  const auto parts = document.items(value);
  if (value.kind != pickle::Kind::call || parts.empty()) return {};
  const std::string callable = class_name(document, document[parts[0]]);
  const bool rebuilt =
      callable == "copyreg._reconstructor" || callable == "copy_reg._reconstructor";
  if (!rebuilt) return callable;
  if (parts.size() < 2) return {};
  const auto arguments = document.items(document[parts[1]]);
  return arguments.empty() ? std::string() : document.name(document[arguments[0]]);
}

/// The outermost class that is not plain data: the first named, because outer objects come first.
std::string first_class(const pickle::Document& document) {
  for (const pickle::Value& value : document.values())
    if (const std::string name = document.name(value); !name.empty() && !is_plain(name))
      return name;
  return {};
}

bool is_state_dict(const pickle::Document& document) {
  if (!document.complete) return true; // nothing but plain data as far as it was looked at
  const pickle::Value& root = document[document.root];
  return root.kind == pickle::Kind::dict || class_of(document, root) == "collections.OrderedDict";
}

[[noreturn]] void refuse(const std::string& path, const pickle::Document& document,
                         const std::string& how) {
  std::string root_class;
  if (document.complete) root_class = class_of(document, document[document.root]);
  const std::string first = first_class(document);
  if (root_class.starts_with("__torch__."))
    throw Error(
        ErrorKind::not_torchscript, path,
        "the values of a TorchScript model without its code, as `torch.jit.save` leaves them "
        "where it fails",
        "save it again: `torch.jit.save` says what it cannot save");
  if (!root_class.empty() && !is_plain(root_class))
    throw Error(ErrorKind::pickled_module, path,
                "a pickled object of the Python class `" + root_class + "`" + how +
                    ", which only Python can read",
                load_hint);
  if (!first.empty() && !document.complete)
    throw Error(ErrorKind::pickled_module, path,
                "a pickled object with the Python class `" + first + "`" + how +
                    ", which only Python can read",
                load_hint);
  if (!first.empty())
    throw Error(ErrorKind::pickled_checkpoint, path,
                "a checkpoint with an object of the Python class `" + first + "`" + how +
                    ", which only Python can read",
                load_hint);
  if (is_state_dict(document))
    throw Error(ErrorKind::state_dict, path, "a `state_dict`" + how + ": weights without a model",
                load_weights_hint);
  throw Error(ErrorKind::pickled_data, path, "pickled data" + how + ", not a model", load_hint);
}

/// Whether the first of several pickles is torch's number.
bool is_of_torch(std::string_view pickles) {
  const std::string_view head = pickles.substr(0, longest_magic);
  return head.substr(0, pickle::parse(head).bytes).ends_with(torch_magic);
}

} // namespace

bool is_bare_pickle(std::string_view head) {
  return head.size() >= 2 && head[0] == '\x80' && head[1] >= 1 && head[1] <= 5;
}

bool is_tar(std::string_view head) { return head.size() > 262 && head.substr(257, 5) == "ustar"; }

void refuse_saved_pickle(const std::filesystem::path& file, std::string_view pickle) {
  refuse(file.string(), pickle::parse(pickle), " written by torch.save");
}

void refuse_bare_pickle(const InputFile& file) {
  const std::string bytes = file.read_at(0, std::min<std::uint64_t>(file.size(), looked_at));
  std::string_view rest = bytes;
  const bool of_torch = is_of_torch(rest);
  for (std::size_t i = 0; of_torch && i < legacy_headers; ++i)
    rest.remove_prefix(pickle::parse(rest).bytes);
  if (of_torch && rest.empty())
    throw Error(ErrorKind::truncated_file, file.path().string(),
                "the file is cut off in the header that torch.save wrote",
                "copy or download it again");
  refuse(file.path().string(), pickle::parse(rest),
         of_torch ? " written by torch.save in its format before torch 1.6"
                  : " written by Python's pickle");
}

void refuse_tar(const InputFile& file) {
  throw Error(ErrorKind::compressed_file, file.path().string(), "a tar archive, not a model",
              std::string("unpack it and give the model file inside; if torch.save wrote it before "
                          "torch 0.2, ") +
                  load_hint);
}

} // namespace model_validator
