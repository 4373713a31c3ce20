# The library for others: its headers, its CMake package and its pkg-config file.
include(CMakePackageConfigHelpers)
set(tare_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tare)

# Named one by one: each is a promise.
set(tare_headers tare version result run predictions estimators verdict curve measurement calibrators tests state simulation files)
list(TRANSFORM tare_headers PREPEND include/tare/)
list(TRANSFORM tare_headers APPEND .hpp)
install(FILES ${tare_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tare COMPONENT tare_development)

install(TARGETS tare EXPORT tareTargets
  LIBRARY COMPONENT tare_runtime NAMELINK_COMPONENT tare_development
  ARCHIVE COMPONENT tare_development)
install(EXPORT tareTargets NAMESPACE tare:: DESTINATION ${tare_package_dir} COMPONENT tare_development)
if(TARGET tare_static)
  install(TARGETS tare_static EXPORT tareStaticTargets ARCHIVE COMPONENT tare_development)
  install(EXPORT tareStaticTargets NAMESPACE tare:: DESTINATION ${tare_package_dir} COMPONENT tare_development)
endif()
configure_package_config_file(cmake/tareConfig.cmake.in tareConfig.cmake INSTALL_DESTINATION ${tare_package_dir}
                              NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(tareConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tareConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/tareConfigVersion.cmake
        DESTINATION ${tare_package_dir} COMPONENT tare_development)
file(RELATIVE_PATH tare_pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
if(BUILD_SHARED_LIBS)  # it has what it needs inside; a static one asks for it
  set(tare_pc_private .private)
else()
  set(tare_pc_threads " -pthread")
endif()
configure_file(cmake/tare.pc.in tare.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tare.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT tare_development)
