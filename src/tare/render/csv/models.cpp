#include "tare/core/names.hpp"
#include "tare/render/csv/csv.hpp"

namespace tare::inner::render {

std::string csv(const ModelTable& models) {
  const auto text = [](const std::optional<double>& x) { return x ? csv_number(*x) : std::string(); };
  std::vector<std::string> head{"model",   "n",      "score", "label",
                                "error",   "low",    "high",  std::string(name(Criterion::brier)),
                                "p_value", "verdict"};
  for (const Criterion c : {Criterion::squared_error, Criterion::brier})
    head.push_back(std::string(name(c)) + "_against_first");
  std::string out = csv_line(head);
  for (const ModelLine& line : models.models) {
    const Verdict& v = line.test.verdict;
    std::vector<std::string> cells{line.test.input.source, std::to_string(line.test.input.n),
                                   text(v.mean_score),     text(v.mean_label),
                                   text(v.mean.value),     text(v.mean.low),
                                   text(v.mean.high),      text(line.brier),
                                   text(v.p_value),        std::string(name(v.outcome))};
    for (const Criterion c : {Criterion::squared_error, Criterion::brier}) {
      std::string change;
      for (const Difference& d : line.differences)
        if (d.criterion == c) change = name(d.change);
      cells.push_back(change);
    }
    out += csv_line(cells);
  }
  return out;
}

}  // namespace tare::inner::render
