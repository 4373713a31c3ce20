# The dependencies are those of the system (apt.txt), not Conan's. These are the numbers that the recipe asks for; Debian's Boost and
# CLI11 are older, and enough.
[platform_requires]
fmt/9.1.0
zlib/1.2.13
highway/1.0.3
simdjson/3.0.1
cli11/2.3.2
nlohmann_json/3.11.2
eigen/3.4.0
boost/1.81.0
random123/1.14.0

# What the static library asks for, and Conan would name by itself if it had made them.
[conf]
tools.cmake.cmaketoolchain:extra_variables={"CMAKE_CXX_STANDARD_LIBRARIES": "-lfmt -lz -lhwy -lsimdjson"}
