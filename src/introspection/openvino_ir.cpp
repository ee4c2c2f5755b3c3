#include "introspection/openvino_ir.h"

#include "files/input_file.h"
#include "files/real_path.h"
#include "files/regular_file.h"
#include "files/xml.h"

#include <model_validator/error.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_model_bytes = std::uint64_t{256} << 20; ///< without weights
constexpr int first_version = 10, last_version = 11;
constexpr const char* write_again =
    "copy or download it again, or write it again with `openvino.save_model`";

struct TypeName {
  std::string_view in_ir, in_ports;
  std::string_view dtype;
};

constexpr std::array<TypeName, 19> ir_types{{{"f32", "FP32", "float32"},
                                             {"f16", "FP16", "float16"},
                                             {"bf16", "BF16", "bfloat16"},
                                             {"f64", "FP64", "float64"},
                                             {"i64", "I64", "int64"},
                                             {"i32", "I32", "int32"},
                                             {"i16", "I16", "int16"},
                                             {"i8", "I8", "int8"},
                                             {"i4", "I4", "int4"},
                                             {"u64", "U64", "uint64"},
                                             {"u32", "U32", "uint32"},
                                             {"u16", "U16", "uint16"},
                                             {"u8", "U8", "uint8"},
                                             {"u4", "U4", "uint4"},
                                             {"u2", "U2", "uint2"},
                                             {"boolean", "BOOL", "bool"},
                                             {"f8e4m3", "FP8_E4M3", "float8_e4m3fn"},
                                             {"f8e5m2", "FP8_E5M2", "float8_e5m2"},
                                             {"string", "STRING", "string"}}};

std::string dtype_spelled(std::string_view TypeName::*spelling, std::string_view word) {
  const auto found = std::ranges::find(ir_types, word, spelling);
  return found == ir_types.end() ? std::string() : std::string(found->dtype);
}

template <class Number> std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stopped, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || stopped != end) return std::nullopt;
  return value;
}

/// The first of `a,b`, in which a comma of a name is written `\,`.
std::string first_name(const std::string& names) {
  std::string first;
  for (std::size_t i = 0; i < names.size() && names[i] != ','; ++i) {
    if (names[i] == '\\' && i + 1 < names.size()) ++i;
    first += names[i];
  }
  return first;
}

/// What an element is in that one, where it is of interest; else `other`. Branches and loops have
/// bodies of layers.
std::string_view element_in(std::string_view parent, std::string_view name) {
  using Place = std::pair<std::string_view, std::string_view>;
  static constexpr std::array<Place, 11> places{{{"", "net"},
                                                 {"net", "layers"},
                                                 {"net", "edges"},
                                                 {"body", "layers"},
                                                 {"body", "edges"},
                                                 {"layers", "layer"},
                                                 {"layer", "data"},
                                                 {"layer", "output"},
                                                 {"layer", "body"},
                                                 {"output", "port"},
                                                 {"edges", "edge"}}};
  if (name == "then_body" || name == "else_body") name = "body";
  const auto found = std::ranges::find(places, Place{parent, name});
  return found == places.end() ? std::string_view("other") : found->second;
}

/// Builds a model from its tags.
class Reader {
public:
  explicit Reader(const fs::path& file) { ir_.file = file; }

  OpenVinoIr read(std::string_view document) {
    XmlWalk walk(document);
    while (const auto tag = walk.next()) {
      const auto name_at = static_cast<std::size_t>(tag->name.data() - document.data());
      if (tag->begins)
        begin(*tag, {name_at - 1, walk.position()});
      else
        end(walk.position());
    }
    ir_.sources.resize(ir_.layers.size());
    connect();
    return std::move(ir_);
  }

private:
  /// What encloses layers: the model itself, or a body of a layer.
  struct Body {
    std::optional<std::size_t> owner;
    std::map<std::string, std::size_t> layers; ///< by id
  };
  struct Edge {
    std::size_t body;
    std::string from, from_port, to, to_port;
    IrText text;
  };

  void begin(const XmlTag& tag, const IrText& text) {
    const std::string_view element = element_in(path_.empty() ? "" : path_.back(), tag.name);
    path_.push_back(element);
    if (element == "net") check_version(tag);
    if (element == "layers") open_body();
    if (element == "layer") add_layer(tag, text);
    if (element == "output") ir_.layers[open_layers_.back()].outputs_text = text;
    if (element == "data") add_data(tag);
    if (element == "port") add_port(tag);
    if (element == "edge") add_edge(tag, text);
  }

  void end(std::size_t position) {
    const std::string_view element = path_.back();
    path_.pop_back();
    if (element == "layers") {
      last_body_ = open_bodies_.back();
      open_bodies_.pop_back();
    }
    if (element == "output") ir_.layers[open_layers_.back()].outputs_text.end = position;
    if (element == "layer") {
      ir_.layers[open_layers_.back()].text.end = position;
      open_layers_.pop_back();
    }
  }

