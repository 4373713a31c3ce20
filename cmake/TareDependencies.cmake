# Every dependency is a Debian package; apt.txt lists them and says what each is for.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(Boost REQUIRED)
find_package(simdjson REQUIRED)
set_property(TARGET simdjson::simdjson PROPERTY INTERFACE_COMPILE_DEFINITIONS)  # for streams in threads, which are not used
set(ZLIB_USE_STATIC_LIBS ${TARE_STATIC_LIBRARIES})
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy)
# Random123 is headers in the system's include path.

# What is compiled with, and what is linked: the others are headers.
set(tare_private_dependencies fmt::fmt nlohmann_json::nlohmann_json Eigen3::Eigen Boost::headers PkgConfig::hwy simdjson::simdjson ZLIB::ZLIB)
set(tare_linked_dependencies fmt::fmt simdjson::simdjson ZLIB::ZLIB
  $<BUILD_INTERFACE:PkgConfig::hwy> $<INSTALL_INTERFACE:hwy>)  # -lhwy: Debian's Highway has no CMake package
