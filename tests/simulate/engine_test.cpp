#include "tare/simulate/engine.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include "support/data.hpp"
#include "tare/simulate/truth.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::simulate;
using tare::detail::measure::Choice;
using tare::detail::testing::must;

Choice task(const char* name, int norm = 2, int bins = 15) {
  return {measure::find(name), {.bins = bins, .norm = norm}};
}

std::vector<Choice> six() {
  std::vector<Choice> out;
  for (const char* name : {"ece_ew", "ece_em", "debias_ew", "debias_em", "sweep_ew", "sweep_em"})
    out.push_back(task(name));
  return out;
}

void expect_same(const SimTable& a, const SimTable& b) {
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    const SimRow &x = a.rows[i], &y = b.rows[i];
    EXPECT_EQ(x.estimator, y.estimator);
    EXPECT_EQ(x.n, y.n);
    EXPECT_EQ(x.replicates, y.replicates);
    EXPECT_EQ(x.undefined, y.undefined);
    EXPECT_EQ(x.reason, y.reason);
    EXPECT_EQ(x.mean, y.mean) << x.estimator << " " << x.n;
    EXPECT_EQ(x.sd, y.sd);
    EXPECT_EQ(x.se, y.se);
    EXPECT_EQ(x.bias, y.bias);
    EXPECT_EQ(x.rmse, y.rmse);
    EXPECT_EQ(x.mean_bins, y.mean_bins);
  }
}

// Every number of the table from the estimates themselves, each made by the estimator on its own.
TEST(engine, table_is_that_of_the_single_estimates) {
  const Truth t = must(model("resnet110_c10"));
  const TrueError error{must(true_error(t, 1)), must(true_error(t, 2))};
  const std::vector<Choice> tasks = {task("ece_ew", 1), task("ece_ew", 2), task("debias_em", 2, 10),
                                     task("sweep_em"),  task("ks"),        task("mce_ew")};
  const std::size_t m = 50;
  const auto table = must(study(t, tasks, {.sizes = {70, 300}, .replicates = {.count = m}, .true_error = error}));
  ASSERT_EQ(table.rows.size(), 12U);
  EXPECT_TRUE(table.complete);
  const auto sampler = must(Sampler::of(t));
  std::mutex mutex;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const SimRow& row = table.rows[i];
    const Choice& wanted = tasks[i % 6];
    const double truth = wanted.options.norm == 1 ? *error.norm1 : *error.norm2;
    double sum = 0, squares = 0, bins = 0, errors = 0;
    for_each_sample(sampler, row.n, {.count = m}, 2, [&](std::size_t, const measure::Sample& sample) {
      const auto e = must(wanted.estimator->run(sample, wanted.options));
      const std::scoped_lock lock(mutex);
      sum += e.value;
      squares += e.value * e.value;
      errors += (e.value - truth) * (e.value - truth);
      bins += static_cast<double>(e.bins.value_or(0));
    });
    const double mean = sum / m, sd = std::sqrt(squares / m - mean * mean);
    EXPECT_EQ(row.estimator, wanted.estimator->name);
    EXPECT_EQ(row.n, i < 6 ? 70U : 300U);
    EXPECT_EQ(row.replicates, m);
    EXPECT_NEAR(*row.mean, mean, 1e-14);
    EXPECT_NEAR(*row.sd, sd, 1e-10);
    EXPECT_NEAR(*row.se, sd / std::sqrt(m - 1), 1e-10);
    if (row.estimator == "sweep_em") {
      EXPECT_NEAR(*row.mean_bins, bins / m, 1e-12);
    }
    EXPECT_EQ(row.mean_bins.has_value(), row.estimator == "sweep_em");
    EXPECT_EQ(row.bins.has_value(), wanted.estimator->uses_bins);
    if (wanted.estimator->estimand == "tce") {
      EXPECT_NEAR(*row.bias, mean - truth, 1e-14);
      EXPECT_NEAR(*row.rmse, std::sqrt(errors / m), 1e-10);
    } else {
      EXPECT_FALSE(row.bias.has_value());
      EXPECT_FALSE(row.rmse.has_value());
    }
  }
}

TEST(engine, threads_change_no_bit) {
  const Truth t = must(model("densenet40_c100"));
  const SimOptions options{.sizes = {200, 3000}, .replicates = {.count = 333}, .true_error = {0.1, 0.2}};
  const auto one = must(study(t, six(), options));
  for (const int threads : {2, 3}) {
    SimOptions more = options;
    more.threads = threads;
    expect_same(one, must(study(t, six(), more)));
  }
}

