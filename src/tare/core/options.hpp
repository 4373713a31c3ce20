// The ranges and defaults of options that are numbers. Which call takes them, and what they mean there, is said by the
// tables of call_options.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "tare/core/result.hpp"

namespace tare::detail {

template <class T>
struct Option {
  std::string_view name;
  std::string_view what;  // one line
  T usual;                // the default
  T least;
  T most;
  bool open = false;             // least and most themselves are out of range
  std::string_view advice = {};  // what to do about a wrong one; empty: the default is named
};

namespace options {

// Guo et al. and Roelofs et al. both use 15 bins. More than the most are refused: nobody looks at them, and every
// redrawing of the labels would walk through them all.
inline constexpr Option<int> bins{"bins", "number of bins", 15, 1, 10'000};
inline constexpr Option<int> norm{"norm", "1: mean absolute gap, 2: root mean square", 2, 1, 2,
                                  false,  "1 averages the absolute gap, 2 its square"};
inline constexpr Option<int> max_bins{"max_bins", "where a sweep stops; 0: at one bin per row", 0, 0, 1 << 20};
inline constexpr Option<int> group_bins{"group-bins", "ranges of a column of numbers", 5, 2, 1000};
inline constexpr Option<int> folds{"folds", "folds of the cross-validation", 5, 2, 100};
inline constexpr Option<std::size_t> resamples{"resamples", "redrawings of the labels", 999, 1, 10'000'000};
inline constexpr Option<std::size_t> paired_resamples{"resamples", "resamples of the paired intervals", 1000, 20,
                                                      1'000'000};
inline constexpr Option<std::size_t> replicates{"replicates", "simulated samples per size", 1000, 1,
                                                std::numeric_limits<std::uint32_t>::max()};
inline constexpr Option<std::size_t> report_replicates{"replicates", "simulated samples for the bias", 1000, 20,
                                                       10'000'000};
inline constexpr Option<std::size_t> drawn_replicates{"replicates", "simulated samples per size of a picture", 1000, 2,
                                                      1'000'000'000};
inline constexpr Option<std::size_t> n{"n", "size of a simulated sample", 1000, 1, (std::size_t{1} << 31) - 1};
inline constexpr Option<double> alpha{"alpha", "how often a calibrated model may be rejected", 0.05, 0, 1, true};
inline constexpr Option<double> power{"power", "how often a detectable error must be found", 0.95, 0, 1, true};
inline constexpr Option<double> lambda{"lambda", "weight of the squared off-diagonal entries",      0, 0, 1e12,
                                       false,    "0 switches the penalty off; 0.001 to 10 is usual"};
inline constexpr Option<double> mu{
    "mu", "weight of the squared intercepts", 0, 0, 1e12, false, "0 switches the penalty off; 0.001 to 10 is usual"};
inline constexpr Option<int> max_iterations{
    "max_iterations", "where an iterative fit stops; 0: at the method's own limit", 0, 0, 1'000'000};
inline constexpr Option<int> threads{"threads", "threads", 1, 1, 1024, false, "leave it out: all cores"};
inline constexpr Option<std::uint64_t> seed{"seed", "of everything that is drawn", 1, 0,
                                            std::numeric_limits<std::uint64_t>::max()};
inline constexpr Option<std::size_t> cells{"cells", "most cells of a running state", std::size_t{1} << 16,
                                           std::size_t{1} << 8, std::size_t{1} << 22};
inline constexpr Option<int> sql_step{"step", "fineness of the cells", 16, 4, 40};
inline constexpr Option<std::size_t> watch_resamples{"resamples", "redrawings of a day's labels", 999, 19, 100'000};
inline constexpr Option<double> run_length{"run_length", "mean days between false alarms of the detector, at least",
                                           5000, 2, 1e12};

}  // namespace options

std::string range_text(const Option<int>& option);  // "in 1 .. 10,000"
std::string range_text(const Option<std::size_t>& option);
std::string range_text(const Option<double>& option);  // "between 0 and 1" if open, else "in [0, 1e12]"

// bad_option with the option as its place, whatever was meant by `value`.
template <class T>
Error out_of_range(const Option<T>& option, std::string value);

template <class T>
Result<void> in_range(const Option<T>& option, std::type_identity_t<T> value);

// The first that is not fine.
Result<void> all_of(std::initializer_list<Result<void>> checks);

extern template Error out_of_range(const Option<int>&, std::string);
extern template Error out_of_range(const Option<std::size_t>&, std::string);
extern template Error out_of_range(const Option<double>&, std::string);
extern template Result<void> in_range(const Option<int>&, int);
extern template Result<void> in_range(const Option<std::size_t>&, std::size_t);
extern template Result<void> in_range(const Option<double>&, double);

}  // namespace tare::detail
