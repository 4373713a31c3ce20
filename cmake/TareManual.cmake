# The manual pages and completions, made by the program itself from the tables of --help: build/…/manual.
if(CMAKE_SCRIPT_MODE_FILE)  # cmake -Dprogram=... -Dout=... -P TareManual.cmake
  file(REMOVE_RECURSE ${out}/man1)
  execute_process(COMMAND ${program} man -o ${out}/man1 COMMAND_ERROR_IS_FATAL ANY)
  foreach(pair bash:tare zsh:_tare fish:tare.fish)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 shell)
    list(GET pair 1 name)
    execute_process(COMMAND ${program} completion ${shell} OUTPUT_FILE ${out}/${name} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  file(TOUCH ${out}/made)
  return()
endif()

set(TARE_ZSH_DIR zsh/site-functions CACHE STRING "where zsh looks for completions, below the folder of data; Debian: zsh/vendor-completions")
set(manual ${CMAKE_CURRENT_BINARY_DIR}/manual)
add_custom_command(OUTPUT ${manual}/made DEPENDS tare_cli ${CMAKE_CURRENT_LIST_FILE} VERBATIM
  COMMAND ${CMAKE_COMMAND} -Dprogram=$<TARGET_FILE:tare_cli> -Dout=${manual} -P ${CMAKE_CURRENT_LIST_FILE}
  COMMENT "Writing manual pages and completions")
add_custom_target(tare_manual ALL DEPENDS ${manual}/made)
# OPTIONAL: who has built the program alone can still install it.
install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tare_program OPTIONAL)
install(FILES ${manual}/tare DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tare_program OPTIONAL)
install(FILES ${manual}/_tare DESTINATION ${CMAKE_INSTALL_DATADIR}/${TARE_ZSH_DIR} COMPONENT tare_program OPTIONAL)
install(FILES ${manual}/tare.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tare_program OPTIONAL)
