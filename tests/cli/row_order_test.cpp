// The same bits for any order of the rows: every command on the same rows, shuffled.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "cli/program.hpp"

namespace {

using nlohmann::json;
using tare::detail::testing::Program;

class row_order : public Program {
 protected:
  struct Table {
    std::string header;
    std::vector<std::string> rows;
  };
  // Overconfident, with ties, doubles of rows, and weights of every size.
  static Table made(std::size_t n, std::size_t k, bool weighted) {
    std::mt19937_64 rng(7);
    std::normal_distribution<double> normal;
    Table out;
    for (std::size_t j = 0; j < k; ++j) out.header += fmt::format("{}p_{}", j ? "," : "", j);
    out.header += weighted ? ",label,weight" : ",label";
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> e(k);
      double sum = 0;
      for (auto& x : e) sum += x = std::exp(std::round(8 * normal(rng)) / 8 * 1.5);
      std::string row;
      double at = std::uniform_real_distribution<double>()(rng) * std::sqrt(sum), label = 0;
      for (std::size_t j = 0; j < k; ++j) {
        row += fmt::format("{}{:.17g}", j ? "," : "", e[j] / sum);
        at -= std::sqrt(e[j]);
        if (at > 0 && label + 1 < static_cast<double>(k)) ++label;
      }
      row += fmt::format(",{}", label);
      if (weighted) row += fmt::format(",{:.17g}", std::exp(normal(rng)));
      out.rows.push_back(row);
      if (i % 10 == 0) out.rows.push_back(row);
    }
    return out;
  }
  static std::vector<std::size_t> shuffled(std::size_t n) {
    std::vector<std::size_t> out(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = i;
    std::shuffle(out.begin(), out.end(), std::mt19937_64(3));
    return out;
  }
  // The table as a/d.csv, and with its rows in another order as b/d.csv.
  void write_both(const Table& t) const {
    std::filesystem::create_directories(folder_ / "a");
    std::filesystem::create_directories(folder_ / "b");
    std::string text = t.header + "\n";
    for (const auto& row : t.rows) text += row + "\n";
    write("a/d.csv", text);
    text = t.header + "\n";
    for (const std::size_t i : shuffled(t.rows.size())) text += t.rows[i] + "\n";
    write("b/d.csv", text);
  }
  static void forget_times(json& j) {
    if (j.is_object())
      for (const char* key : {"fit_seconds", "seconds"}) j.erase(key);
    for (auto& x : j)
      if (x.is_structured()) forget_times(x);
  }
};

TEST_F(row_order, changes_no_answer) {
  for (const bool weighted : {false, true}) {
    write_both(made(300, weighted ? 2 : 4, weighted));
    for (const char* command :
         {"measure d.csv", "measure d.csv --reduction classwise --estimators ece_ew,sweep_em",
          "measure d.csv --bias --estimators ece_ew,sweep_em", "test d.csv --resamples 99",
          "bbc d.csv --replicates 10 --estimators ece_em,debias_ew",
          "compare d.csv --resamples 50 --methods temperature,platt,beta,isotonic,histogram,bbq,scaling_binning"}) {
      const auto a = run(std::string("cd a && $tare ") + command + " --json"),
                 b = run(std::string("cd b && $tare ") + command + " --json");
      ASSERT_EQ(a.code, 0) << command << a.err;
      json x = json::parse(a.out), y = json::parse(b.out);
      forget_times(x);
      forget_times(y);
      EXPECT_EQ(x, y) << command << "\n" << json::diff(x, y).dump(1).substr(0, 2000);
    }
    for (const char* command : {"plot reliability d.csv", "plot histogram d.csv",
                                "plot bias d.csv --replicates 5 --n 100 --estimators ece_ew",
                                "plot compare d.csv --methods temperature,histogram"}) {
      const auto a = run(std::string("cd a && $tare ") + command + " -o p.svg && cat p.svg");
      const auto b = run(std::string("cd b && $tare ") + command + " -o p.svg && cat p.svg");
      ASSERT_EQ(a.code, 0) << command << a.err;
      EXPECT_EQ(a.out, b.out) << command;
    }
    const std::string report = "$tare report d.csv --replicates 20 -o r.html --quiet && cat r.html";
    EXPECT_EQ(run("cd a && " + report).out, run("cd b && " + report).out);
  }
}

// With two folds: the file that compare and report know.
TEST_F(row_order, changes_no_comparison_of_two_folds) {
  write_both(made(200, 3, true));
  const std::string command =
      "$tare compare --val d.csv --test d.csv --resamples 50 --methods temperature,isotonic --json";
  json x = json::parse(run("cd a && " + command).out), y = json::parse(run("cd b && " + command).out);
  forget_times(x);
  forget_times(y);
  EXPECT_EQ(x, y);
}

// A fitted map has the same numbers, and gives the same probabilities to the same rows.
TEST_F(row_order, changes_no_fit) {
  const Table t = made(200, 3, true);
  write_both(t);
  const json list = json::parse(run("$tare list --json").out);
  for (const auto& method : list.at("calibrators")) {
    const std::string name = method.at("name");
    const std::string command =
        "$tare fit " + name + " d.csv -o m.json --quiet >/dev/null && $tare apply m.json d.csv -o p.npy --quiet";
    const auto a = run("cd a && " + command), b = run("cd b && " + command);
    ASSERT_EQ(a.code, 0) << name << a.err;
    json x = json::parse(read("a/m.json")), y = json::parse(read("b/m.json"));
    forget_times(x);
    forget_times(y);
    EXPECT_EQ(x, y) << name << "\n" << json::diff(x, y).dump(1).substr(0, 1000);
    const std::string p = read("a/p.npy"), q = read("b/p.npy");
    const std::size_t head = p.find('\n') + 1, size = (p.size() - head) / t.rows.size();
    ASSERT_EQ(head + size * t.rows.size(), p.size()) << name;
    ASSERT_EQ(q.size(), p.size()) << name;
    const auto order = shuffled(t.rows.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      ASSERT_EQ(q.substr(head + i * size, size), p.substr(head + order[i] * size, size)) << name;
  }
}

}  // namespace
