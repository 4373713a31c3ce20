// A data set is the same rows however it is cut: whole, in pieces of any size, in files cut anywhere and merged in any
// order. The witness is a state, byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "read/files.hpp"
#include "support/data.hpp"
#include "support/kept.hpp"
#include "tare/read/dataset.hpp"
#include "tare/state/file.hpp"
#include "tare/state/running.hpp"

namespace {

namespace read = tare::detail::read;
namespace state = tare::detail::state;
using tare::detail::Predictions;
using tare::detail::Reduction;
using tare::detail::Result;
using tare::detail::sentence;
using tare::detail::read::Fold;
using tare::detail::testing::Folder;
using tare::detail::testing::must;
using tare::detail::testing::npy_of;
using Strings = std::vector<std::string>;

class Draw {
 public:
  explicit Draw(unsigned seed) : rng_(seed) {}
  std::size_t below(std::size_t n) { return rng_() % n; }
  const std::string& of(const Strings& words) { return words[below(words.size())]; }

  // K shares in so many decimals; their sum need not be 1.
  std::vector<double> rounded(std::size_t k, int decimals) {
    std::vector<double> p(k);
    double sum = 0;
    for (double& x : p) sum += x = static_cast<double>(1 + below(1000));
    const double unit = std::pow(10.0, decimals);
    for (double& x : p) x = std::round(x / sum * unit) / unit;
    return p;
  }

 private:
  std::mt19937 rng_;
};

std::string number(double x) {
  std::string out = std::to_string(x);  // six decimals
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out += '0';
  return out;
}

Result<state::Running> state_of(const Fold& names, const read::PieceSize& size = {},
                                std::optional<Reduction> reduction = {}) {
  auto out = state::Running::make({.reduction = reduction});
  const auto data = read::Dataset::open(names);
  if (!data) return data.error();
  const auto done = data->read_pieces([&](const Predictions& rows) { return out->add(rows); }, 1, size);
  if (!done) return done.error();
  return out;
}

// The bytes of a state, as a number that tells them apart: they are no text to print.
std::size_t bytes(const Result<state::Running>& state) {
  EXPECT_TRUE(state) << (state ? "" : sentence(state.error()));
  return state ? std::hash<std::string>()(must(state::to_bytes(*state))) : 0;
}

// Lines with what makes tables hard to cut: quotes that hold breaks, quotes inside a bare cell, empty notes.
Strings csv_lines(Draw& draw, std::size_t rows, std::size_t k, bool named) {
  const Strings notes = {"plain", "\"two\nlines, \"\"quoted\"\"\"", "5\" pipe", "", "\"a,b\""};
  Strings out;
  for (std::size_t i = 0; i < rows; ++i) {
    std::string line = draw.of(notes);
    for (const double p : draw.rounded(k, 2 + static_cast<int>(draw.below(3)))) line += "," + number(p);
    const std::size_t label = draw.below(k);
    out.push_back(line + "," + (named ? std::string(1, static_cast<char>('a' + label)) : std::to_string(label)) + "\n");
  }
  return out;
}

std::string joined(const Strings& lines, std::size_t from, std::size_t to) {
  std::string out;
  for (std::size_t i = from; i < to; ++i) out += lines[i];
  return out;
}

// Cut into files at random rows; as one data set in any order, and as states of the parts merged in any order.
void expect_the_same_cut_anywhere(Draw& draw, const std::string& head, const Strings& lines, const std::string& ending,
                                  std::optional<Reduction> reduction = {}) {
  const Folder folder;
  const std::string whole = folder.write("whole" + ending, head + joined(lines, 0, lines.size()));
  const std::size_t expected = bytes(state_of({.files = {whole}}, {}, reduction));
  for (const std::size_t size : {1U, 23U, 400U, 5000U})
    EXPECT_EQ(bytes(state_of({.files = {whole}}, {.bytes = size}, reduction)), expected) << size;
  std::vector<std::size_t> cuts = {0, lines.size()};
  for (int i = 0; i < 4; ++i) cuts.push_back(1 + draw.below(lines.size() - 1));
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  Strings files;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    files.push_back(folder.write("part" + std::to_string(i) + ending, head + joined(lines, cuts[i], cuts[i + 1])));
  std::reverse(files.begin(), files.end());
  std::swap(files.front(), files[draw.below(files.size())]);
  EXPECT_EQ(bytes(state_of({.files = files}, {.bytes = 1 + draw.below(300)}, reduction)), expected);
  auto merged = must(state::Running::make({.reduction = reduction}));
  for (const std::string& file : files) {
    const auto part = state_of({.files = {file}}, {}, reduction);
    ASSERT_TRUE(part) << sentence(part.error());
    ASSERT_TRUE(merged.merge(*part));
  }
  EXPECT_EQ(bytes(merged), expected);
}

TEST(one_dataset, csv_of_many_classes_cut_anywhere) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    Draw draw(seed);
    const std::size_t k = 3 + draw.below(8);
    std::string head = "note";
    for (std::size_t j = 0; j < k; ++j) head += std::string(",p_") + static_cast<char>('a' + j);
    SCOPED_TRACE(seed);
    const auto reduction = seed % 2 ? std::optional(Reduction::classwise) : std::nullopt;
    expect_the_same_cut_anywhere(draw, head + ",label\n", csv_lines(draw, 80, k, seed % 3 == 0), ".csv", reduction);
  }
}

