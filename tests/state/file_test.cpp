#include "tare/state/file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "../../fuzz/consume_state.hpp"
#include "read/files.hpp"
#include "state/state_rows.hpp"
#include "support/folders.hpp"

namespace {

using namespace tare::detail::state;
using tare::Reduction;
using tare::detail::testing::must;
using tare::detail::testing::Rows;
using tare::detail::testing::running_of;
using tare::detail::testing::state_of;
using tare::detail::testing::state_rows;

std::string corpus() { return tare::detail::testing::source_dir() + "/fuzz/corpus/state/"; }

TEST(state_file, comes_back_as_it_was) {
  for (const char* recipe : {"uniform", "small", "large", "tied", "special"})
    for (const std::size_t cells : {256U, 2000U, 65536U})
      for (const int bins : {1, 15, 100}) {
        Rows rows = state_rows(recipe, 3000);
        for (const bool weighted : {false, true}) {
          if (weighted)
            for (std::size_t i = 0; i < 3000; ++i) rows.weight.push_back(0.3 * static_cast<double>(i % 3));
          const Running state = running_of(rows, cells, bins);
          const auto back = must(from_bytes(must(to_bytes(state))));
          EXPECT_TRUE(back == state) << recipe << ' ' << cells << ' ' << bins << ' ' << weighted;
          EXPECT_EQ(back.source().rows, 3000U);
          EXPECT_EQ(back.source().reduction, Reduction::top_label);
        }
      }
}

// Written by fuzz/make_state_corpus.py, not by this library.
TEST(state_file, reads_files_made_by_hand) {
  const auto whole = must(from_bytes(tare::detail::testing::slurp(corpus() + "whole")));
  EXPECT_TRUE(whole.parts().front() == state_of({{0.25, 0.25, 0.25, 0.75, 0.75}, {0, 1, 0, 1, 1}}, 65536));
  EXPECT_EQ(whole.source().reduction, Reduction::positive);
  const auto coarse = must(from_bytes(tare::detail::testing::slurp(corpus() + "coarse"))).parts().front().body();
  ASSERT_EQ(coarse.cells.size(), 2U);
  EXPECT_EQ(coarse.cells[0].place, place_of(0.3, 4));
  EXPECT_EQ(coarse.cells[0].only, many);
  EXPECT_EQ(coarse.cells[1].only, 1);
}

TEST(state_file, replays_the_corpus) {
  std::set<std::string> accepted;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(corpus())) {
    SCOPED_TRACE(entry.path().filename().string());
    if (tare::detail::fuzz::state(tare::detail::testing::slurp(entry.path().string())))
      accepted.insert(entry.path().filename().string());
    ++files;
  }
  EXPECT_GT(files, 30U);
  EXPECT_EQ(accepted, (std::set<std::string>{"classes", "coarse", "fine", "group", "no_cells", "whole"}));
}

TEST(state_file, says_what_is_wrong) {
  const auto said = [](const char* name) {
    return from_bytes(tare::detail::testing::slurp(corpus() + name)).error().what;
  };
  EXPECT_NE(said("older").find("older version"), std::string::npos);
  EXPECT_NE(said("newer").find("version is 3, known are 1 and 2"), std::string::npos);
  EXPECT_NE(said("bad_crc").find("damaged"), std::string::npos);
  EXPECT_NE(said("same_cells").find("same"), std::string::npos);
  EXPECT_NE(said("mass_does_not_add_up").find("add up"), std::string::npos);
  EXPECT_NE(said("rows_without_classes").find("parts"), std::string::npos);
}

