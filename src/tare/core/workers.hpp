// Who checks rows. A view is made in one call (views.hpp), and core knows no threads: those who have some lend them.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

namespace tare::detail {

// Calls part(i) once for every i below `parts`, in any order.
using Workers = std::function<void(std::size_t parts, const std::function<void(std::size_t)>& part)>;

// While it lives, views that this thread makes are checked by these workers. What they find does not depend on them.
class ScopedValidationWorkers {
 public:
  explicit ScopedValidationWorkers(Workers workers) : workers_(std::move(workers)), outer_(mine) { mine = this; }
  ~ScopedValidationWorkers() { mine = outer_; }
  ScopedValidationWorkers(const ScopedValidationWorkers&) = delete;
  ScopedValidationWorkers& operator=(const ScopedValidationWorkers&) = delete;

  // Of this thread; null where it is on its own.
  static const Workers* workers() { return mine ? &mine->workers_ : nullptr; }

 private:
  static thread_local const ScopedValidationWorkers* mine;

  Workers workers_;
  const ScopedValidationWorkers* outer_;
};

}  // namespace tare::detail