TEST(one_dataset, labels_of_two_classes_are_written_in_many_ways) {
  const Strings labels = {"0", "1", "True", "false", "yes", "no", "1.0", "FALSE", "win"};
  for (unsigned seed = 0; seed < 8; ++seed) {
    Draw draw(seed);
    Strings lines;
    for (int i = 0; i < 60; ++i)
      lines.push_back(
          (draw.below(4) == 0 ? std::to_string(draw.below(100)) + "%" : "0." + std::to_string(draw.below(1000))) + "," +
          draw.of(labels) + "\n");
    SCOPED_TRACE(seed);
    expect_the_same_cut_anywhere(draw, "prob,label\n", lines, ".csv");
  }
}

TEST(one_dataset, json_lines_cut_anywhere) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    Draw draw(seed);
    Strings lines, order = {"cat", "dog", "eel", "10", "9"};
    for (int i = 0; i < 60; ++i) {
      const auto p = draw.rounded(5, 3);
      if (seed % 2) std::swap(order[draw.below(5)], order[draw.below(5)]);  // an object has no order
      std::string object;
      for (std::size_t j = 0; j < 5; ++j) object += (j ? ", \"" : "\"") + order[j] + "\": " + number(p[j]);
      lines.push_back("{\"probs\": {" + object + "}, \"x\": {\"y\": [1, \"}\\n\"]}, \"label\": \"" + draw.of(order) +
                      "\"}\n");
    }
    SCOPED_TRACE(seed);
    expect_the_same_cut_anywhere(draw, "", lines, ".jsonl", Reduction::classwise);
  }
}

TEST(one_dataset, arrays_in_slices_and_files) {
  const Folder folder;
  Draw draw(1);
  std::vector<double> p;
  std::vector<std::int32_t> y;
  const auto files = [&](const std::string& name, std::size_t from, std::size_t to) {
    const std::string rows = std::to_string(to - from);
    return Fold{.probs = folder.write(name + "_p.npy",
                                      npy_of(std::vector<double>(p.begin() + static_cast<std::ptrdiff_t>(4 * from),
                                                                 p.begin() + static_cast<std::ptrdiff_t>(4 * to)),
                                             "(" + rows + ", 4)")),
                .labels = folder.write(name + "_y.npy",
                                       npy_of(std::vector<std::int32_t>(y.begin() + static_cast<std::ptrdiff_t>(from),
                                                                        y.begin() + static_cast<std::ptrdiff_t>(to)),
                                              "(" + rows + ",)"))};
  };
  for (int i = 0; i < 200; ++i) {
    for (const double x : draw.rounded(4, 2)) p.push_back(x);  // rows of rounded numbers sum to 0.99 or 1.01
    y.push_back(static_cast<std::int32_t>(draw.below(4)));
  }
  const std::size_t expected = bytes(state_of(files("whole", 0, 200)));
  for (const std::size_t rows : {1U, 7U, 64U})
    EXPECT_EQ(bytes(state_of(files("whole", 0, 200), {.rows = rows})), expected);
  auto merged = must(state_of(files("b", 61, 200)));
  ASSERT_TRUE(merged.merge(must(state_of(files("a", 0, 61)))));
  EXPECT_EQ(bytes(merged), expected);
}

