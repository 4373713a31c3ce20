# The Debian package of the static program (make dist): the component tare_program, with the notices of what is linked in.
set(notices ${CMAKE_CURRENT_BINARY_DIR}/notices)
add_custom_target(tare_notices ALL VERBATIM COMMAND ${PROJECT_SOURCE_DIR}/packaging/notices.sh ${notices}
                  COMMENT "Collecting the notices of what is linked in")
install(DIRECTORY ${notices} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tare_program)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tare)
set(CPACK_PACKAGE_CONTACT "The tare developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "how far a classifier's confidences are from the truth")
set(CPACK_DEBIAN_TARE_PROGRAM_DESCRIPTION "tare measures the calibration error of a classifier by every estimator in
use, says how much of it is noise and bias, tests it, draws it, and fits
calibrators that repair it. One static program, with ten sample networks.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL tare_program)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_TARE_PROGRAM_PACKAGE_NAME tare)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)  # it needs none
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_STRIP_FILES OFF)  # the linker has done it
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/same_times.cmake)
include(CPack)
