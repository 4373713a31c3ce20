// What was typed after `tare plot`, for the files that draw its kinds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tare/analysis/survey.hpp"
#include "tare/cli/args.hpp"
#include "tare/cli/two_folds.hpp"
#include "tare/core/criterion.hpp"
#include "tare/core/progress.hpp"
#include "tare/measure/spec.hpp"
#include "tare/render/pictures/plots.hpp"

namespace tare::detail::cli::of_plot {

inline std::string name_of(bool Roles::*role) { return std::string(measure::with_role(role).name); }

struct Args {
  std::string kind = {};
  std::string estimator = name_of(&Roles::reference), norm = {}, model = {};
  std::string criterion = std::string(name(Criterion::brier));
  std::string style = "curve", axis = "auto";  // of reliability
  std::vector<std::string> estimators = {}, methods = {}, beside = {};
  std::string calibrator = {};
  std::vector<std::size_t> sizes = {};
  std::size_t replicates = 1000;
  TwoFolds folds;
  analysis::SurveyOptions survey;
  std::string path = {}, title = {};
  bool perfect = false, all = false, quiet = false, text = false;
  bool json = false, csv = false;  // the numbers instead of the picture
};

// What every kind of picture returns: the SVG or, with --text, the characters; of some kinds the numbers.
enum class Drawn { svg, text, json, csv };

struct Canvas {
  Drawn as = Drawn::svg;
  bool text = false;
  render::TextOptions style = {};
  Progress progress = {};
  int threads = 1;
};

// The numbers of a result, its table, or its picture, whatever was asked for.
template <class Found, class Svg>
Result<std::string> shown(const Found& found, const Canvas& canvas, const Svg& svg) {
  if (canvas.as == Drawn::json) return render::json(found);
  if (canvas.as == Drawn::csv) return render::csv(found);
  if (canvas.as == Drawn::text) return render::text(found, canvas.style);
  return svg();
}

extern const Page page;  // its help

std::vector<std::string> inputs_of(const Args& args);  // all files, also those that only some kinds read

Result<Predictions> judged_fold(const Args& args, int threads);

// The kinds of plot_kinds.cpp; their numbers can be had as JSON and CSV.
const std::vector<std::string>& question_kinds();
Result<std::string> draw_question(const Args& args, const Canvas& canvas);

}  // namespace tare::detail::cli::of_plot
