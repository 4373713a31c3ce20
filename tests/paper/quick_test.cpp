// `tare paper --quick`, made quicker still: that everything runs and is shown, and that claims which an independent
// simulation confirms come out. Their rules allow for the error of the simulation.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "support/folders.hpp"
#include "support/sanitized.hpp"
#include "support/xml.hpp"
#include "tare/paper/run.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::paper;
namespace fs = std::filesystem;

// Under a sanitizer everything still runs, with too few replicates for the claims of the simulations.
using tare::detail::testing::sanitized;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "tare-paper-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Item> items() {
  auto all = load_items(tare::detail::testing::source_dir() + "/paper");
  EXPECT_TRUE(all) << (all ? "" : sentence(all.error()));
  if (!all) return {};
  const std::string grid =
      sanitized ? R"({"replicates": 8, "sizes": [200, 12800]})" : R"({"replicates": 60, "sizes": [200, 1600, 12800]})";
  const std::map<std::string, std::string> smaller{
      {"fig4", grid},
      {"ttest", grid},
      {"fig6", grid},
      {"beyond_regimes", R"({"replicates": 10, "sizes": [200]})"},
      {"guo_time", R"({"networks": [{"network": "resnet110_cifar100", "dataset": "CIFAR-100"}]})"}};
  for (Item& item : *all)
    if (const auto at = smaller.find(item.name); at != smaller.end())
      item.quick = merged(item.quick, *parse_json(at->second, "test"));
  return *std::move(all);
}

RunOptions into(const fs::path& folder, int threads = 2) {
  return {
      .out = folder.string(), .data = tare::detail::testing::source_dir() + "/data", .quick = true, .threads = threads};
}

Result<std::vector<Exhibit>> run_named(const std::vector<Item>& all, const std::vector<std::string>& names,
                                       const RunOptions& options) {
  const auto some = chosen(all, names);
  if (!some) return some.error();
  return run(all, *some, options);
}

std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) out[entry.path().filename()] = contents(entry.path());
  return out;
}

void expect_claims(const std::vector<Exhibit>& exhibits) {
  std::map<std::string, ClaimVerdict> verdict;
  for (const Exhibit& e : exhibits)
    for (const Claim& c : e.claims) {
      EXPECT_TRUE(verdict.emplace(c.id, c.verdict).second) << c.id << " is not the only claim of this name";
      EXPECT_NE(c.verdict, ClaimVerdict::not_evaluated) << e.name << ": " << c.found;
      EXPECT_EQ(c.found.find("in the rule"), std::string::npos) << e.name << ": " << c.found;
    }
  for (const char* id :
       {"mass_beats_width", "sweep_em_least", "debias_em_least", "bias_grows_as_error_falls", "sweep_misses_less",
        "temperature_best", "temperature_keeps_accuracy", "weight_decay", "depth", "width"}) {
    ASSERT_TRUE(verdict.contains(id)) << id;
    if (sanitized) continue;
    EXPECT_TRUE(verdict[id] == ClaimVerdict::reproduced || verdict[id] == ClaimVerdict::in_direction)
        << id << ": " << name(verdict[id]);
  }
}

// Pictures stand inside the page: what they name must not be named twice.
void expect_different_ids(const std::string& page) {
  const std::regex id(" id=\"([^\"]+)\"");
  std::set<std::string> seen;
  for (std::sregex_iterator it(page.begin(), page.end(), id), end; it != end; ++it)
    EXPECT_TRUE(seen.insert((*it)[1]).second) << (*it)[1];
}

// Every picture of a paper stands beside published values, or says that there are none.
TEST(paper, says_of_every_picture_what_was_published) {
  for (const Item& item : items()) {
    if (item.group == "beyond") continue;
    const Settings file(item.file, item.name);
    for (const Settings& chart : file.list("charts")) EXPECT_NE(chart.text("published", ""), "") << item.name;
    EXPECT_EQ(file.problem(), "");
  }
}

