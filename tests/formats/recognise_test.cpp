#include "connected_graph/format_table.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"
#include "support/zip_file.h"

#include <model_validator/graph_reader.h>

#include <catch2/catch.hpp>

#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace model_validator;
using namespace model_validator::test;
using namespace std::string_literals;

namespace {

const std::string tensor_dict = // OrderedDict([('w', tensor)]) as torch.save pickles it
    "\x80\x02"
    "ccollections\nOrderedDict\n)R(X\x01\x00\x00\x00wctorch._utils\n_rebuild_tensor_v2\n"
    "((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x00"
    "0X\x03\x00\x00\x00"
    "cpuK\x01tQK\x00K\x01\x85K\x01\x85\x89"
    "ccollections\nOrderedDict\n)RtRu."s;
const std::string net_object = "\x80\x02"
                               "cmy.net\nNet\n)\x81}X\x01\x00\x00\x00"
                               "aK\x01sb."s;
const std::string legacy_headers = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
                                   "\x80\x02M\xe9\x03."
                                   "\x80\x02}X\x01\x00\x00\x00"
                                   "aK\x01s."s;

/// Recognises a file with these bytes.
class Probe {
public:
  FileFormat format(const std::string& bytes) const {
    return recognise(folder_.write("model.pt", bytes));
  }
  Error error(const std::string& bytes) const {
    const auto thrown = thrown_by([&] { format(bytes); });
    REQUIRE(thrown);
    CHECK(well_worded(*thrown));
    CHECK(thrown->path() == (folder_.path() / "model.pt").string());
    return *thrown;
  }
  std::string kind(const std::string& bytes) const {
    return std::string(to_string(error(bytes).kind()));
  }

private:
  TemporaryFolder folder_;
};

std::string field(int number, const std::string& bytes) {
  return static_cast<char>(number << 3 | 2) + std::string(1, static_cast<char>(bytes.size())) +
         bytes;
}
std::string onnx_model() {
  return "\x08\x0a"s + field(2, "pytorch") + field(7, "graph") + field(8, "\x10\x12");
}

bool mentions(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

} // namespace

TEST_CASE("a TorchScript file is known by its records, whatever its name") {
  const TemporaryFolder folder;
  ZipFile zip;
  zip.add("net/data.pkl", "\x80\x02N.").add("net/constants.pkl", "\x80\x02).");
  CHECK(recognise(folder.write("weights.docx", zip.bytes())) == FileFormat::torchscript);
}

TEST_CASE("exported programs and compiled packages are distinguished") {
  const Probe probe;
  ZipFile program;
  program.add("m/archive_format", "pt2").add("m/models/model.json", "{}");
  CHECK(probe.format(program.bytes()) == FileFormat::exported_program);
  ZipFile older;
  older.add("serialized_exported_program.json", "{}").add("version", "8.0");
  CHECK(probe.format(older.bytes()) == FileFormat::exported_program);
  ZipFile package;
  package.add("m/archive_format", "pt2").add("m/data/aotinductor/model/a.so", "x");
  CHECK(probe.format(package.bytes()) == FileFormat::aot_package);
}

TEST_CASE("an ONNX model is known by its fields") {
  const Probe probe;
  CHECK(probe.format(onnx_model()) == FileFormat::onnx);
  CHECK(probe.format(field(7, "graph") + field(8, "\x10\x12")) == FileFormat::onnx);
}

TEST_CASE("what is like ONNX and is not stays unknown") {
  const Probe probe;
  CHECK(probe.format("\x08\x01" + field(2, "a TensorFlow saved model")) == FileFormat::unknown);
  CHECK(probe.format(field(1, "a node of a frozen graph")) == FileFormat::unknown);
  CHECK(probe.format("\x08"s) == FileFormat::unknown);
  CHECK(probe.format("::::"s) == FileFormat::unknown);
  CHECK(probe.format("import torch\n") == FileFormat::unknown);
  CHECK(probe.format("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"s) == FileFormat::unknown);
}

TEST_CASE("a truncated ONNX model is named as such") {
  const Probe probe;
  const std::string whole = "\x08\x0a"s + field(8, "\x10\x12") + field(7, "a graph that goes on");
  CHECK(probe.kind(whole.substr(0, whole.size() - 4)) == "truncated-file");
}

TEST_CASE("a path without a readable file says so") {
  const TemporaryFolder folder;
  const auto kind = [&](const std::string& name) {
    const auto error = thrown_by([&] { recognise(folder.path() / name); });
    REQUIRE(error);
    CHECK(well_worded(*error));
    CHECK_FALSE(error->hint().empty());
    return std::string(to_string(error->kind()));
  };
  CHECK(kind("nothing.pt") == "not-found");
  folder.write("file.pt", "x");
  CHECK(kind("file.pt/inside.pt") == "not-found");
  CHECK(kind(".") == "is-a-folder");
  folder.write("empty.pt");
  CHECK(kind("empty.pt") == "empty-file");
  ::mkfifo((folder.path() / "pipe.pt").c_str(), 0600);
  CHECK(kind("pipe.pt") == "not-a-regular-file");
  std::filesystem::create_symlink("/dev/zero", folder.path() / "device.pt");
  CHECK(kind("device.pt") == "not-a-regular-file");
}

TEST_CASE("a file without read permission says so") {
  const TemporaryFolder folder;
  const auto file = folder.write("secret.pt", "x");
  ::chmod(folder.path().c_str(), 0755);
  ::chmod(file.c_str(), 0);
  const bool root = ::geteuid() == 0; // root may read everything
  if (root) REQUIRE(::seteuid(65534) == 0);
  const std::string kind = kind_thrown_by([&] { recognise(file); });
  if (root) REQUIRE(::seteuid(0) == 0);
  CHECK(kind == "no-permission");
}

TEST_CASE("a truncated zip is named as such") {
  const Probe probe;
  ZipFile zip;
  zip.add("net/data.pkl", std::string(1000, 'x')).add("net/constants.pkl", "\x80\x02).");
  const std::string whole = zip.bytes();
  for (const std::size_t size :
       {whole.size() - 1, whole.size() - 30, std::size_t{500}, std::size_t{4}})
    CHECK(probe.kind(whole.substr(0, size)) == "truncated-file");
}

TEST_CASE("a zip that claims more than it can hold is refused") {
  const Probe probe;
  ZipFile stored;
  stored.add({.name = "net/data.pkl",
              .data = "abc",
              .deflated = false,
              .claimed_size = 3'000'000'000,
              .padding = 0});
  CHECK(probe.kind(stored.bytes()) == "zip-bomb");
  ZipFile packed;
  packed.add({.name = "net/data.pkl",
              .data = std::string(1000, 'x'),
              .deflated = true,
              .claimed_size = 2'000'000,
              .padding = 0});
  CHECK(probe.kind(packed.bytes()) == "zip-bomb");
}

TEST_CASE("a damaged zip directory is an error") {
  const Probe probe;
  ZipFile zip;
  zip.add("net/data.pkl", "abc").add("net/constants.pkl", "abc");
  std::string bytes = zip.bytes();
  bytes[bytes.find("PK\x01\x02")] = 'X';
  const std::string kind = probe.kind(bytes);
  CHECK((kind == "damaged-zip" || kind == "truncated-file"));
}

TEST_CASE("a zip that is not a model is named for what it is") {
  const Probe probe;
  const auto cause = [&](const std::string& entry) {
    ZipFile zip;
    zip.add(entry, "x");
    const Error error = probe.error(zip.bytes());
    CHECK(error.kind() == ErrorKind::not_torchscript);
    return std::string(error.what());
  };
  CHECK(mentions(cause("[Content_Types].xml"), "office document"));
  CHECK(mentions(cause("weights.npy"), "NumPy archive"));
  CHECK(mentions(cause("model.weights.h5"), "Keras"));
  CHECK(mentions(cause("META-INF/MANIFEST.MF"), "Java"));
  CHECK(mentions(cause("models/net.pt"), "model files in it"));
  CHECK(mentions(cause("net/.data/extern_modules"), "torch.package"));
  CHECK(mentions(cause("holiday.jpg"), "not one that TorchScript wrote"));
  CHECK(mentions(probe.error(ZipFile().bytes()).what(), "empty zip"));
}

TEST_CASE("what torch.save wrote is refused with the way to export it") {
  const Probe probe;
  const auto saved = [&](const std::string& pickle) {
    ZipFile zip;
    zip.add("archive/data.pkl", pickle).add("archive/version", "3\n");
    return probe.error(zip.bytes());
  };
  const Error weights = saved(tensor_dict);
  CHECK(weights.kind() == ErrorKind::state_dict);
  CHECK(mentions(weights.hint(), "load_state_dict"));
  CHECK(mentions(weights.hint(), "torch.export."));
  const Error module = saved(net_object);
  CHECK(module.kind() == ErrorKind::pickled_module);
  CHECK(mentions(module.what(), "`my.net.Net`"));
  CHECK(mentions(module.hint(), "torch.export.save(torch.export.export(model, inputs)"));
  const Error checkpoint = saved("\x80\x02}X\x05\x00\x00\x00"
                                 "modelcmy.net\nNet\n)\x81}bs."s);
  CHECK(checkpoint.kind() == ErrorKind::pickled_checkpoint);
  CHECK(mentions(checkpoint.what(), "`my.net.Net`"));
  CHECK(saved("\x80\x02K\x01.").kind() == ErrorKind::pickled_data);
}

TEST_CASE("a pickle from before torch 1.6 is reported with what it holds") {
  const Probe probe;
  const Error weights = probe.error(legacy_headers + tensor_dict);
  CHECK(weights.kind() == ErrorKind::state_dict);
  CHECK(mentions(weights.what(), "before torch 1.6"));
  const std::string module = "\x80\x02(X\x06\x00\x00\x00modulecmy.net\nNet\nNNtQ)\x81}b."s;
  const Error object = probe.error(legacy_headers + module);
  CHECK(object.kind() == ErrorKind::pickled_module);
  CHECK(mentions(object.what(), "`my.net.Net`"));
  CHECK(probe.kind(legacy_headers) == "truncated-file");
  const std::string number = legacy_headers.substr(2, 13);
  for (const std::string& newer :
       {"\x80\x03"s + number + "\x80\x03M\xe9\x03.\x80\x03}.",
        "\x80\x04\x95\x0d\0\0\0\0\0\0\0"s + number + "\x80\x04M\xe9\x03.\x80\x04}."})
    CHECK(mentions(probe.error(newer + tensor_dict).what(), "before torch 1.6"));
}

TEST_CASE("another pickle, and a tar, are named") {
  const Probe probe;
  CHECK(probe.kind(net_object) == "pickled-module");
  std::string tar(1024, '\0');
  tar.replace(257, 5, "ustar");
  CHECK(probe.kind(tar) == "compressed-file");
}

TEST_CASE("files of other kinds are named by their first bytes") {
  const Probe probe;
  const Error pointer =
      probe.error("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n");
  CHECK(pointer.kind() == ErrorKind::git_lfs_pointer);
  CHECK(mentions(pointer.hint(), "git lfs pull"));
  CHECK(probe.kind("\x10\0\0\0\0\0\0\0{\"w\": {\"dtype\"}}"s) == "weights-only");
  CHECK(probe.kind("GGUF\x03\0\0\0"s) == "weights-only");
  CHECK(mentions(probe.error("\x89HDF\r\n\x1a\n...").what(), "HDF5"));
  CHECK(mentions(probe.error("\x93NUMPY\x01").what(), "NumPy"));
  CHECK(probe.kind("\x1f\x8b\x08....") == "compressed-file");
  CHECK(mentions(probe.error("<!DOCTYPE html><html>").what(), "web page"));
  CHECK(mentions(probe
                     .error("\x7f"
                            "ELF\x02\x01")
                     .hint(),
                 "--op-library"));
}

TEST_CASE("files that are deployed are named by their content, with the way to compare them") {
  const Probe probe;
  const auto names = [&](const std::string& bytes, const std::string& what,
                         const std::string& way) {
    const Error error = probe.error(bytes);
    INFO(error.what() << "; " << error.hint());
    return mentions(error.what(), what) && mentions(error.hint(), way);
  };
  const std::string engine = "ftrt\0\0\0\0"s;
  CHECK(names(engine, "a TensorRT engine", "run_tensorrt.py"));
  CHECK(names("ptrt\x57\0\0\0"s, "a TensorRT engine", "run_tensorrt.py"));
  CHECK(names("\x0b\0\0\0{\"a\": \"b\"}"s + engine, "a TensorRT engine", "run_tensorrt.py"));
  CHECK(names("\x1c\0\0\0ORTM...."s, "ONNX Runtime's own format", "the ONNX file"));
  CHECK(names("RKNN\0\0\0\0"s, "an RKNN model", "--command"));
  CHECK(names("\x01HEF\0\0\0\2"s, "an HEF file", "--command"));
  CHECK(names("7767517\n3 3\nInput x 0 1 x\n", "a model of ncnn", "--command"));
  CHECK(names("\xdd\x85\x76\0\3\0\0\0"s, "a model of ncnn", "--command"));
  const std::string core_ml = "\x08\x08"s + field(2, "a description") +
                              "\xb2\x1f\x02"
                              "ab"s;
  CHECK(names(core_ml, "a Core ML model", "run_coreml.py"));
  ZipFile dlc;
  dlc.add("model", "x").add("dlc.metadata", "x");
  CHECK(names(dlc.bytes(), "a DLC file", "--command"));
}

TEST_CASE("models of LiteRT and ExecuTorch are candidates, and not linted") {
  const Probe probe;
  const std::string litert = "\x1c\0\0\0TFL3...."s, program = "\x3c\0\0\0ET12...."s;
  CHECK(probe.format(litert) == FileFormat::litert);
  CHECK(probe.format(program) == FileFormat::executorch);
  CHECK(probe.format("\x1c\0\0\0TFL"s) == FileFormat::unknown);
  for (const std::string& bytes : {litert, program}) {
    const TemporaryFolder folder;
    const auto file = folder.write("model", bytes);
    const auto error = thrown_by([&] { format_of(file).read(file, {}); });
    REQUIRE(error);
    CHECK(mentions(error->hint(), "verify MODEL"));
  }
}

TEST_CASE("the command that compares such a file can be copied") {
  const TemporaryFolder folder;
  const auto file = folder.write("m.engine", "ftrt\0\0\0\0"s);
  const std::string hint = thrown_by([&] { recognise(file); })->hint();
  const auto begin = hint.find("'python ") + 8, end = hint.find(' ', begin);
  CHECK(std::filesystem::is_regular_file(hint.substr(begin, end - begin)));
  CHECK(mentions(hint, file.string() + " {inputs} {outputs}'"));
}

TEST_CASE("what is like a Core ML model and is not stays unknown") {
  const Probe probe;
  CHECK(probe.format("\x08\x08"s + field(2, "a description") + field(3, "x")) ==
        FileFormat::unknown);
  CHECK(probe.format("\x08\x08"s + field(2, "a description")) == FileFormat::unknown);
  CHECK(probe.format("\x08\x08\x12\x70"s) == FileFormat::unknown);
}

TEST_CASE("a name tells what a file is taken for only where its content says nothing") {
  const TemporaryFolder folder;
  const auto said = [&](const std::string& name, const std::string& bytes = "\1\2\3\4") {
    const auto error = thrown_by([&] { recognise(folder.write(name, bytes)); });
    return error ? std::string(error->what()) : std::string("nothing");
  };
  for (const char* name : {"m.engine", "m.plan", "m.trt", "m.mlmodel", "m.rknn", "m.hef", "m.dlc",
                           "m.blob", "m.tflite", "m.pte", "m.param", "m.mnn", "m.om", "m.bmodel",
                           "m.cvimodel", "m.xmodel", "m.pb", "m.pdmodel"}) {
    INFO(name);
    CHECK(mentions(said(name), "by its name "));
  }
  CHECK(said("m.pt") == "nothing");
  CHECK(said("m.engine", onnx_model()) == "nothing");
  CHECK(mentions(said("m.engine", "GGUF\x03\0\0\0"s), "GGUF"));
}

TEST_CASE("a .bin is told by what lies beside it") {
  const TemporaryFolder folder;
  const auto error = [&] {
    return thrown_by([&] { recognise(folder.write("m.bin", "\1\2\3")); }).value();
  };
  CHECK(error().kind() == ErrorKind::unknown_format);
  CHECK(mentions(error().what(), "QNN"));
  folder.write("m.param", "7767517\n");
  CHECK(mentions(error().what(), "the weights of `m.param`"));
  folder.write("m.xml", "<net version=\"11\"/>");
  CHECK(mentions(error().what(), "the weights of `m.xml`"));
}

TEST_CASE("an OpenVINO model is known by its first element") {
  const Probe probe;
  CHECK(probe.format("<?xml version=\"1.0\"?>\n<net name=\"m\" version=\"11\">") ==
        FileFormat::openvino_ir);
  CHECK(probe.format("<!-- c -->\n<net version='10'></net>") == FileFormat::openvino_ir);
  CHECK(mentions(probe.error("<?xml version=\"1.0\"?>\n<svg/>").what(), "an XML file"));
  CHECK(probe.format("\x01<net version=\"11\">"s) == FileFormat::unknown);
}

TEST_CASE("a folder that is a model is named") {
  const TemporaryFolder folder;
  CHECK_FALSE(known_folder(folder.path()));
  folder.write("m.mlpackage/Manifest.json", "{}");
  folder.write("m.mlpackage/Data/com.apple.CoreML/model.mlmodel", "x");
  folder.write("m.mlmodelc/coremldata.bin", "x");
  folder.write("saved/saved_model.pb", "x");
  for (const auto& [name, what] :
       {std::pair("m.mlpackage", "Core ML"), std::pair("m.mlmodelc", "Core ML"),
        std::pair("saved", "TensorFlow")}) {
    const auto error = known_folder(folder.path() / name);
    REQUIRE(error);
    CHECK(mentions(error->what(), what));
    CHECK(well_worded(*error));
    CHECK(thrown_by([&] { recognise(folder.path() / name); })->kind() == error->kind());
  }
}
