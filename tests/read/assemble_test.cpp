#include "tare/read/assemble.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "read/files.hpp"
#include "support/data.hpp"

namespace {

using namespace tare::detail;
using read::DType;
using read::Role;
using tare::detail::testing::lent;
using tare::detail::testing::must;

// Whoever lends arrays, as Python or a mapped file does, may write to them later.
TEST(assemble, what_has_one_number_a_row_is_copied) {
  std::vector<double> probs{0.25, 0.75, 0.5}, weights{1, 2, 3};
  std::vector<std::int32_t> labels{0, 1, 1};
  read::Parts parts;
  parts[Role::probs] = lent(DType::f8, probs, {3});
  parts[Role::labels] = lent(DType::i4, labels, {3});
  parts[Role::weights] = lent(DType::f8, weights, {3});
  const auto p = must(read::assemble(parts));
  std::fill(probs.begin(), probs.end(), 1e308);
  std::fill(weights.begin(), weights.end(), -1);
  std::fill(labels.begin(), labels.end(), 1 << 30);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(p.matrix->values()[i], (std::vector{0.25, 0.75, 0.5})[i]);
    EXPECT_EQ(p.matrix->label()[i], (std::vector{0, 1, 1})[i]);
    EXPECT_EQ(p.matrix->weight()[i], static_cast<double>(i + 1));
  }
}

TEST(assemble, so_are_confidences_and_hits) {
  std::vector<float> confidences{0.25F, 0.75F};
  std::vector<std::uint8_t> hits{0, 1};
  read::Parts parts;
  parts[Role::confidences] = lent(DType::f4, confidences, {2});
  parts[Role::correct] = lent(DType::boolean, hits, {2});
  const auto p = must(read::assemble(parts));
  confidences = {-1, 7};
  hits = {255, 255};
  EXPECT_EQ(p.confidences->score()[0], 0.25);
  EXPECT_EQ(p.confidences->score()[1], 0.75);
  EXPECT_EQ(p.confidences->label()[0], 0);
  EXPECT_EQ(p.confidences->label()[1], 1);
}

TEST(assemble, a_matrix_stays_where_it_is) {
  const std::vector<float> logits{1, 2, 3, 4};
  const std::vector<std::int32_t> labels{0, 1};
  read::Parts parts;
  parts[Role::logits] = lent(DType::f4, logits, {2, 2});
  parts[Role::labels] = lent(DType::i4, labels, {2});
  const auto p = must(read::assemble(parts));
  p.matrix->values().visit([&](auto s) { EXPECT_EQ(static_cast<const void*>(s.data()), logits.data()); });
}

TEST(assemble, codes_of_groups_that_stand_for_no_word_are_missing) {
  const std::vector<float> logits{1, 2, 3, 4};
  const std::vector<std::int32_t> labels{0, 1}, codes{1, 1 << 30};
  read::Parts parts;
  parts[Role::logits] = lent(DType::f4, logits, {2, 2});
  parts[Role::labels] = lent(DType::i4, labels, {2});
  read::Array group = lent(DType::word, codes, {2});
  group.words = std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"a", "b"});
  parts.groups.push_back(group);
  const auto p = must(read::assemble(parts));
  EXPECT_EQ(p.groupings.at(0).names, (std::vector<std::string>{"a", "b", "(missing)"}));
  EXPECT_EQ(p.groupings.at(0).of_row, (std::vector<std::uint32_t>{1, 2}));
}

}  // namespace
