# cmake --install: the program, the library with its headers and CMake package, the sample networks, the papers as data.
include(CMakePackageConfigHelpers)

install(TARGETS tare EXPORT tareTargets)
if(TARGET tare_cli)
  install(TARGETS tare_cli)
endif()
install(DIRECTORY include/tare src/tare DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "cli" EXCLUDE)
install(DIRECTORY data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tare/data)
install(DIRECTORY paper/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tare/paper)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(tare_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tare)
configure_package_config_file(cmake/tareConfig.cmake.in tareConfig.cmake INSTALL_DESTINATION ${tare_package_dir}
                              NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(tareConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT tareTargets NAMESPACE tare:: DESTINATION ${tare_package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tareConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/tareConfigVersion.cmake
        DESTINATION ${tare_package_dir})
