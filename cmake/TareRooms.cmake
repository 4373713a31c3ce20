# How the rooms are compiled.
option(TARE_UNITY "compile the files of a folder together, and common headers once; without it each file must \
include what it uses" ON)

# tare_unity(TARGET REGEX): the files of each folder that matches are compiled as one, which takes a third of the time where
# code is mostly headers. Names in their anonymous namespaces must differ. Kernels are compiled once for each set of
# instructions, and each by itself; so are the tables, which tests/toy replaces.
function(tare_unity target regex)
  if(NOT TARE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX ${regex})
  foreach(source IN LISTS sources)
    file(STRINGS ${source} kernel REGEX "foreach_target.h" LIMIT_COUNT 1)
    if(kernel OR source MATCHES "/registry.cpp$")
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    string(REGEX REPLACE "^.*/(src/tare|tests)/" "" folder ${folder})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
endfunction()

# tare_room_options(TARGET): -O2, where CMake says -O3 by itself; common headers precompiled.
function(tare_room_options target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2> ${instrumented})
  if(NOT TARE_UNITY)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <functional> <memory> <optional>
                            <span> <string> <string_view> <vector> <fmt/format.h>)
  # In precompiled headers g++ 12 sees overruns of std::string that are none, and that it does not see otherwise.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>)
endfunction()
