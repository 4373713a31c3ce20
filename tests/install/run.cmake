# Each step must succeed; what it printed is shown when it does not.
function(step)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  if(code)
    message(FATAL_ERROR "failed (${code}): ${ARGV}")
  endif()
endfunction()

file(REMOVE_RECURSE ${work})
step(${CMAKE_COMMAND} --install ${build} --prefix ${work}/stage)
step(${CMAKE_COMMAND} -S ${source} -B ${work}/build -G ${generator} -DCMAKE_PREFIX_PATH=${work}/stage
     -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_CXX_FLAGS=${flags} -DCMAKE_BUILD_TYPE=${type})
step(${CMAKE_COMMAND} --build ${work}/build)
step(${work}/build/consumer ${data})
# The installed program finds the installed networks and data files, wherever the prefix is.
step(${CMAKE_COMMAND} -E env --unset=TARE_DATA ${work}/stage/bin/tare demo --no-interval --quiet)
step(${CMAKE_COMMAND} -E env --unset=TARE_PAPER ${work}/stage/bin/tare paper --list)
