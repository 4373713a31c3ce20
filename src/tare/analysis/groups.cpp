#include "tare/analysis/groups.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "tare/analysis/estimate_rows.hpp"
#include "tare/analysis/input_info.hpp"
#include "tare/core/errors.hpp"
#include "tare/infer/groups/groups.hpp"
#include "tare/infer/resample/null.hpp"
#include "tare/infer/resample/ticker.hpp"
#include "tare/infer/tests/smooth_test.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {
namespace {

constexpr std::uint64_t enough_rows = 200;          // for smooth_test and for an estimated error
constexpr std::size_t affordable_scores = 2 << 20;  // of all groups that smooth_test looks at
constexpr std::size_t few_cells = 64;

numeric::Ordered sorted_group(const BinaryView& rows, std::span<const std::size_t> places) {
  std::vector<double> score(places.size()), weight(rows.weight().empty() ? 0 : places.size());
  std::vector<std::uint8_t> hit(places.size());
  rows.score().visit([&](auto all) {
    for (std::size_t i = 0; i < places.size(); ++i) score[i] = static_cast<double>(all[places[i]]);
  });
  for (std::size_t i = 0; i < places.size(); ++i) hit[i] = rows.label()[places[i]];
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = rows.weight()[places[i]];
  return numeric::order(Reals(std::span<const double>(score)), hit, weight);
}

double information(const numeric::Ordered& rows, std::size_t g) {
  return static_cast<double>(rows.mass(g)) * rows.score(g) * (1 - rows.score(g));
}

// Neighbouring scores together: at most 64 cells, none with more than 1/32 of both rows and information unless it is
// one score.
numeric::Ordered gathered(const numeric::Ordered& rows) {
  if (rows.groups() <= few_cells) return rows;
  constexpr double share = 2.0 / few_cells;
  double all = 0;
  for (std::size_t g = 0; g < rows.groups(); ++g) all += information(rows, g);
  std::vector<std::size_t> cut{0};
  double since = 0;
  for (std::size_t g = 0; g < rows.groups(); ++g) {
    since += information(rows, g);
    const std::uint64_t mass = rows.mass_before(g + 1) - rows.mass_before(cut.back());
    if (static_cast<double>(mass) >= share * static_cast<double>(rows.total_mass()) || since >= share * all) {
      cut.push_back(g + 1);
      since = 0;
    }
  }
  if (cut.back() != rows.groups()) cut.push_back(rows.groups());
  return numeric::gather(rows, cut);
}

std::vector<std::uint64_t> masses(const numeric::Ordered& rows) {
  std::vector<std::uint64_t> out(rows.groups());
  for (std::size_t g = 0; g < rows.groups(); ++g) out[g] = rows.mass(g);
  return out;
}

numeric::PoissonBinomial expected_hits(const numeric::Ordered& rows) {
  const numeric::Ordered few = gathered(rows);
  return {rows.scores(), masses(rows), {few.scores(), masses(few)}};
}

struct Group {
  numeric::Ordered rows;
  numeric::PoissonBinomial expected;
};

// What its own rows say of a group.
GroupLine line_of(const Group& group, double alpha) {
  const numeric::ShiftedRows& shifted = group.expected.shifted();
  const auto hits = static_cast<double>(group.rows.total_hits());
  const double n = shifted.rows();
  GroupLine out{
      .rows = group.rows.total_mass(),
      .confidence = static_cast<double>(group.rows.score_before(group.rows.groups())) / (n * numeric::score_scale),
      .accuracy = hits / n,
      .log_p_gap = group.expected.log_two_sided(hits)};
  out.log_p = out.log_p_gap;
  const auto shifts = group.expected.shifts(hits, alpha);
  out.gap = {.value = out.confidence - out.accuracy,
             .low = out.confidence - (std::isinf(shifts.high) ? 1 : shifted.mean(shifts.high) / n),
             .high = out.confidence - (std::isinf(shifts.low) ? 0 : shifted.mean(shifts.low) / n)};
  return out;
}

// The p-value of smooth_test, drawn until twenty redrawings are as extreme (Besag and Clifford 1991): calibrated groups
// cost little, and the others can reach what a list of so many groups asks for.
std::optional<double> shape_of(const numeric::Ordered& rows, std::size_t most, std::uint64_t seed,
                               std::uint32_t stream) {
  constexpr std::size_t enough = 20;
  const infer::NullCells null{infer::make_cells(rows, options::bins.usual), nullptr,
                              std::make_shared<const measure::SharedBases>()};
  const auto observed = infer::smooth_test(measure::Sample(null.cells.ordered, nullptr, null.bases));
  if (!observed) return std::nullopt;
  const infer::Redraw redraw(null.cells.ordered);
  std::vector<std::uint64_t> hits(null.cells.ordered.groups());
  std::size_t extreme = 0;
  for (std::size_t r = 0; r < most; ++r) {
    numeric::stop_if_asked();
    redraw.draw(seed, stream, static_cast<std::uint32_t>(r), 1, hits);
    const auto drawn = infer::smooth_test(infer::redrawn(null, hits));
    if (!drawn || *drawn >= *observed * (1 - 1e-12)) ++extreme;
    if (extreme == enough) return static_cast<double>(enough) / static_cast<double>(r + 1);
  }
  return static_cast<double>(extreme + 1) / static_cast<double>(most + 1);
}

// The estimated true error. Its interval begins above 0 only where the group is rejected.
std::optional<ErrorRange> error_of(const numeric::Ordered& rows, const GroupLine& line, double alpha) {
  const measure::Estimator& estimator = measure::with_role(&Roles::headline);
  Measured m = measure_estimate_row({&estimator, {.norm = usual_norm(estimator)}}, measure::Sample(&rows));
  add_interval(m, rows.weight());
  if (!m.estimate || !m.high) return std::nullopt;
  const bool rejected = line.log_p < std::log(alpha);
  const double least = std::max({0.0, *line.gap.low, -*line.gap.high});  // no error is smaller than the mean gap
  ErrorRange out{.estimator = m.name, .value = m.estimate->value, .low = rejected ? std::max(*m.low, least) : 0};
  out.value = std::max(*out.value, *out.low);
  out.high = std::max(*m.high, *out.value);
  return out;
}

class Judge {
 public:
  Judge(const GroupOptions& options, std::size_t groups) : options_(options), groups_(groups) {}

