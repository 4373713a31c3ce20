// What names say about contents.
#include "tare/read/roles.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/data.hpp"
#include "support/has.hpp"
#include "support/kept.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::read;
using tare::detail::testing::must;
using Strings = std::vector<std::string>;
using Places = std::vector<std::size_t>;

Places found(const Strings& names, Role role, Known known = Known::well, bool table = true, const char* split = "") {
  Places out;
  for (const Match& m : matches(names, role, split, table, known))
    out.insert(out.end(), m.members.begin(), m.members.end());
  return out;
}

TEST(roles, names_that_mean_one_thing) {
  EXPECT_EQ(found({"x", "Label", "p"}, Role::labels), (Places{1}));
  EXPECT_EQ(found({"x", "label", "p"}, Role::probs), (Places{2}));
  EXPECT_EQ(found({"p_a", "p_b", "label"}, Role::probs), (Places{0, 1}));
  EXPECT_EQ(found({"p_a", "p_b", "label"}, Role::probs, Known::well, false), (Places{}));  // an archive has no columns
  EXPECT_EQ(found({"test_logits", "val_logits"}, Role::logits, Known::well, false, "val_"), (Places{1}));
  EXPECT_EQ(found({"weight", "label"}, Role::weights), (Places{}));  // only if asked for
  EXPECT_EQ(unasked_weights({"label", "Sample_Weight"}), (Places{1}));
}

TEST(roles, names_that_are_often_used_so) {
  const Strings names = {"y_score", "gold"};
  EXPECT_EQ(found(names, Role::probs), (Places{}));
  EXPECT_EQ(found(names, Role::probs, Known::often), (Places{0}));
  EXPECT_EQ(found(names, Role::labels, Known::often), (Places{1}));
  EXPECT_EQ(found({"prob0", "prob1", "probx"}, Role::probs, Known::often), (Places{0, 1}));
}

TEST(roles, columns_that_count) {
  EXPECT_EQ(found({"0", "1", "2", "y"}, Role::probs, Known::counted), (Places{0, 1, 2}));
  EXPECT_EQ(found({"1", "2", "y"}, Role::probs, Known::counted), (Places{0, 1}));
  EXPECT_EQ(found({"0", "2"}, Role::probs, Known::counted), (Places{}));
  EXPECT_EQ(found({"2", "3"}, Role::probs, Known::counted), (Places{}));
  EXPECT_EQ(found({"0"}, Role::probs, Known::counted), (Places{}));
}

TEST(roles, classes_are_the_rest_of_the_names) {
  const auto all = matches({"p_Cat", "p_dog"}, Role::probs, "", true, Known::well);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].class_names, (Strings{"Cat", "dog"}));
  EXPECT_EQ(all[0].spelled, "p_*");
}

TEST(roles, which_part_is_read) {
  const auto split = [](const Strings& names, const std::string& asked) {
    return choose_split(names, {Role::logits}, asked, false, "x.npz");
  };
  EXPECT_EQ(must(split({"logits"}, "")), "");
  EXPECT_EQ(must(split({"val_logits", "test_logits"}, "")), "test_");
  EXPECT_EQ(must(split({"val_logits"}, "")), "val_");
  EXPECT_EQ(must(split({"val_logits", "test_logits"}, "val")), "val_");
  const auto none = split({"logits"}, "val");
  ASSERT_FALSE(none);
  EXPECT_EQ(sentence(none.error()), "x.npz: has nothing named val_*; it holds logits");
  EXPECT_KEPT(none.error().remedy);
  const auto both = split({"logits", "test_logits"}, "");
  ASSERT_FALSE(both);
  EXPECT_KEPT(sentence(both.error()));
}

TEST(roles, labels_and_predictions) {
  EXPECT_TRUE(may_be_predicted("Label"));
  EXPECT_FALSE(may_be_predicted("gold"));
  EXPECT_TRUE(is_truth("y_true"));
  EXPECT_FALSE(is_truth("label"));
  EXPECT_TRUE(plays({"0", "1"}, Role::probs, "", true));
  EXPECT_FALSE(plays({"0", "1"}, Role::probs, "", false));
}

}  // namespace