// The rows of 0 and 1 come first, and words later: every row counts once.
TEST(one_dataset, words_after_many_numbers_are_not_read_again) {
  const Folder folder;
  std::string text = "prob,label\n";
  for (int i = 0; i < 7000; ++i) text += i % 3 ? "0.75,1\n" : "0.25,0\n";
  for (int i = 0; i < 100; ++i) text += "0.75,True\n";
  const auto state = must(state_of({.files = {folder.write("t.csv", text)}}, {.bytes = 4096}));
  EXPECT_EQ(state.source().rows, 7100U);
}

// Group columns are texts: 01234 stays 01234, whatever else the column holds elsewhere.
TEST(one_dataset, groups_are_as_they_are_written) {
  const Folder folder;
  const std::string a = folder.write("a.csv", "prob,label,zip\n0.5,1,01234\n0.25,0,unknown\n"),
                    b = folder.write("b.csv", "prob,label,zip\n0.5,1,01234\n0.25,0,1234\n0.75,1,\n");
  for (const std::size_t size : {1U, 1000U}) {
    state::ByGroup groups(state::RunningOptions{});
    const auto data = must(read::Dataset::open({.files = {a, b}, .groups = {"zip"}}));
    ASSERT_TRUE(data.read_pieces([&](const Predictions& rows) { return groups.add(rows); }, 1, {.bytes = size}));
    Strings names;
    for (const auto& [name, state] : groups.groups()) names.push_back(name);
    EXPECT_EQ(names, (Strings{"(missing)", "01234", "1234", "unknown"}));
    EXPECT_EQ(groups.groups().at("01234").source().rows, 2U);
  }
}

// Files of one data set say the same: columns in another order are put in order, anything else is refused by name.
TEST(one_dataset, files_agree_about_their_columns) {
  const Folder folder;
  const std::string a = folder.write("a.csv", "p_cat,p_dog,p_eel,label\n0.2,0.3,0.5,eel\n"),
                    b = folder.write("b.csv", "p_eel,p_cat,p_dog,label\n0.5,0.2,0.3,eel\n"),
                    c = folder.write("c.csv", "p_cat,p_dog,p_fox,label\n0.2,0.3,0.5,fox\n"),
                    d = folder.write("d.csv", "confidence,correct\n0.5,1\n"),
                    twice = folder.write("twice.csv", "p_cat,p_dog,p_eel,label\n0.2,0.3,0.5,eel\n0.2,0.3,0.5,eel\n");
  EXPECT_EQ(bytes(state_of({.files = {a, b}}, {}, Reduction::classwise)),
            bytes(state_of({.files = {twice}}, {}, Reduction::classwise)));
  const auto all = must(must(read::Dataset::open({.files = {a, b}})).read());
  EXPECT_EQ(all.n, 2U);
  EXPECT_EQ(all.matrix->label()[0], all.matrix->label()[1]);
  EXPECT_EQ(all.class_names, (Strings{"cat", "dog", "eel"}));
  const auto other = read::Dataset::open({.files = {a, c}});
  ASSERT_FALSE(other);
  EXPECT_KEPT(sentence(other.error()));
  ASSERT_FALSE(read::Dataset::open({.files = {a, d}}));
}

// Numbers and names of classes in one column are a contradiction, told with file and line, however late it comes.
TEST(one_dataset, a_late_contradiction_is_an_error_with_its_line) {
  const Folder folder;
  std::string text = "p_cat,p_dog,p_eel,label\n";
  for (int i = 0; i < 50; ++i) text += "0.2,0.3,0.5,cat\n";
  const std::string path = folder.write("t.csv", text + "0.2,0.3,0.5,2\n");
  for (const std::size_t size : {64U, 100000U}) {
    const auto done = state_of({.files = {path}}, {.bytes = size});
    ASSERT_FALSE(done);
    EXPECT_KEPT(sentence(done.error()));
  }
}

}  // namespace