  // The groups of one column are added to the report.
  void add(const BinaryView& rows, const Grouping& grouping, GroupReport& report) {
    const auto [start, row] = rows_by_group(grouping);
    const std::size_t count = grouping.names.size(), column = report.columns.size();
    std::vector<std::optional<Group>> groups(count);
    std::vector<GroupLine> lines(count);
    const infer::Ticker ticker(options_.progress, "groups", count);
    numeric::parallel_for(count, options_.threads, [&, &start = start, &row = row](std::size_t g) {
      numeric::Ordered ordered = sorted_group(rows, std::span(row).subspan(start[g], start[g + 1] - start[g]));
      numeric::PoissonBinomial expected = expected_hits(ordered);
      groups[g].emplace(Group{std::move(ordered), std::move(expected)});
      lines[g] = line_of(*groups[g], options_.alpha);
      lines[g].column = column;
      lines[g].name = grouping.names[g];
      ticker.done();
    });
    std::vector<infer::CountedHits> counted;
    for (const auto& group : groups)
      counted.push_back({&group->expected, static_cast<double>(group->rows.total_hits())});
    const auto shrunken = infer::shrunken_gaps(counted, options_.threads);
    for (std::size_t g = 0; g < count; ++g) lines[g].shrunken_gap = shrunken[g];
    const double p = infer::p_of_every_group(counted,
                                             {.resamples = options_.resamples,
                                              .seed = options_.seed,
                                              .stream = static_cast<std::uint32_t>(column),
                                              .threads = options_.threads},
                                             options_.progress);
    report.columns.push_back({grouping.column, count, p});
    look_inside(groups, lines, report);
    std::move(lines.begin(), lines.end(), std::back_inserter(report.lines));
  }

