#include "connected_graph/torchscript/mapping.h"

#include "connected_graph/out_of_memory.h"

#include <model_validator/error.h>

#include <sys/mman.h>

namespace model_validator::torchscript {

Mapping::Mapping(const InputFile& file) : size_(file.size()) {
  void* start = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
                       file.descriptor(), 0);
  if (start == MAP_FAILED)
    throw Error("unreadable-file", file.path().string(), "the file cannot be mapped into memory",
                "copy it to a local disk, and raise `ulimit -v` if that is set");
  start_ = static_cast<char*>(start);
}

Mapping::Mapping(std::size_t size) : size_(size) {
  void* start = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    throw out_of_memory("", "no address space is left for the weights of the file");
  start_ = static_cast<char*>(start);
}

Mapping::~Mapping() { ::munmap(start_, size_); }

} // namespace model_validator::torchscript