  void check_version(const XmlTag& tag) const {
    const std::string* version = tag.find("version");
    const auto number = version == nullptr ? std::nullopt : number_in<int>(*version);
    if (number && *number >= first_version && *number <= last_version) return;
    throw Error(ErrorKind::unsupported_version, ir_.file.string(),
                "an OpenVINO model of version " + text(tag, "version").substr(0, 20) +
                    ": versions 10 and 11 are read",
                "convert the original model again with a newer OpenVINO");
  }

  void add_edge(const XmlTag& tag, const IrText& place) {
    if (!last_body_) throw XmlError("connects layers before it has any");
    edges_.push_back({*last_body_, text(tag, "from-layer"), text(tag, "from-port"),
                      text(tag, "to-layer"), text(tag, "to-port"), place});
  }

  void open_body() {
    open_bodies_.push_back(bodies_.size());
    bodies_.push_back(
        {open_layers_.empty() ? std::nullopt : std::optional(open_layers_.back()), {}});
  }

  void add_layer(const XmlTag& tag, const IrText& place) {
    const std::size_t number = ir_.layers.size();
    Body& body = bodies_[open_bodies_.back()];
    if (!body.layers.emplace(text(tag, "id"), number).second)
      throw XmlError("has two layers with the number " + text(tag, "id").substr(0, 20));
    IrLayer layer;
    layer.id = text(tag, "id");
    layer.name = text(tag, "name");
    layer.type = text(tag, "type");
    layer.enclosing = body.owner.value_or(number);
    layer.text = place;
    ir_.layers.push_back(std::move(layer));
    open_layers_.push_back(number);
  }

  void add_data(const XmlTag& tag) {
    IrLayer& layer = ir_.layers[open_layers_.back()];
    layer.element_type = text(tag, "element_type");
    layer.shape = text(tag, "shape");
    layer.levels = number_in<int>(text(tag, "levels")).value_or(0);
    layer.is_turned = text(tag, "transpose_b") == "true";
    if (!layer.is_constant()) return;
    const auto offset = number_in<std::uint64_t>(text(tag, "offset"));
    const auto size = number_in<std::uint64_t>(text(tag, "size"));
    if (!offset || !size)
      throw XmlError("does not say where the constant `" + layer.name + "` lies");
    layer.offset = *offset;
    layer.size = *size;
  }

  void add_port(const XmlTag& tag) {
    ir_.layers[open_layers_.back()].outputs.push_back(
        {text(tag, "id"), first_name(text(tag, "names")),
         dtype_spelled(&TypeName::in_ports, text(tag, "precision"))});
  }

  void connect() {
    for (const Edge& edge : edges_) {
      const auto& layers = bodies_[edge.body].layers;
      const auto from = layers.find(edge.from), to = layers.find(edge.to);
      const auto input = number_in<int>(edge.to_port);
      if (from == layers.end() || to == layers.end() || !input)
        throw XmlError("connects layers that it does not have");
      ir_.sources[to->second][*input] = {from->second, edge.from_port, edge.text};
    }
  }

  static std::string text(const XmlTag& tag, std::string_view attribute) {
    const std::string* found = tag.find(attribute);
    return found == nullptr ? std::string() : *found;
  }

  OpenVinoIr ir_;
  std::vector<std::string_view> path_; ///< the elements that are open
  std::vector<Body> bodies_;
  std::vector<std::size_t> open_bodies_, open_layers_;
  std::optional<std::size_t> last_body_;
  std::vector<Edge> edges_;
};

/// Model caches keep both files as links into one store. A link that leads elsewhere is not
/// followed.
fs::path weights_beside(const fs::path& file) {
  fs::path weights = file;
  weights.replace_extension(".bin");
  const auto folder_of = [](const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
  };
  std::error_code failed;
  if (!fs::is_regular_file(weights, failed))
    throw Error(ErrorKind::missing_weights, file.string(),
                "the weights of the OpenVINO model are missing: " + weights.string(),
                "put `" + weights.filename().string() +
                    "` next to it: it is written with the model");
  if (!lies_beneath(weights, folder_of(file)) &&
      !lies_beneath(weights, real_path(file).parent_path()))
    throw Error(ErrorKind::missing_weights, file.string(),
                "the weights of the OpenVINO model lie outside its folder",
                "put `" + weights.filename().string() + "` itself next to it");
  return weights;
}

