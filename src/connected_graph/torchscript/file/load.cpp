#include "connected_graph/torchscript/file/load.h"

#include "connected_graph/torchscript/file/archive.h"
#include "connected_graph/torchscript/file/bytecode.h"
#include "connected_graph/torchscript/file/checked_operators.h"
#include "connected_graph/torchscript/file/code.h"
#include "connected_graph/torchscript/file/debug_ranges.h"
#include "connected_graph/torchscript/file/errors.h"
#include "connected_graph/torchscript/file/load_places.h"
#include "connected_graph/torchscript/file/operator_libraries.h"
#include "connected_graph/torchscript/file/operator_tables.h"
#include "connected_graph/torchscript/file/pickle_checks.h"
#include "connected_graph/torchscript/file/unsafe_operators.h"
#include "connected_graph/torchscript/file/value_checks.h"

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/operator_upgraders/upgraders_entry.h>
#include <torch/csrc/jit/serialization/import_source.h>
#include <torch/csrc/jit/serialization/unpickler.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

namespace model_validator::torchscript {
namespace {

using torch::jit::CompilationUnit;
using ObjectPointer = c10::intrusive_ptr<c10::ivalue::Object>;

/// Turns the records of one archive into one module.
class Loader {
public:
  Loader(Archive& archive, Code& code, const LoadOptions& options)
      : archive_(archive), code_(code), options_(options),
        unit_(std::make_shared<CompilationUnit>()),
        importer_(
            unit_, &constants_, [this](const std::string& name) { return source_of(name); },
            archive.version()) {}

  torch::jit::Module load();
  void run_setstate();
  void copy_plain_state() const {
    for (const auto& [object, state] : unset_) set_plain_attributes(*object, state);
  }
  UnsetObjects take_unset() { return std::exchange(unset_, {}); }

  bool has_sparse_tensors() const noexcept { return has_sparse_tensors_; }

private:
  std::string checked(const std::string& archive_name);
  c10::IValue unpickle(const std::string& archive_name);
  std::shared_ptr<torch::jit::Source> source_of(const std::string& qualifier);
  ObjectPointer object_of(const c10::StrongTypePtr& type, const c10::IValue& state);
  ObjectPointer object_with_state(const c10::StrongTypePtr& type, const c10::IValue& state);

