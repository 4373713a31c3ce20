// Large arrays: not filled before they are used, and in huge pages where the system gives them,
// because sorting 10^8 rows touches 256 places at once and would miss the page table each time.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include "tare/platform/platform.hpp"

namespace tare::detail::numeric {

template <class T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}

  T* allocate(std::size_t n) {
    constexpr std::size_t page = std::size_t{1} << 21, line = 64;
    if (n > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_array_new_length();
    std::size_t bytes = n * sizeof(T);
    void* p = nullptr;
    if (bytes < 2 * page) {
      p = std::aligned_alloc(line, (bytes + line - 1) / line * line);
    } else {
      bytes = (bytes + page - 1) / page * page;
      p = std::aligned_alloc(page, bytes);
      if (p) platform::wish_huge_pages(p, bytes);
    }
    if (!p) throw std::bad_alloc();
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) { std::free(p); }

  // resize() leaves numbers unset instead of writing zeros that are overwritten at once.
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
  }
  friend bool operator==(const LargeAllocator&, const LargeAllocator&) { return true; }
};

template <class T>
using LargeArray = std::vector<T, LargeAllocator<T>>;

// Arrays for vector loops: a load that crosses a cache line costs two.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, line); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }

 private:
  static constexpr std::align_val_t line{64};
};

template <class T>
using AlignedArray = std::vector<T, AlignedAllocator<T>>;

}  // namespace tare::detail::numeric
