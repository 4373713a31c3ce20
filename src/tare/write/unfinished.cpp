#include "tare/write/unfinished.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <climits>
#include <cstring>
#include <mutex>
#include <utility>

namespace tare::inner::write {
namespace {

// A handler may neither allocate nor wait, so: a fixed table, and a flag that stops changes before it is read.
struct Slot {
  std::atomic<bool> live = false;
  std::atomic<std::size_t> files = 0;  // inside, where it is a folder
  std::array<char, PATH_MAX> path = {};
};

std::array<Slot, 32> slots;
std::atomic<bool> ending = false;
std::mutex changing;  // never taken by a handler
static_assert(std::atomic<bool>::is_always_lock_free);

void wait_if_ending() {
  while (ending) ::pause();
}

// folder/file, without memory.
void remove_inside(const std::array<char, PATH_MAX>& folder, std::size_t file) noexcept {
  std::array<char, PATH_MAX + 24> path{};
  const std::size_t size = std::strlen(folder.data());
  std::memcpy(path.data(), folder.data(), size);
  path[size] = '/';
  *std::to_chars(path.data() + size + 1, path.data() + path.size() - 1, file).ptr = '\0';
  ::unlink(path.data());
}

}  // namespace

Unfinished::Unfinished(const std::string& path) {
  const std::scoped_lock lock(changing);
  wait_if_ending();
  // The lowest free place above all taken ones: the table is removed from its end.
  int free = static_cast<int>(slots.size());
  while (free > 0 && !slots[static_cast<std::size_t>(free - 1)].live) --free;
  if (free == static_cast<int>(slots.size()) || path.size() >= PATH_MAX) return;
  Slot& slot = slots[static_cast<std::size_t>(free)];
  std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
  slot.files = 0;
  slot.live = true;
  slot_ = free;
  wait_if_ending();  // the handler may have passed this slot: do not let the file be made
}

Unfinished::Unfinished(Unfinished&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

Unfinished& Unfinished::operator=(Unfinished&& other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}

Unfinished::~Unfinished() {
  if (slot_ >= 0) slots[static_cast<std::size_t>(slot_)].live = false;
}

void Unfinished::holds(std::size_t files) noexcept {
  if (slot_ >= 0) slots[static_cast<std::size_t>(slot_)].files = files;
}

void remove_unfinished() noexcept {
  ending = true;
  for (std::size_t i = slots.size(); i-- > 0;) {
    if (!slots[i].live) continue;
    for (std::size_t file = slots[i].files; file-- > 0;) remove_inside(slots[i].path, file);
    if (::unlink(slots[i].path.data()) != 0) ::rmdir(slots[i].path.data());
  }
}

}  // namespace tare::inner::write
