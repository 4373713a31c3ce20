// What a label means, by its own text and the classes alone.
#include "tare/read/label_words.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace tare::detail::read;
using Strings = std::vector<std::string>;

std::pair<LabelForm, std::int64_t> meaning(const LabelWords& words, const std::string& word) {
  const LabelMeaning m = words.of(word);
  return {m.form, m.index};
}
using Form = LabelForm;

TEST(label_words, yes_and_no) {
  for (const char* yes : {"1", "true", "TRUE", "Yes", "y", "positive", "win", "+"}) EXPECT_EQ(truth_of(yes), 1) << yes;
  for (const char* no : {"0", "false", "No", "n", "neg", "LOSS", "-"}) EXPECT_EQ(truth_of(no), 0) << no;
  for (const char* other : {"", "2", "maybe", "1.0", "yes "}) EXPECT_EQ(truth_of(other), -1) << other;
}

TEST(label_words, whole_numbers) {
  EXPECT_EQ(whole_number("2"), 2);
  EXPECT_EQ(whole_number("2.0"), 2);
  EXPECT_EQ(whole_number("+2"), 2);
  EXPECT_EQ(whole_number("-7"), -7);
  EXPECT_EQ(whole_number("2e3"), 2000);
  EXPECT_EQ(whole_number("2147483647"), 2147483647);
  for (const char* text : {"", "2.5", "2147483648", "x", "2 ", "nan", "inf", "1e99"})
    EXPECT_FALSE(whole_number(text)) << text;
}

TEST(label_words, names_of_classes) {
  const LabelWords words({"cat", "dog", "Dog"}, {"p_cat", "p_dog", "p_Dog"}, 3, {});
  EXPECT_EQ(meaning(words, "cat"), std::pair(Form::name, std::int64_t{0}));
  EXPECT_EQ(meaning(words, "CAT"), std::pair(Form::name, std::int64_t{0}));
  EXPECT_EQ(meaning(words, "dog"), std::pair(Form::name, std::int64_t{1}));
  EXPECT_EQ(meaning(words, "Dog"), std::pair(Form::name, std::int64_t{2}));
  EXPECT_EQ(words.of("DOG").form, Form::unknown);  // two classes differ in capitals only
  EXPECT_EQ(meaning(words, "p_dog"), std::pair(Form::name, std::int64_t{1}));
  EXPECT_EQ(meaning(words, "2"), std::pair(Form::number, std::int64_t{2}));
  EXPECT_EQ(words.of("cow").form, Form::unknown);
  EXPECT_EQ(words.of("").form, Form::missing);
  EXPECT_EQ(words.of("NA").form, Form::missing);
}

TEST(label_words, numbers_count_from_the_first_label) {
  const LabelWords words({}, {}, 3, {.first_label = 1});
  EXPECT_EQ(meaning(words, "1"), std::pair(Form::number, std::int64_t{0}));
  EXPECT_EQ(meaning(words, "3.0"), std::pair(Form::number, std::int64_t{2}));
  EXPECT_EQ(words.of(std::int64_t{2}), 1);
}

// Classes that are called by other numbers: 10 is the class 10, not the eleventh.
TEST(label_words, classes_that_are_numbers) {
  const LabelWords words({"10", "20", "30"}, {}, 3, {});
  EXPECT_EQ(meaning(words, "20"), std::pair(Form::number, std::int64_t{1}));
  EXPECT_EQ(meaning(words, "20.0"), std::pair(Form::number, std::int64_t{1}));
  EXPECT_EQ(words.of("1").form, Form::unknown);
  EXPECT_FALSE(words.of(std::int64_t{0}));
  EXPECT_EQ(words.of(std::int64_t{30}), 2);
}

TEST(label_words, two_classes) {
  const LabelWords words({}, {}, 1, {});
  EXPECT_EQ(meaning(words, "yes"), std::pair(Form::truth, std::int64_t{1}));
  EXPECT_EQ(meaning(words, "lost"), std::pair(Form::truth, std::int64_t{0}));
  EXPECT_EQ(meaning(words, "1"), std::pair(Form::number, std::int64_t{1}));
  EXPECT_EQ(words.of("maybe").form, Form::unknown);
  const LabelWords asked({}, {}, 1, {.positive = "home"});
  EXPECT_EQ(meaning(asked, "Home"), std::pair(Form::truth, std::int64_t{1}));
  EXPECT_EQ(meaning(asked, "away"), std::pair(Form::truth, std::int64_t{0}));
  EXPECT_EQ(asked.of("NA").form, Form::missing);
  EXPECT_TRUE(LabelWords({}, {}, 1, {.positive = "2"}).is_positive("2.0"));
}

TEST(label_words, names_that_only_count) {
  EXPECT_TRUE(counts_from_zero({}));
  EXPECT_TRUE(counts_from_zero({"0", "1", "2"}));
  EXPECT_FALSE(counts_from_zero({"1", "2"}));
  EXPECT_FALSE(counts_from_zero({"0", "01"}));
}

}  // namespace