 private:
  // Errors that cancel inside a group, and the size of errors.
  void look_inside(const std::vector<std::optional<Group>>& groups, std::vector<GroupLine>& lines,
                   GroupReport& report) const {
    std::vector<std::size_t> large;
    std::size_t scores = 0;
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (lines[g].rows >= enough_rows) {
        large.push_back(g);
        scores += std::min(groups[g]->rows.groups(), infer::usual_cells);
      }
    if (scores > affordable_scores) {
      report.notes.push_back(std::to_string(large.size()) + " groups of `" + report.columns.back().name +
                             "` are too many to look for errors that cancel inside a group: only mean gaps are judged");
      return;
    }
    // enough for the smallest adjusted p-value of Holm to reach alpha
    const auto needed = static_cast<std::size_t>(4 * static_cast<double>(groups_) / options_.alpha);
    const std::size_t most = std::clamp<std::size_t>(needed, options_.resamples, 99'999);
    const infer::Ticker ticker(options_.progress, "inside groups", large.size());
    numeric::parallel_for(large.size(), options_.threads, [&](std::size_t i) {
      const std::size_t g = large[i];
      GroupLine& line = lines[g];
      const bool clear = line.log_p_gap < std::log(options_.alpha / static_cast<double>(4 * groups_));
      if (!clear) line.p_shape = shape_of(groups[g]->rows, most, options_.seed, static_cast<std::uint32_t>(1000 + g));
      line.log_p = std::min(0.0, std::numbers::ln2 + std::min(line.log_p_gap, std::log(line.p_shape.value_or(1))));
      line.error = error_of(groups[g]->rows, line, options_.alpha);
      ticker.done();
    });
    report.shapes += large.size();
    report.shape_rows = enough_rows;
  }

  const GroupOptions& options_;
  std::size_t groups_;
};

Result<BinaryData> problem(const Predictions& predictions, const GroupOptions& options) {
  const auto reduction = choose_reduction(predictions, options.reduction);
  if (!reduction) return reduction.error();
  if (*reduction == Reduction::classwise) return no_groups_of_classes();
  if (predictions.summed)
    return bad_input("a state keeps no rows, so that they cannot be told apart by groups",
                     "make one state for each group, or measure the rows");
  return binary_problem(predictions, *reduction, options.threads);
}

Result<void> usable(const BinaryView& rows, std::span<const Grouping> groupings) {
  for (const Grouping& grouping : groupings)
    if (grouping.of_row.size() != rows.size())
      return Error{.code = Errc::bad_input,
                   .what = "has " + std::to_string(grouping.of_row.size()) + " values for " +
                           std::to_string(rows.size()) + " rows",
                   .place = {.array = grouping.column}};
  const auto whole = [](double w) { return w == std::floor(w) && w < 0x1p53; };
  if (!std::all_of(rows.weight().begin(), rows.weight().end(), whole))
    return Error{.code = Errc::bad_input,
                 .what = "groups need whole weights: exact p-values count rows",
                 .place = {.array = "weights"},
                 .remedy = "leave `weights` out, or round them"};
  return {};
}

}  // namespace

Error no_groups_of_classes() {
  return bad_option("groups are judged by one yes-or-no question for each row",
                    "pass `reduction` top_label or positive");
}

Result<GroupReport> groups(const BinaryView& rows, std::span<const Grouping> groupings, const GroupOptions& options) {
  if (const auto fine = all_of({in_range(options::alpha, options.alpha), in_range(options::threads, options.threads),
                                in_range(options::resamples, options.resamples)});
      !fine)
    return fine.error();
  if (const auto fine = usable(rows, groupings); !fine) return fine.error();
  GroupReport out{.alpha = options.alpha, .resamples = options.resamples, .seed = options.seed};
  std::size_t count = 0;
  for (const Grouping& grouping : groupings) count += grouping.names.size();
  Judge judge(options, count);
  for (const Grouping& grouping : groupings) judge.add(rows, grouping, out);

  std::vector<double> log_p;
  for (const GroupLine& line : out.lines) log_p.push_back(line.log_p);
  const auto holm = infer::holm(log_p), bh = infer::benjamini_hochberg(log_p);
  for (std::size_t i = 0; i < out.lines.size(); ++i) out.lines[i].holm = holm[i], out.lines[i].bh = bh[i];
  std::stable_sort(out.lines.begin(), out.lines.end(),
                   [](const GroupLine& a, const GroupLine& b) { return a.log_p < b.log_p; });
  for (const GroupColumn& column : out.columns)
    out.p_value = std::min(out.p_value, column.p_value * static_cast<double>(out.columns.size()));
  return out;
}

Result<GroupReport> groups(const Predictions& predictions, const GroupOptions& options) {
  const auto data = problem(predictions, options);
  if (!data) return data.error();
  auto out = groups(data->view(), predictions.groupings, options);
  if (out) out->input = input_info(predictions, *choose_reduction(predictions, options.reduction));
  return out;
}

}  // namespace tare::detail::analysis
