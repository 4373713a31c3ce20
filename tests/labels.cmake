# Read by ctest after the lists of tests: further labels, by the names of the tests.
#   threads          start threads; `make sanitize` runs them, and no others, under ThreadSanitizer
#   slow-statistics  frequencies over many samples: run once, not again under AddressSanitizer, where the same code is
#                    seen by tests that look at one sample
include(${CMAKE_CURRENT_LIST_DIR}/threads.cmake)
set(slow-statistics "^(size|detectable|floor)\\.|covers_the_true_error|call_noise_noise|corrections_come_closer"
    "|scores_have_their_distribution|recovers_a_known_truth|p_values_are_those_of_all_possible_labels"
    "|lowers_the_error_of_every|exceeded_by_five_in_a_hundred|calibrated_groups_are_within_their_noise"
    "|false_discoveries_are_few|tells_a_calibrated_model_from_a_bad_one|^bets\\.are_fair|floors_are_those_of_rows_redrawn")
string(REPLACE ";" "" slow-statistics "${slow-statistics}")

get_cmake_property(lists VARIABLES)
list(FILTER lists INCLUDE REGEX "_tests_TESTS$")
foreach(list IN LISTS lists)
  string(REGEX REPLACE "_tests_TESTS$" "" room ${list})
  foreach(test IN LISTS ${list})
    foreach(label IN ITEMS threads slow-statistics)
      if(test MATCHES "${${label}}")
        set_tests_properties("${test}" PROPERTIES LABELS "${room};${label}")
      endif()
    endforeach()
  endforeach()
endforeach()
