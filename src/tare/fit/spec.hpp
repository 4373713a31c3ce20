// The row of a calibrator: how it is fitted, and how a fitted one is applied. The command line, Python,
// `tare compare` and the reference docs walk the table of rows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/model.hpp"
#include "tare/core/options.hpp"
#include "tare/core/recipe.hpp"
#include "tare/core/result.hpp"
#include "tare/core/views.hpp"
#include "tare/numeric/order/bins.hpp"

namespace tare::detail::fit {

struct Options {
  int bins = options::bins.usual;                      // histogram, scaling_binning
  numeric::Binning binning = numeric::Binning::width;  // histogram
  bool step = false;                                   // isotonic: Guo's step function instead of interpolation
  std::optional<double> lambda = {};                   // matrix, dirichlet: weight of squared off-diagonal entries
  std::optional<double> mu = {};                       // matrix, dirichlet: weight of squared intercepts
  bool smooth_targets = false;                         // platt, beta: Platt's 1999 targets instead of 0 and 1
  bool share_rows = false;   // scaling_binning: every step on all rows, as its authors' program
  bool share_prior = false;  // bbq: the bins share a prior of two rows, as in the paper's text; else two rows each
  int max_iterations = options::max_iterations.usual;  // 0: the method's own limit
  int threads = 1;
  bool losses = true;  // the report has the log loss before and after, where that costs a pass over the rows
  std::vector<double> prior = {};  // prior_shift: shares of the classes that the model was calibrated for
  bool unlabelled = false;         // the labels of the rows are stand-ins
};

// A fitted map, ready to use: rows of the model's input in, rows of probabilities out.
class Map {
 public:
  virtual ~Map() = default;
  Map() = default;
  Map(const Map&) = delete;
  Map& operator=(const Map&) = delete;

  // `in` holds whole rows of `columns` numbers; `out` gets as many rows of `columns` probabilities
  // (columns = 1: the probability of class 1). Never NaN; rows sum to 1.
  virtual void apply(Reals in, std::span<double> out) const = 0;
};

struct Calibrator {
  std::string_view name;
  std::string_view title;
  std::string_view summary;
  std::string_view citation;
  // 1: a number for all classes; 2: a few; 3: a few per class; 4: a free curve per class; 5: one per pair of classes
  int complexity = 0;
  bool keeps_top_label = false;   // promise: the argmax never changes
  std::string_view options = {};  // the options it reads, with blanks between: "bins binning"
  bool without_labels = false;    // can be fitted on rows that have none
  Result<Model> (*fit)(const MulticlassView&, const Options&) = nullptr;
  Result<Recipe> (*recipe)(const Model&) = nullptr;  // checks every parameter

  [[nodiscard]] Result<std::unique_ptr<Map>> load(const Model& model) const;  // the map of the recipe (rows/map.cpp)
};

std::span<const Calibrator> all();
const Calibrator* find(std::string_view name);  // null if there is none
const Calibrator& identity();                   // the one that can leave every row as it is, fitted to do that
Error unknown_method(std::string_view name);    // with the name that may have been meant

// Versioned JSON: no code; files of every released version keep loading (model_writer.cpp, model_reader.cpp).
std::string to_json(const Model& model);
Result<Model> from_json(std::string_view text, std::string_view source);
Result<Model> read_model(const std::string& path);  // from the file that it was saved in; "-" is standard input

}  // namespace tare::detail::fit
