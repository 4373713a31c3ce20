// The version of the headers, and of the library that runs. CMakeLists.txt reads it from here.
//
//     std::cout << "headers " TARE_VERSION ", library " << tare::version() << '\n';
#pragma once

#define TARE_VERSION "0.3.0"
#define TARE_VERSION_MAJOR 0
#define TARE_VERSION_MINOR 3
#define TARE_VERSION_PATCH 0

// True from version a.b.c on: `#if TARE_VERSION_AT_LEAST(0, 3, 0)`.
#define TARE_VERSION_AT_LEAST(a, b, c) \
  (TARE_VERSION_MAJOR > (a) ||         \
   (TARE_VERSION_MAJOR == (a) &&       \
    (TARE_VERSION_MINOR > (b) || (TARE_VERSION_MINOR == (b) && TARE_VERSION_PATCH >= (c)))))

// What the library shows; everything else in it is hidden.
#define TARE_EXPORT __attribute__((visibility("default")))

namespace tare {
inline namespace v0_3 {

// Of the library that runs, which need not be the one whose headers were compiled: "0.3.0".
TARE_EXPORT const char* version() noexcept;

}  // namespace v0_3
}  // namespace tare