  Archive& archive_;
  Code& code_;
  const LoadOptions& options_;
  std::shared_ptr<CompilationUnit> unit_;
  std::vector<c10::IValue> constants_;
  UnsetObjects unset_;
  torch::jit::SourceImporter importer_;
  bool has_sparse_tensors_ = false;
};

std::shared_ptr<torch::jit::Source> Loader::source_of(const std::string& qualifier) {
  std::string path = "code/" + qualifier;
  std::replace(path.begin(), path.end(), '.', '/');
  path += ".py";
  if (!archive_.has(path)) return nullptr;
  const std::string debug = path + ".debug_pkl";
  std::shared_ptr<torch::jit::SourceRangeUnpickler> ranges;
  if (archive_.has(debug)) ranges = std::make_shared<DebugRanges>(archive_.read(debug));
  return std::make_shared<torch::jit::Source>(code_.take(path), path, 1, std::move(ranges));
}

ObjectPointer Loader::object_of(const c10::StrongTypePtr& type, const c10::IValue& state) {
  const auto cls = type.type_->expect<c10::ClassType>();
  if (cls->findMethod("__setstate__") != nullptr) return object_with_state(type, state);
  const std::size_t count = cls->numAttributes();
  auto object = c10::ivalue::Object::create(type, count);
  const auto attributes = state.toGenericDict();
  for (std::size_t i = 0; i < count; ++i) {
    const c10::IValue value = attributes.at(cls->getAttributeName(i));
    TORCH_CHECK(fits(value, *cls->getAttribute(i)), "attribute `", cls->getAttributeName(i),
                "` of `", cls->name()->qualifiedName(), "` holds a ", value.tagKind());
    object->setSlot(i, value);
  }
  return object;
}

ObjectPointer Loader::object_with_state(const c10::StrongTypePtr& type, const c10::IValue& state) {
  const auto cls = type.type_->expect<c10::ClassType>();
  auto object = c10::ivalue::Object::create(type, cls->numAttributes());
  unset_.emplace_back(object, state);
  return object;
}

/// A pickle that has been checked.
std::string Loader::checked(const std::string& archive_name) {
  std::string bytes = archive_.read(archive_name + ".pkl");
  const auto storage_bytes = [&](std::string_view key) {
    return archive_.size_of(archive_name + "/" + std::string(key));
  };
  const pickle::Document document = pickle::parse(bytes);
  check_pickle(document, storage_bytes, archive_.file().path().string());
  has_sparse_tensors_ |= torchscript::has_sparse_tensors(document);
  return bytes;
}

/// LibTorch is given the bytes that were checked: the file may have changed since.
c10::IValue Loader::unpickle(const std::string& archive_name) {
  const std::string bytes = checked(archive_name);
  std::size_t taken = 0;
  const auto read = [&bytes, &taken](char* to, std::size_t count) {
    const std::size_t copied = bytes.copy(to, count, taken);
    taken += copied;
    return copied;
  };
  const auto type_of = [this](const c10::QualifiedName& name) {
    return c10::StrongTypePtr(unit_, importer_.loadType(name));
  };
  const auto object = [this](const c10::StrongTypePtr& type, const c10::IValue& state) {
    return object_of(type, state);
  };
  const auto record = [&](const std::string& key) {
    return std::get<0>(archive_.reader().getRecord(archive_name + "/" + key));
  };
  // Weights go to the CPU, whatever device they were saved from.
  torch::jit::Unpickler unpickler(read, type_of, object, record, c10::Device(c10::DeviceType::CPU),
                                  false, torch::jit::Unpickler::defaultTypeParser,
                                  archive_.storages(archive_name + "/", options_.map_weights));
  unpickler.set_version(archive_.version());
  return unpickler.parse_ivalue();
}

torch::jit::Module Loader::load() {
  const FoldNumbersOnly folding;
  const c10::IValue table = unpickle("constants");
  for (const c10::IValue& constant : table.toTupleRef().elements()) constants_.push_back(constant);
  const c10::IValue root = unpickle("data");
  TORCH_CHECK(root.isObject() && root.toObjectRef().type()->is_module(),
              "its root is not a module but a ", root.tagKind());
  code_.constants().give_to(*unit_);
  if (archive_.has("bytecode.pkl"))
    require_bytecode_of(*unit_, archive_.read("bytecode.pkl"), archive_.file().path().string());
  return torch::jit::Module(root.toObject());
}

/// Inner objects come first, as in the file.
void Loader::run_setstate() {
  const std::string file = archive_.file().path().string();
  require_computing_only(*unit_, unset_, file);
  require_dense(has_sparse_tensors_, file);
  for (const auto& [object, state] : take_unset())
    object->type()->getMethod("__setstate__")({object, state});
}

/// Drops what LibTorch would print about a file on standard error: users need not see it.
class Silent final : public c10::WarningHandler {
public:
  void process(const c10::Warning&) override {}
};

} // namespace

void prepare_loading() {
  static std::once_flag once;
  std::call_once(once, torch::jit::populate_upgraders_graph_map);
  check_operators();
}

LoadedFile load_file(const std::filesystem::path& file, const LoadOptions& options) {
  Places places;
  return load_file(file, options, places);
}

LoadedFile load_file(const std::filesystem::path& file, const LoadOptions& options,
                     Places& places) {
  Silent silent;
  const c10::WarningUtils::WarningHandlerGuard guard(&silent);
  return translating_errors(file, [&] {
    prepare_loading();
    load_operator_libraries(options.operator_libraries);
    Archive archive(file);
    Code code(archive);
    register_missing_operators(code.operators());
    Loader loader(archive, code, options);
    torch::jit::Module module = loader.load();
    if (options.run_setstate)
      loader.run_setstate();
    else
      loader.copy_plain_state();
    places = archive.places();
    return LoadedFile{.module = std::move(module),
                      .producer = "pytorch, file format " + std::to_string(archive.version()),
                      .file_bytes = archive.file().size(),
                      .format_version = archive.version(),
                      .has_sparse_tensors = loader.has_sparse_tensors(),
                      .unset_objects = loader.take_unset()};
  });
}

} // namespace model_validator::torchscript