void find_weights(OpenVinoIr& ir) {
  const auto is_stored = [](const IrLayer& layer) { return layer.is_constant() && layer.size > 0; };
  if (std::ranges::none_of(ir.layers, is_stored)) return;
  ir.weights = weights_beside(ir.file);
  const std::uint64_t bytes = InputFile(ir.weights).size();
  for (const IrLayer& layer : ir.layers)
    if (is_stored(layer) && (layer.offset > bytes || layer.size > bytes - layer.offset))
      throw Error(ErrorKind::truncated_file, ir.weights.string(),
                  "the weights of the OpenVINO model are cut off: the constant `" + layer.name +
                      "` reaches beyond the end of the file",
                  write_again);
}

} // namespace

const IrLayer* OpenVinoIr::source(std::size_t layer, int input) const {
  const auto found = sources[layer].find(input);
  return found == sources[layer].end() ? nullptr : &layers[found->second.layer];
}

/// Files list what a layer reads before it.
std::vector<bool> OpenVinoIr::stored() const {
  std::vector<bool> found(layers.size(), false);
  for (std::size_t i = 0; i < layers.size(); ++i)
    found[i] = layers[i].is_constant() ||
               (!sources[i].empty() && std::ranges::all_of(sources[i], [&](const auto& input) {
                 return found[input.second.layer];
               }));
  return found;
}

std::vector<std::vector<std::size_t>> OpenVinoIr::readers() const {
  std::vector<std::vector<std::size_t>> found(layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i)
    for (const auto& [input, source] : sources[i]) found[source.layer].push_back(i);
  return found;
}

std::string read_ir_text(const fs::path& file) {
  if (InputFile(file).size() > max_model_bytes)
    throw Error(ErrorKind::too_large, file.string(),
                "the OpenVINO model is larger than 256 MiB, without its weights",
                "write it again with `openvino.save_model`");
  return read_regular_file(file, max_model_bytes).bytes;
}

OpenVinoIr read_openvino_ir(const fs::path& file) {
  return read_openvino_ir(file, read_ir_text(file));
}

OpenVinoIr read_openvino_ir(const fs::path& file, std::string_view text) {
  try {
    OpenVinoIr ir = Reader(file).read(text);
    find_weights(ir);
    return ir;
  } catch (const XmlCutOff&) {
    throw Error(ErrorKind::truncated_file, file.string(), "the OpenVINO model is cut off",
                write_again);
  } catch (const XmlError& error) {
    throw Error(ErrorKind::damaged_file, file.string(),
                std::string("the OpenVINO model ") + error.what(), write_again);
  }
}

bool begins_openvino_ir(std::string_view head) {
  try {
    const auto root = XmlWalk(head).next();
    return root && root->name == "net" && root->find("version") != nullptr;
  } catch (const XmlError&) {
    return false;
  }
}

int few_bits_of_ir(const std::string& element_type) {
  static constexpr std::array<std::pair<std::string_view, int>, 10> few_bit_types{{{"i8", 8},
                                                                                   {"u8", 8},
                                                                                   {"f8e4m3", 8},
                                                                                   {"f8e5m2", 8},
                                                                                   {"i4", 4},
                                                                                   {"u4", 4},
                                                                                   {"nf4", 4},
                                                                                   {"f4e2m1", 4},
                                                                                   {"i2", 2},
                                                                                   {"u2", 2}}};
  const auto found =
      std::ranges::find(few_bit_types, element_type, [](const auto& row) { return row.first; });
  return found == few_bit_types.end() ? 0 : found->second;
}

std::string dtype_of_ir(const std::string& element_type) {
  return dtype_spelled(&TypeName::in_ir, element_type);
}

std::optional<std::vector<std::int64_t>> shape_of_ir(const std::string& shape) {
  std::vector<std::int64_t> sizes;
  std::string_view rest = shape;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    std::string_view size = rest.substr(0, end);
    size.remove_prefix(std::min(size.find_first_not_of(' '), size.size()));
    if (size == "...") return std::nullopt;
    sizes.push_back(number_in<std::int64_t>(size).value_or(-1)); // `?`, or `1..8`
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return sizes;
}

std::vector<StoredWeights> list_ir_weights(const fs::path& file) {
  const OpenVinoIr ir = read_openvino_ir(file);
  std::vector<StoredWeights> weights;
  for (const IrLayer& layer : ir.layers) {
    const std::string dtype = dtype_of_ir(layer.element_type);
    const auto shape = shape_of_ir(layer.shape);
    const bool is_floating = dtype.find("float") != std::string::npos;
    if (!layer.is_constant() || layer.size == 0 || !shape || !is_floating) continue;
    weights.push_back({ir.weights,
                       "",
                       false,
                       {{layer.offset, layer.size}},
                       "",
                       layer.value_name(),
                       dtype,
                       {shape->begin(), shape->end()}});
  }
  return weights;
}

} // namespace model_validator
