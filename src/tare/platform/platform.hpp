// What one system has and another has not, or has in another way. linux.cpp is the only file that makes calls of Linux;
// posix.cpp answers the same questions without them, for macOS. CMake compiles one of the two (TARE_PLATFORM).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

struct stat;

namespace tare::detail::platform {

std::string own_file();  // of the program that runs; empty: the system does not tell

void wish_huge_pages(void* at, std::size_t bytes) noexcept;  // failure changes nothing

std::size_t physical_memory();   // bytes that this process may use at most; the largest number where nobody knows
std::size_t available_memory();  // bytes, now, before the system begins to end programs: it promises more than it has

std::span<const std::string_view> descriptor_folders();  // "/dev/fd/": 1 in it is the name of our standard output

// A file without a name in a folder, open for reading and writing; -1: there is no such thing here.
int open_unnamed(const std::string& folder);
bool give_name(int unnamed, const std::string& path);  // false: errno says why not

std::pair<std::int64_t, std::int64_t> changed_at(const struct stat& file);  // seconds, and what is beyond them

char** environment();  // of this process, for one that is started

}  // namespace tare::detail::platform
