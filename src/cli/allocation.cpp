// Standard behaviour when memory runs out, whichever `malloc` is linked: mimalloc, built as C, ends
// the program where `operator new` should call the new handler or throw.
#include <cstdlib>
#include <mimalloc.h>
#include <new>
#include <pthread.h>

namespace {

/// @param allocate  returns null where there is no memory
template <class Allocate> void* allocate_or_throw(Allocate allocate) {
  for (;;) {
    if (void* memory = allocate()) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void* allocate(std::size_t size) {
  return allocate_or_throw([size] { return std::malloc(size); }); // NOLINT
}

void* allocate(std::size_t size, std::align_val_t alignment) {
  const auto bytes = static_cast<std::size_t>(alignment);
  return allocate_or_throw([=]() -> void* {
    void* memory = nullptr;
    return ::posix_memalign(&memory, bytes, size) == 0 ? memory : nullptr;
  });
}

/// @returns null instead of throwing
template <class... Arguments> void* allocate_quietly(Arguments... arguments) noexcept {
  try {
    return allocate(arguments...);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

/// A fork copies the memory of a process page by page, and large pages are few. A worker allocates
/// little, and clearing large pages for it costs more than it saves.
const bool tuned = [] {
  ::mi_option_enable(mi_option_large_os_pages);
  return ::pthread_atfork(nullptr, nullptr,
                          [] { ::mi_option_disable(mi_option_large_os_pages); }) == 0;
}();

} // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, alignment);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_quietly(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_quietly(size);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate_quietly(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate_quietly(size, alignment);
}