TEST(paper, runs_quickly_and_shows_everything) {
  const Folder folder;
  const auto all = items();
  const auto exhibits = run_named(all, {}, into(folder.path()));
  ASSERT_TRUE(exhibits) << sentence(exhibits.error());
  expect_claims(*exhibits);

  const auto files = files_of(folder.path());
  for (const auto& [name, text] : files)
    if (name.ends_with(".svg")) {
      EXPECT_EQ(tare::detail::testing::fault_in(text), "") << name;
      EXPECT_EQ(text.find("nan"), std::string::npos) << name;
    }
  const std::string& index = files.at("index.html");
  const std::size_t begin = index.find("<html"), script = index.find("<script>");
  EXPECT_EQ(tare::detail::testing::fault_in(index.substr(begin, script - begin) + "</body></html>"), "");
  EXPECT_FALSE(std::regex_search(index, std::regex("(?:src|href)=\"http"))) << "the page must open without a network";
  expect_different_ids(index);
  const std::regex link("(?:src|href)=\"([^\"#]+)\"");
  std::set<std::string> linked;
  for (std::sregex_iterator it(index.begin(), index.end(), link), end; it != end; ++it) linked.insert((*it)[1]);
  for (const std::string& name : linked) EXPECT_TRUE(files.contains(name)) << name;
  EXPECT_GT(linked.size(), 60U);
  for (const Exhibit& e : *exhibits) EXPECT_TRUE(linked.contains(e.data)) << e.name;
}

TEST(paper, beyond_runs_quickly) {
  const Folder folder;
  const auto all = items();
  const auto exhibits = run_named(all, {"beyond_regimes", "beyond_fig5"}, into(folder.path()));
  ASSERT_TRUE(exhibits) << sentence(exhibits.error());
  EXPECT_EQ(exhibits->size(), 2U);
  for (const Exhibit& e : *exhibits)
    for (const Claim& c : e.claims) EXPECT_NE(c.verdict, ClaimVerdict::not_evaluated) << c.found;
}

TEST(paper, gives_the_same_bytes_for_any_number_of_threads) {
  const Folder one, three;
  const auto all = items();
  ASSERT_TRUE(run_named(all, {"fig1", "fig2b", "fig5"}, into(one.path(), 1)));
  ASSERT_TRUE(run_named(all, {"fig1", "fig2b", "fig5"}, into(three.path(), 3)));
  EXPECT_EQ(files_of(one.path()), files_of(three.path()));
}

TEST(paper, goes_on_after_an_interruption) {
  const Folder whole, parts;
  const auto all = items();
  ASSERT_TRUE(run_named(all, {"fig2a", "fig2b"}, into(whole.path())));
  ASSERT_TRUE(run_named(all, {"fig2a"}, into(parts.path())));
  const std::atomic<bool> stop = true;
  RunOptions stopped = into(parts.path());
  stopped.cancel = &stop;
  EXPECT_FALSE(run_named(all, {"fig2b"}, stopped));
  EXPECT_TRUE(files_of(parts.path()).contains("fig2a.csv"));
  ASSERT_TRUE(run_named(all, {"fig2b"}, into(parts.path())));  // the page shows both
  EXPECT_EQ(files_of(whole.path()), files_of(parts.path()));
}

TEST(paper, does_not_run_again_what_is_finished) {
  const Folder folder;
  const auto all = items();
  ASSERT_TRUE(run_named(all, {"fig2b"}, into(folder.path())));
  const fs::path kept = fs::directory_iterator(folder.path() / ".finished")->path();
  std::string text = contents(kept);
  const std::size_t at = text.find("resnet110_c10");
  ASSERT_NE(at, std::string::npos);
  std::ofstream(kept, std::ios::binary) << text.replace(at, 13, "a kept number");
  ASSERT_TRUE(run_named(all, {"fig2b"}, into(folder.path())));
  EXPECT_NE(contents(folder.path() / "fig2b.csv").find("a kept number"), std::string::npos);
}

TEST(paper, names_what_is_unknown) {
  const auto all = items();
  const auto some = chosen(all, {"fig44"});
  ASSERT_FALSE(some);
  EXPECT_NE(some.error().remedy.find("did you mean"), std::string::npos) << some.error().remedy;
  const auto guo = chosen(all, {"guo"}), every = chosen(all, {"all"});
  ASSERT_TRUE(guo && every);
  EXPECT_EQ(guo->size(), 9U);
  EXPECT_EQ(every->size(), all.size());
}

}  // namespace