// Sums of 128 bits wrap; counts, classes and losses that no rows have.
TEST(state_file, refuses_what_no_rows_make) {
  const std::vector<std::pair<const char*, const char*>> forged{
      {"cells_out_of_order", "outside [0, 1], or before another"},
      {"cell_twice_by_wrapping", "outside [0, 1], or before another"},
      {"bins_out_of_order", "no bin"},
      {"classes_beyond_labels", "more classes than labels"},
      {"classes_beyond_positive", "more classes than its reduction"},
      {"hits_of_two_classes", "hits of one class"},
      {"cells_of_more_rows", "more rows than it has"},
      {"no_rows_for_cells", "more rows than it has"},
      {"rows_beyond_all", "more rows than a state takes"},
      {"losses_of_more_rows", "losses are of more rows"},
      {"loss_without_rows", "sums of losses"},
      {"loss_beyond_a_million", "sums of losses"},
      {"squares_below_the_mean", "sums of losses"},
      {"squares_above_the_largest", "sums of losses"},
      {"brier_beyond_four", "sums of losses"},
      {"sums_of_256_bits", "sums of losses"},
      {"group_missing", "group"},
      {"group_too_long", "group"}};
  for (const auto& [name, words] : forged) {
    const auto read = from_bytes(tare::detail::testing::slurp(corpus() + name));
    ASSERT_FALSE(read) << name;
    EXPECT_NE(read.error().what.find(words), std::string::npos) << name << ": " << read.error().what;
  }
}

TEST(state_file, keeps_the_group) {
  const auto hand = must(from_bytes(tare::detail::testing::slurp(corpus() + "group")));
  const GroupOf group{"country", "S\u00e3o Tom\u00e9"};
  EXPECT_EQ(hand.source().group, group);
  EXPECT_EQ(must(to_bytes(hand)), tare::detail::testing::slurp(corpus() + "group"));
  Running plain = must(from_bytes(tare::detail::testing::slurp(corpus() + "whole")));
  EXPECT_EQ(must(to_bytes(plain)), tare::detail::testing::slurp(corpus() + "whole"));  // which older versions read
  for (const auto& done : {plain.merge(hand), Running(hand).merge(plain)}) {
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().place.array, "group");
  }
  Running other = must(Running::make({.group = GroupOf{"country", "S"}})), none = must(Running::make({})), same = hand;
  EXPECT_FALSE(other.merge(hand));
  EXPECT_TRUE(none.merge(hand));
  EXPECT_EQ(none.source().group, group);
  EXPECT_TRUE(same.merge(hand) && same.merge(must(Running::make({}))));
  EXPECT_EQ(same.source().group, group);
}

// What may be forged in the sums is refused, what rows make never is: logits of every size, weights, classes.
TEST(state_file, takes_every_state_of_rows) {
  for (const double scale : {1e-9, 1e-3, 1.0, 30.0, 1e3, 1e6, 1e9, 1e300})
    for (const double weight : {0x1p-38, 1 / 3.0, 1.0, 1e9}) {
      std::vector<double> logits, weights;
      std::vector<std::int32_t> label;
      tare::detail::testing::SplitMix draw(7);
      for (int i = 0; i < 40; ++i) {
        for (int c = 0; c < 3; ++c) logits.push_back(scale * (static_cast<double>(draw() >> 11) * 0x1p-53 - 0.5));
        label.push_back(static_cast<std::int32_t>(draw() % 3));
        weights.push_back(i % 5 == 0 ? 0 : weight);
      }
      tare::detail::Predictions rows;
      rows.kind = tare::detail::Kind::logits;
      rows.n = 40;
      rows.k = 3;
      rows.matrix = must(tare::detail::multiclass_view(rows.kind, std::span<const double>(logits), 3, label, weights));
      for (const auto reduction : {Reduction::top_label, Reduction::classwise}) {
        Running state = must(Running::make({.reduction = reduction}));
        ASSERT_TRUE(state.add(rows));
        const auto back = from_bytes(must(to_bytes(state)));
        ASSERT_TRUE(back) << scale << ' ' << weight << ' ' << back.error().what;
        EXPECT_TRUE(*back == state);
      }
    }
}

// Every bit, with and without a CRC that is right again.
TEST(state_file, no_flipped_bit_does_harm) {
  const auto bytes = must(to_bytes(running_of(state_rows("small", 400), 256, 3)));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    ASSERT_FALSE(tare::detail::fuzz::state(damaged)) << bit;
  }
}

}  // namespace
