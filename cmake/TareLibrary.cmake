# Not on macOS, which has no linker that joins objects and no objcopy: there the program and the Python module are all.
if(APPLE)
  message(STATUS "macOS: the C++ library is not built, and nothing of this build is tested")
  return()
endif()

# The library that others link. All objects of tare_detail are joined into one, and only what include/tare exports stays
# visible in it (the inline functions of the standard library would, too). A plain archive would share its copies of Eigen's and Boost's inline functions with the program that links it,
# which may be built for another processor.
set(tare_joined ${CMAKE_CURRENT_BINARY_DIR}/tare_joined.o)
find_program(tare_ld NAMES ld.bfd ld REQUIRED)  # of the binutils: other linkers do not join groups of sections
add_custom_command(OUTPUT ${tare_joined}
  COMMAND ${tare_ld} -r --force-group-allocation -o ${tare_joined} --whole-archive $<TARGET_FILE:tare_detail>
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden --wildcard --keep-global-symbol=_ZN4tare4v[0-9]*
          --keep-global-symbol=_ZNK4tare4v[0-9]* --keep-global-symbol=_ZT[VIS]N4tare4v[0-9]* ${tare_joined}
  DEPENDS tare_detail VERBATIM COMMENT "Joining the objects of the library")
set_source_files_properties(${tare_joined} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)

add_library(tare ${tare_joined})  # shared where BUILD_SHARED_LIBS
add_library(tare::tare ALIAS tare)
set_target_properties(tare PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${tare_soversion})
set(tare_libraries tare)
if(BUILD_SHARED_LIBS)  # and the static one beside it
  add_library(tare_static STATIC ${tare_joined})
  add_library(tare::static ALIAS tare_static)
  set_target_properties(tare_static PROPERTIES OUTPUT_NAME tare EXPORT_NAME static)
  add_dependencies(tare_static tare)  # one of them makes the object
  list(APPEND tare_libraries tare_static)
endif()
foreach(library IN LISTS tare_libraries)
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${library} PUBLIC cxx_std_20)
  target_link_libraries(${library} PRIVATE Threads::Threads ${tare_linked_dependencies})
endforeach()
