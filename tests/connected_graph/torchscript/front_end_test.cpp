#include "connected_graph/torchscript/script_file.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"

#include <model_validator/graph_reader.h>

#include <catch2/catch.hpp>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

using namespace model_validator;
using namespace model_validator::test;

TEST_CASE("a TorchScript file becomes a graph through the library loaded on demand") {
  const TemporaryFolder folder;
  const auto path = folder.write("net.pt", ScriptFile().bytes());
  const ConnectedGraph graph = read_graph(path);
  CHECK(graph.origin.format == FileFormat::torchscript);
  CHECK(graph.origin.path == path.string());
  CHECK(graph.origin.producer == "pytorch, file format 3");
  CHECK(graph.origin.file_bytes == std::filesystem::file_size(path));
  CHECK_FALSE(graph.modules().empty());
}

TEST_CASE("the operators of the code are read unless they are not requested") {
  const TemporaryFolder folder;
  const auto path =
      folder.write("net.pt", ScriptFile::with_body("    return torch.relu(x)\n").bytes());
  CHECK_FALSE(read_graph(path).file_operators.empty());
  CHECK(
      read_graph(path, {.operator_libraries = {}, .file_operators = false}).file_operators.empty());
}

TEST_CASE("files are read side by side, good and bad") {
  const TemporaryFolder folder;
  const auto good = folder.write(
      "good.pt", ScriptFile::with_body("    return ops.torchvision.nms(x, x, 0.5)\n").bytes());
  const auto bad =
      folder.write("bad.pt", ScriptFile::with_body("    return ops.no.such(x)\n").bytes());
  std::atomic<int> read = 0;
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        if (kind_thrown_by([&] { read_graph(good); }).empty()) ++read;
        if (kind_thrown_by([&] { read_graph(bad); }) == "unknown-operator") ++refused;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(read == 20);
  CHECK(refused == 20);
}
