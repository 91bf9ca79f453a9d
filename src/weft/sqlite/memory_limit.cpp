#include "weft/sqlite/memory_limit.hpp"

#include <malloc.h>
#include <sqlite3.h>

#include <cstdlib>

namespace weft::sqlite {
namespace {

thread_local MemoryLimit::Budget* budget_in_use = nullptr;

int size_of(void* memory) { return static_cast<int>(::malloc_usable_size(memory)); }

bool is_refused(int bytes) {
  if (budget_in_use == nullptr || bytes <= budget_in_use->left) return false;
  budget_in_use->is_exceeded = true;
  return true;
}

void* counted(void* memory) {
  if (budget_in_use != nullptr && memory != nullptr) budget_in_use->left -= size_of(memory);
  return memory;
}

void* allocate(int bytes) {
  return is_refused(bytes) ? nullptr : counted(std::malloc(static_cast<std::size_t>(bytes)));
}

void release(void* memory) {
  if (budget_in_use != nullptr && memory != nullptr) budget_in_use->left += size_of(memory);
  std::free(memory);
}

// While it moves, the old and the new memory are both there.
void* resize(void* memory, int bytes) {
  if (is_refused(bytes)) return nullptr;
  const int before = size_of(memory);
  void* moved = std::realloc(memory, static_cast<std::size_t>(bytes));
  if (budget_in_use != nullptr && moved != nullptr) budget_in_use->left += before;
  return counted(moved);
}

int round_up(int bytes) { return (bytes + 7) & ~7; }

}  // namespace

void install_memory_limit() {
  sqlite3_mem_methods methods = {.xMalloc = allocate,
                                 .xFree = release,
                                 .xRealloc = resize,
                                 .xSize = size_of,
                                 .xRoundup = round_up,
                                 .xInit = [](void*) { return SQLITE_OK; },
                                 .xShutdown = [](void*) {},
                                 .pAppData = nullptr};
  sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

MemoryLimit::MemoryLimit(Budget& budget) { budget_in_use = &budget; }

MemoryLimit::~MemoryLimit() { budget_in_use = nullptr; }

}  // namespace weft::sqlite
