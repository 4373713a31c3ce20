// The options that are numbers: what each is, its default and its range. Everybody checks with in_range() and takes
// defaults from here: the library, the command line (its help, too), Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "tare/core/result.hpp"

namespace tare::inner {

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

}  // namespace options

// Calls f with every option above.
template <class F>
void for_each_option(const F& f) {
  using namespace options;
  f(bins), f(norm), f(max_bins), f(group_bins), f(folds), f(resamples), f(paired_resamples), f(replicates),
      f(report_replicates);
  f(drawn_replicates), f(n);
  f(alpha), f(power), f(lambda), f(mu), f(max_iterations), f(threads), f(seed);
}

// Does the name mean an option or an argument: one of the above, an array (logits, ...) or a word (reduction, ...)?
bool is_option(std::string_view name);

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

}  // namespace tare::inner
