// Names, ranges, lists and patterns of columns, as people type them.
#include "tare/read/roles.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace tare::detail::read;
using Strings = std::vector<std::string>;
using Places = std::vector<std::size_t>;

const Strings table = {"id", "p_cat", "p_dog", "p_cow", "label", "p-q", "a,b"};

Places places(const std::string& text) { return named(table, text).members; }

TEST(columns, by_name_range_list_and_pattern) {
  EXPECT_EQ(places("p_dog"), (Places{2}));
  EXPECT_EQ(places("p_cat-p_cow"), (Places{1, 2, 3}));
  EXPECT_EQ(places("p_cow,p_cat"), (Places{3, 1}));
  EXPECT_EQ(places("p_*"), (Places{1, 2, 3}));
  EXPECT_EQ(places("p_?o?"), (Places{2, 3}));
  EXPECT_EQ(places("p_[cd]*"), (Places{1, 2, 3}));
  EXPECT_EQ(places("p_[!c]*"), (Places{2}));
  EXPECT_EQ(places("p_[a-c]*"), (Places{1, 3}));
  EXPECT_EQ(places("*"), (Places{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(places("p_cat,p_*"), (Places{1, 2, 3}));  // each once
}

TEST(columns, a_name_is_itself_before_it_is_a_pattern) {
  EXPECT_EQ(places("p-q"), (Places{5}));
  EXPECT_EQ(places("a,b"), (Places{6}));
  EXPECT_EQ(named({"p*", "px"}, "p*").members, (Places{0}));
}

TEST(columns, by_number_where_no_name_is_one) {
  EXPECT_EQ(places("0"), (Places{0}));
  EXPECT_EQ(places("1-3"), (Places{1, 2, 3}));
  EXPECT_EQ(places("7"), (Places{}));
  EXPECT_EQ(named({"5", "0"}, "0").members, (Places{1}));
  EXPECT_EQ(named({"5", "x"}, "1").members, (Places{}));
}

TEST(columns, what_is_not_there_is_named) {
  for (const char* text : {"cat", "p_cow-p_cat", "P_cat", "", "x*", "p_cat,,p_dog"})
    EXPECT_EQ(places(text), (Places{})) << text;
  EXPECT_EQ(named(table, "p_cat,nobody,p_dog").spelled, "nobody");
}

TEST(columns, classes_are_what_the_names_differ_by) {
  EXPECT_EQ(named(table, "p_*").class_names, (Strings{"cat", "dog", "cow"}));
  EXPECT_EQ(class_names_of(table, {1, 3}), (Strings{"cat", "cow"}));  // not "at" and "ow"
  EXPECT_EQ(class_names_of({"prob10", "prob11"}, {0, 1}), (Strings{"10", "11"}));
  EXPECT_EQ(class_names_of({"cat", "dog"}, {0, 1}), (Strings{"cat", "dog"}));
  EXPECT_EQ(class_names_of({"x.a", "x.b"}, {0, 1}), (Strings{"a", "b"}));
}

TEST(columns, several_texts_are_one_list) {
  EXPECT_EQ(named(table, Strings{"p_dog", "p_cat-p_dog"}).members, (Places{2, 1}));
  EXPECT_EQ(named(table, Strings{"p_dog", "nobody"}).members, (Places{}));
}

TEST(columns, as_they_would_be_typed) {
  EXPECT_EQ(typed(table, {1, 2, 3}), "p_cat-p_cow");
  EXPECT_EQ(typed(table, {1, 3}), "p_cat,p_cow");
  EXPECT_EQ(typed(table, {4}), "label");
  // What is typed is found again.
  for (const Places& members : {Places{1, 2, 3}, Places{1, 3}, Places{0, 4}, Places{2}})
    EXPECT_EQ(named(table, typed(table, members)).members, members);
}

TEST(columns, counts_and_indices) {
  for (const char* text : {"0", "12", "007", "999999999"}) EXPECT_TRUE(is_count(text)) << text;
  for (const char* text : {"", "-1", "1.0", "1e3", "9999999999", "x"}) EXPECT_FALSE(is_count(text)) << text;
  for (const char* name : {"", "Unnamed: 0", "id", "index"}) EXPECT_TRUE(is_index_column(name)) << name;
  EXPECT_FALSE(is_index_column("idx"));
}

}  // namespace
