// Maps that repair confidences: fitted on validation data, applied to new predictions, saved as JSON, compared.
//
//     const auto model = tare::fit("temperature", *val);
//     const auto after = model->apply(*test);  // probabilities that own their numbers
//     if (const auto done = model->save("temperature.json"); !done) return fail(done.error());
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tare/measurement.hpp>
#include <tare/predictions.hpp>
#include <tare/run.hpp>

namespace tare::detail {
struct Access;
}  // namespace tare::detail

namespace tare {
inline namespace v0_3 {

// What is known about a calibrator. Its texts live as long as the program.
struct Method {
  std::string_view name;
  std::string_view title;
  std::string_view summary;
  std::string_view citation;
  std::string_view options;      // of FitOptions, those that it reads, with blanks between
  bool keeps_top_label = false;  // the predicted class never changes
  bool without_labels = false;   // can be fitted on predictions without labels
};

TARE_EXPORT std::span<const Method> methods() noexcept;

struct FitOptions {
  int bins = 15;                      // histogram, scaling_binning
  bool equal_mass = false;            // histogram: bins of equal mass instead of equal width
  bool step = false;                  // isotonic: a step function instead of lines between the blocks
  std::optional<double> lambda = {};  // matrix, dirichlet: weight of squared off-diagonal entries; empty: chosen
  std::optional<double> mu = {};      // matrix, dirichlet: weight of squared intercepts; empty: chosen
  bool smooth_targets = false;        // platt, beta: Platt's targets instead of 0 and 1
  bool share_rows = false;            // scaling_binning: every step on all rows
  bool share_prior = false;           // bbq: a prior of two rows for all bins together instead of for each
  int max_iterations = 0;             // 0: the method's own limit
  // prior_shift: the shares of the classes that the model was calibrated for, which sum to 1. With them, labels are
  // neither needed nor used.
  std::vector<double> prior = {};
};

enum class FitStatus {
  converged,        // a minimum, certified by its gradient, or an exact solution
  at_bound,         // the minimum lies on a bound of the parameters
  unbounded,        // no minimum exists: `note` says how it was stopped
  iteration_limit,  // stopped early
};

struct FitReport {
  FitStatus status = FitStatus::converged;
  int iterations = 0;
  std::optional<double> gradient = {};    // largest component at the end; empty for exact solutions
  std::optional<double> nll_before = {};  // mean log loss on the data of the fit; empty: infinite, or no labels
  std::optional<double> nll_after = {};
  double seconds = 0;  // 0 for a model that was loaded
  std::string note = {};
};

// A fitted map: a small handle to data that never change.
class TARE_EXPORT Calibrator {
 public:
  [[nodiscard]] std::string_view method() const noexcept;
  [[nodiscard]] FitReport report() const;
  [[nodiscard]] Kind input() const noexcept;           // what it applies to
  [[nodiscard]] std::size_t columns() const noexcept;  // numbers per row

  // Probabilities (confidences for confidences) of the same rows, with their labels and weights. They own their
  // numbers.
  [[nodiscard]] Result<Predictions> apply(const Predictions& predictions, const Run& run = {}) const;
  // Whole rows of `columns()` numbers in, as many probabilities out. For services: no check but that of the sizes and
  // of NaN, nothing kept.
  [[nodiscard]] Result<void> apply_rows(Reals in, std::span<double> out) const;

  [[nodiscard]] Result<void> save(const std::string& path) const;  // whole or not at all
  [[nodiscard]] Result<std::string> to_json() const;
  [[nodiscard]] static Result<Calibrator> load(const std::string& path);
  [[nodiscard]] static Result<Calibrator> from_json(std::string_view text);

 private:
  friend struct detail::Access;
  explicit Calibrator(support::Handle model) : model_(std::move(model)) {}
  support::Handle model_;
};

TARE_EXPORT Result<Calibrator> fit(std::string_view method, const Predictions& validation,
                                   const FitOptions& options = {}, const Run& run = {});

struct CompareOptions {
  std::vector<std::string> methods = {};     // by name; empty: all
  std::vector<std::string> estimators = {};  // NAME, NAME:1 or NAME:2; empty: the usual three
  std::optional<Reduction> reduction = {};   // top_label or positive
  std::string criterion = "brier";           // that chooses the winner: brier or nll
  int folds = 5;
  int bins = 15;
  std::size_t resamples = 1000;
  FitOptions fit = {};
};

// After minus before, on the same rows: negative is better.
struct Difference {
  std::string criterion;  // brier, nll, or debias_em_squared
  std::string against;    // the other method
  double value = 0;
  double low = 0;  // simultaneous 95% interval
  double high = 0;
};

struct Compared {
  std::string method;              // "uncalibrated": the input as it is
  std::string reason = {};         // why there is no result; the numbers then mean nothing
  double error = 0;                // 1 - accuracy
  std::optional<double> nll = {};  // empty: infinite
  double brier = 0;
  std::vector<EstimateRow> estimates = {};
  std::vector<Difference> differences = {};
  std::optional<double> selection = {};  // the criterion on out-of-fold predictions of the validation data
  FitReport fit = {};
};

struct TARE_EXPORT Comparison {
  std::vector<Compared> methods = {};
  std::string winner = {};
  std::string why = {};       // how it was chosen
  support::Handle impl = {};  // what to_text and to_json show

  [[nodiscard]] const Compared* find(std::string_view method) const noexcept;  // null if it was not compared
};

// Every calibrator fitted on the validation data and judged on the test data; the winner is chosen on the validation
// data alone. Without test data, the numbers are those of out-of-fold predictions.
TARE_EXPORT Result<Comparison> compare(const Predictions& validation, const CompareOptions& options = {},
                                       const Run& run = {});
TARE_EXPORT Result<Comparison> compare(const Predictions& validation, const Predictions& test,
                                       const CompareOptions& options = {}, const Run& run = {});

TARE_EXPORT Result<std::string> to_text(const Comparison& comparison, int width = 80);
TARE_EXPORT Result<std::string> to_json(const Comparison& comparison);

}  // namespace v0_3
}  // namespace tare