TEST(engine, split_replicates_make_the_same_sums) {
  const auto s = must(Sampler::of(must(model("resnet110_c10"))));
  const auto tasks = six();
  const auto whole = must(run(s, tasks, {.sizes = {500}, .replicates = {.count = 100}}));
  auto parts = must(run(s, tasks, {.sizes = {500}, .replicates = {.count = 37}}));
  const auto rest = must(run(s, tasks, {.sizes = {500}, .replicates = {.count = 63, .first = 37}, .threads = 2}));
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    parts.tallies[i].merge(rest.tallies[i]);
    EXPECT_EQ(parts.tallies[i].defined, whole.tallies[i].defined);
    EXPECT_EQ(parts.tallies[i].bins, whole.tallies[i].bins);
    EXPECT_TRUE(parts.tallies[i].sum.units() == whole.tallies[i].sum.units());
    EXPECT_TRUE(parts.tallies[i].squares.units() == whole.tallies[i].squares.units());
  }
}

TEST(engine, neither_other_sizes_nor_other_estimators_change_a_row) {
  const Truth t = must(model("resnet110_c10"));
  const auto all = must(study(t, six(), {.sizes = {100, 700}, .replicates = {.count = 80}}));
  const std::vector<Choice> last{task("sweep_em")};
  const auto one = must(study(t, last, {.sizes = {700}, .replicates = {.count = 80}}));
  EXPECT_EQ(one.rows[0].mean, all.rows[11].mean);
  EXPECT_EQ(one.rows[0].sd, all.rows[11].sd);
}

TEST(engine, values_are_those_behind_the_table) {
  const Truth t = must(model("resnet110_c10"));
  const auto s = must(Sampler::of(t));
  const auto values = must(replicate_values(s, six(), 300, {.count = 64}, 2));
  const auto table = must(study(t, six(), {.sizes = {300}, .replicates = {.count = 64}}));
  for (std::size_t i = 0; i < 6; ++i) {
    double sum = 0;
    for (const auto& v : values[i]) sum += v.value();
    EXPECT_NEAR(sum / 64, *table.rows[i].mean, 1e-15);
  }
  const auto later = must(replicate_values(s, six(), 300, {.count = 4, .first = 60}, 1));
  for (std::size_t r = 0; r < 4; ++r) EXPECT_EQ(later[5][r], values[5][60 + r]);
}

// A miss at a score of 1 makes the NLL infinite: the row says so and counts.
TEST(engine, undefined_estimates_are_counted_and_explained) {
  Truth t{.scores = {.kind = ScoreKind::empirical, .values = {{0.5, 0.5}, {1, 0}}},
          .curve = must(parse_curve("log_log:-1,1"))};
  const std::vector<Choice> tasks{task("nll"), task("brier")};
  const auto table = must(study(t, tasks, {.sizes = {3}, .replicates = {.count = 400}}));
  const SimRow& nll = table.rows[0];
  EXPECT_EQ(nll.replicates, 400U);
  EXPECT_FALSE(nll.reason.empty());
  // a row is a miss at 1 with probability (1 - 1/e) / 2; none of three is
  const double none = std::pow(1 - 0.5 * (1 - std::exp(-1)), 3);
  EXPECT_NEAR(static_cast<double>(nll.undefined) / 400, 1 - none, 4 * std::sqrt(none * (1 - none) / 400));
  EXPECT_EQ(table.rows[1].undefined, 0U);
}

TEST(engine, options_that_mean_nothing_are_errors_before_any_work) {
  const Truth t = must(model("resnet110_c10"));
  const std::vector<Choice> good{task("ece_ew")}, bad_norm{task("ece_ew", 3)}, bad_bins{task("ece_ew", 2, 0)},
      debias1{task("debias_em", 1)};
  EXPECT_EQ(sentence(study(t, good, {}).error()), "there is no sample size to study");
  EXPECT_EQ(study(t, {}, {.sizes = {10}}).error().code, Errc::bad_option);
  EXPECT_EQ(study(t, good, {.sizes = {0}}).error().code, Errc::bad_option);
  EXPECT_EQ(study(t, good, {.sizes = {10}, .replicates = {.count = 0}}).error().code, Errc::bad_option);
  EXPECT_EQ(study(t, bad_norm, {.sizes = {10}}).error().code, Errc::bad_option);
  EXPECT_EQ(study(t, bad_bins, {.sizes = {10}}).error().code, Errc::bad_option);
  EXPECT_EQ(study(t, debias1, {.sizes = {10}}).error().code, Errc::unsupported);
}

