#include "tare/state/file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "../../fuzz/consume_state.hpp"
#include "read/files.hpp"
#include "state/state_rows.hpp"
#include "support/folders.hpp"

namespace {

using namespace tare::inner::state;
using tare::Reduction;
using tare::inner::testing::must;
using tare::inner::testing::Rows;
using tare::inner::testing::running_of;
using tare::inner::testing::state_of;
using tare::inner::testing::state_rows;

std::string corpus() { return tare::inner::testing::source_dir() + "/fuzz/corpus/state/"; }

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
  const auto whole = must(from_bytes(tare::inner::testing::slurp(corpus() + "whole")));
  EXPECT_TRUE(whole.parts().front() == state_of({{0.25, 0.25, 0.25, 0.75, 0.75}, {0, 1, 0, 1, 1}}, 65536));
  EXPECT_EQ(whole.source().reduction, Reduction::positive);
  const auto coarse = must(from_bytes(tare::inner::testing::slurp(corpus() + "coarse"))).parts().front().body();
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
    if (tare::inner::fuzz::state(tare::inner::testing::slurp(entry.path().string())))
      accepted.insert(entry.path().filename().string());
    ++files;
  }
  EXPECT_GT(files, 30U);
  EXPECT_EQ(accepted, (std::set<std::string>{"classes", "coarse", "fine", "no_cells", "whole"}));
}

TEST(state_file, says_what_is_wrong) {
  const auto said = [](const char* name) {
    return from_bytes(tare::inner::testing::slurp(corpus() + name)).error().what;
  };
  EXPECT_NE(said("older").find("older version"), std::string::npos);
  EXPECT_NE(said("newer").find("version is 2"), std::string::npos);
  EXPECT_NE(said("bad_crc").find("damaged"), std::string::npos);
  EXPECT_NE(said("same_cells").find("same"), std::string::npos);
  EXPECT_NE(said("mass_does_not_add_up").find("add up"), std::string::npos);
  EXPECT_NE(said("rows_without_classes").find("parts"), std::string::npos);
}

// Every bit, with and without a CRC that is right again.
TEST(state_file, no_flipped_bit_does_harm) {
  const auto bytes = must(to_bytes(running_of(state_rows("small", 400), 256, 3)));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    ASSERT_FALSE(tare::inner::fuzz::state(damaged)) << bit;
  }
}

}  // namespace
