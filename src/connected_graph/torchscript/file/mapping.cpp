#include "connected_graph/torchscript/file/mapping.h"

#include <model_validator/error.h>

#include <sys/mman.h>

namespace model_validator::torchscript {

Mapping::Mapping(const InputFile& file) : size_(file.size()) {
  void* start = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
                       file.descriptor(), 0);
  if (start == MAP_FAILED)
    throw Error(ErrorKind::unreadable_file, file.path().string(),
                "the file cannot be mapped into memory",
                "copy it to a local disk, and raise `ulimit -v` if that is set");
  start_ = static_cast<char*>(start);
}

Mapping::~Mapping() { ::munmap(start_, size_); }

} // namespace model_validator::torchscript