TEST(engine, stops_when_told_and_keeps_what_is_finished) {
  const Truth t = must(model("resnet110_c10"));
  std::atomic<bool> cancel = false;
  std::size_t calls = 0;
  const SimOptions options{.sizes = {1000, 20'000},
                           .replicates = {.count = 100'000},
                           .progress =
                               [&](std::string_view, std::size_t done, std::size_t total) {
                                 ++calls;
                                 EXPECT_LE(done, total);
                                 cancel = done > 1'000'000;
                               },
                           .cancel = &cancel};
  const std::vector<Choice> one{task("ece_ew")};
  const auto table = must(study(t, one, options));
  EXPECT_FALSE(table.complete);
  EXPECT_GT(calls, 0U);
  for (const SimRow& row : table.rows) {
    EXPECT_GT(row.replicates, 0U);
    EXPECT_LT(row.replicates, 100'000U);
  }
  // the replicates that are there are the first ones
  const auto again = must(study(t, one, {.sizes = {1000}, .replicates = {.count = table.rows[0].replicates}}));
  EXPECT_EQ(again.rows[0].mean, table.rows[0].mean);
}

struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tare_engine_test." + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  [[nodiscard]] std::string file(const char* name) const { return (path / name).string(); }
};

TEST(checkpoint, a_killed_study_ends_with_the_numbers_of_an_unkilled_one) {
  const Folder folder;
  const Truth t = must(model("resnet110_c10"));
  SimOptions options{.sizes = {200, 2000}, .replicates = {.count = 3000}, .true_error = {0.1, 0.2}, .threads = 2};
  const auto whole = must(study(t, six(), options));
  options.checkpoint = folder.file("study");
  options.checkpoint_seconds = 0.005;
  int killed = 0;
  for (int attempt = 0; attempt < 200; ++attempt) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(study(t, six(), options).has_value() ? 0 : 1);
    usleep(static_cast<useconds_t>(15'000 + 3000 * attempt));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 0);
      break;
    }
    ++killed;
  }
  EXPECT_GT(killed, 0);
  ASSERT_TRUE(std::filesystem::exists(options.checkpoint));
  expect_same(must(study(t, six(), options)), whole);
}

TEST(checkpoint, a_finished_study_is_read_and_not_repeated) {
  const Folder folder;
  const Truth t = must(model("resnet110_c10"));
  SimOptions options{.sizes = {100}, .replicates = {.count = 500}, .checkpoint = folder.file("study")};
  const auto first = must(study(t, six(), options));
  std::atomic<bool> cancel = true;  // nothing may be drawn
  options.cancel = &cancel;
  const auto second = must(study(t, six(), options));
  EXPECT_TRUE(second.complete);
  expect_same(first, second);
}

TEST(checkpoint, of_another_study_is_refused_by_name) {
  const Folder folder;
  const Truth t = must(model("resnet110_c10"));
  const SimOptions made{.sizes = {100}, .replicates = {.count = 20}, .checkpoint = folder.file("study")};
  must(study(t, six(), made));
  const auto refused = [&](const Truth& truth, std::span<const Choice> tasks, SimOptions options) {
    options.checkpoint = made.checkpoint;
    const auto result = study(truth, tasks, options);
    return result ? std::string("accepted") : sentence(result.error());
  };
  SimOptions seed = made, count = made, sizes = made;
  seed.replicates.seed = 2;
  count.replicates.count = 21;
  sizes.sizes = {100, 200};
  EXPECT_NE(refused(t, six(), seed).find("its seed is 1, not 2"), std::string::npos) << refused(t, six(), seed);
  EXPECT_NE(refused(t, six(), count).find("number of replicates is 20, not 21"), std::string::npos);
  EXPECT_NE(refused(t, six(), sizes).find("100, not 100,200"), std::string::npos);
  EXPECT_NE(refused(must(model("resnet110_c10", true)), six(), made).find("its truth is"), std::string::npos);
  const std::vector<Choice> other{task("ece_ew", 2, 10)};
  EXPECT_NE(refused(t, other, made).find("list of estimators"), std::string::npos);
}

TEST(checkpoint, what_is_no_checkpoint_is_refused_and_left_alone) {
  const Folder folder;
  const Truth t = must(model("resnet110_c10"));
  for (const char* text : {"", "precious notes", "{}", "[1]", R"({"tare_checkpoint":1,"settings":{}})",
                           R"({"tare_checkpoint":1,"settings":3,"done":""})"}) {
    const std::string path = folder.file("notes");
    std::ofstream(path) << text;
    const auto result = study(t, six(), {.sizes = {10}, .replicates = {.count = 2}, .checkpoint = path});
    EXPECT_FALSE(result.has_value()) << text;
    std::ifstream in(path);
    std::string now((std::istreambuf_iterator<char>(in)), {});
    EXPECT_EQ(now, text);
  }
  const auto nowhere =
      study(t, six(), {.sizes = {10}, .replicates = {.count = 2}, .checkpoint = folder.file("no/such/folder")});
  EXPECT_EQ(nowhere.error().code, Errc::io);
}

}  // namespace
