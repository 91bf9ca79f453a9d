// Large blocks of memory come in large pages.
//
// A question over a whole store fills some megabytes once: names, columns, documents. The kernel
// hands out memory in pages of 4 kB, each when it is first touched, which takes 1 µs and on virtual
// machines 3: a third of the time of `weft cost` and of an outline. Pages of 2 MB take a tenth of
// that. Where the kernel has none, nothing changes.
//
// Not under sanitizers, which have an operator new of their own.
#include <sys/mman.h>

#include <cstdlib>
#include <new>

#ifndef __has_feature  // g++ has none
#define __has_feature(feature) 0
#endif

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;
// Smaller blocks would take up to twice the memory: ingest holds a file's bytes in pieces of 1 MB.
constexpr std::size_t kLarge = kLargePage * 2;

// Null if there is no memory.
void* allocate(std::size_t size) {
  if (size < kLarge) return std::malloc(size == 0 ? 1 : size);
  void* block = nullptr;
  if (::posix_memalign(&block, kLargePage, size) != 0) return nullptr;
  (void)::madvise(block, size / kLargePage * kLargePage, MADV_HUGEPAGE);
  return block;
}

}  // namespace

void* operator new(std::size_t size) {
  while (true) {
    if (void* const block = allocate(size)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

#endif
