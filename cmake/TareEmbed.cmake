# tare_embed(TARGET SYMBOL FILE): the bytes of FILE as `extern const std::string_view tare::detail::SYMBOL` (SYMBOL with its
# namespace, render::page_style) in TARGET. The file is read again when it changes.
if(CMAKE_SCRIPT_MODE_FILE)  # cmake -Dfile=... -Dsymbol=... -Dout=... -P TareEmbed.cmake
  file(READ ${file} bytes)
  string(REGEX MATCH "^(.*)::([a-z_]+)$" _ ${symbol})
  file(WRITE ${out} "#include <string_view>\n\nnamespace tare::detail::${CMAKE_MATCH_1} {\n"
    "extern const std::string_view ${CMAKE_MATCH_2};\n"
    "const std::string_view ${CMAKE_MATCH_2} = R\"embedded(${bytes})embedded\";\n}\n")
  return()
endif()

set(tare_embed_script ${CMAKE_CURRENT_LIST_FILE})
function(tare_embed target symbol file)
  string(REPLACE "::" "_" name ${symbol})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.cpp)
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  add_custom_command(OUTPUT ${out} DEPENDS ${file} ${tare_embed_script} VERBATIM
    COMMAND ${CMAKE_COMMAND} -Dfile=${file} -Dsymbol=${symbol} -Dout=${out} -P ${tare_embed_script})
  target_sources(${target} PRIVATE ${out})
  set_source_files_properties(${out} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
