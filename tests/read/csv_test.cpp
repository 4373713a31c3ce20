#include "tare/read/csv.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "read/files.hpp"
#include "support/data.hpp"
#include "support/kept.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::read;
using tare::detail::testing::Block;
using tare::detail::testing::must;
using Strings = std::vector<std::string>;
using Numbers = std::vector<double>;

Numbers numbers(const Array& a) {
  EXPECT_EQ(a.dtype, DType::f8);
  const auto* p = reinterpret_cast<const double*>(a.data);
  return {p, p + a.items()};
}

Strings words(const Array& a) {
  EXPECT_EQ(a.dtype, DType::word);
  const auto* p = reinterpret_cast<const std::int32_t*>(a.data);
  Strings out;
  for (std::size_t i = 0; i < a.items(); ++i) out.push_back((*a.words)[static_cast<std::size_t>(p[i])]);
  return out;
}

struct Table {
  explicit Table(const std::string& text) : block(text), csv(Csv::open(block.bytes(), "x.csv")) {}
  [[nodiscard]] Array column(std::size_t c, bool as_words = false) const {
    const CsvGroup group{{c}, as_words};
    return must(must(csv).read({&group, 1}))[0];
  }
  [[nodiscard]] Error refused(std::size_t c, bool as_words = false) const {
    if (!csv) return csv.error();
    const CsvGroup group{{c}, as_words};
    const auto r = csv->read({&group, 1});
    if (!r) return r.error();
    ADD_FAILURE() << "accepted";
    return {};
  }
  Block block;
  Result<Csv> csv;
};

TEST(csv, columns_and_groups_of_columns) {
  const Table t("id,p_a,p_b,label\n7,0.25,0.75,1\n8,0.5,0.5,0\n");
  const Csv csv = must(t.csv);
  EXPECT_EQ(csv.names(), (Strings{"id", "p_a", "p_b", "label"}));
  const std::vector<CsvGroup> groups = {{{3}, true}, {{1, 2}}};
  const auto arrays = must(csv.read(groups));
  EXPECT_EQ(words(arrays[0]), (Strings{"1", "0"}));
  EXPECT_EQ(arrays[0].shape, (std::vector<std::size_t>{2}));
  EXPECT_EQ(numbers(arrays[1]), (Numbers{0.25, 0.75, 0.5, 0.5}));
  EXPECT_EQ(arrays[1].shape, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(arrays[1].columns, (Strings{"p_a", "p_b"}));
  EXPECT_EQ(arrays[1].place(1, 0), "line 3, column 'p_a'");
}

TEST(csv, the_separator_is_found_in_the_header) {
  EXPECT_EQ(numbers(Table("p,y\n0.5,1\n").column(1)), Numbers{1});
  EXPECT_EQ(numbers(Table("p\ty\n0.5\t1\n").column(1)), Numbers{1});
  EXPECT_EQ(numbers(Table("p;y\n0.5;1\n").column(1)), Numbers{1});
  EXPECT_EQ(numbers(Table("p|y\n0.5|1\n").column(1)), Numbers{1});
  EXPECT_EQ(numbers(Table("\"a,b,c\";y;z\n0.5;1;2\n").column(1)), Numbers{1});
  EXPECT_EQ(numbers(Table("label\n3\n1\n").column(0)), (Numbers{3, 1}));
}

TEST(csv, line_ends_byte_order_mark_and_missing_last_line_end) {
  for (const std::string end : {"\n", "\r\n", "\r"})
    for (const std::string start : {"", "\xef\xbb\xbf"})
      for (const std::string& last : {std::string(), end, end + end}) {
        const Table t(start + "p,y" + end + "0.5,1" + end + "0.25,0" + last);
        EXPECT_EQ(must(t.csv).names()[0], "p");
        EXPECT_EQ(numbers(t.column(0)), (Numbers{0.5, 0.25}));
        EXPECT_EQ(t.column(1).place(1), "line 3, column 'y'");
      }
}

TEST(csv, quotes_hold_separators_quotes_and_line_breaks) {
  const Table t(
      "\"p,1\",\"say \"\"p\"\"\",note,y\n\"0.5\",0.25,\"one\ntwo, \"\"three\"\"\",\"a,b\"\n1,2,plain,\"c\"\n3,4,,d e "
      "\n");
  EXPECT_EQ(must(t.csv).names(), (Strings{"p,1", "say \"p\"", "note", "y"}));
  EXPECT_EQ(numbers(t.column(0)), (Numbers{0.5, 1, 3}));
  EXPECT_EQ(words(t.column(3, true)), (Strings{"a,b", "c", "d e"}));
  // the quoted line break moves the later rows down by a line
  EXPECT_EQ(t.column(1).place(0), "line 2, column 'say \"p\"'");
  EXPECT_EQ(t.column(1).place(1), "line 4, column 'say \"p\"'");
  EXPECT_EQ(t.column(1).place(2), "line 5, column 'say \"p\"'");
}

TEST(csv, numbers_as_people_write_them) {
  const Table t("a\n1\n-2.5\n+3\n 4 \n1e-3\n1E3\n.5\n5.\n1e-400\n-0.0\nnan\n-inf\n");
  const Numbers v = numbers(t.column(0));
  ASSERT_EQ(v.size(), 12U);
  EXPECT_EQ(Numbers(v.begin(), v.begin() + 9), (Numbers{1, -2.5, 3, 4, 1e-3, 1e3, 0.5, 5, 0}));
  EXPECT_TRUE(v[9] == 0 && std::signbit(v[9]));
  EXPECT_TRUE(std::isnan(v[10]));
  EXPECT_EQ(v[11], -INFINITY);
}

TEST(csv, doubles_come_back_to_the_last_bit) {
  std::mt19937_64 rng(7);
  std::string text = "x\n";
  Numbers expected;
  for (int i = 0; i < 2000; ++i) {
    const double x = std::ldexp(static_cast<double>(rng()), static_cast<int>(rng() % 200) - 160);
    char buffer[40];
    text.append(buffer, std::to_chars(buffer, buffer + 40, x).ptr) += '\n';
    expected.push_back(x);
  }
  EXPECT_EQ(numbers(Table(text).column(0)), expected);
}

TEST(csv, texts_stay_as_they_are_written) {
  EXPECT_EQ(words(Table("y\n1\ncat\n1\n").column(0, true)), (Strings{"1", "cat", "1"}));
  EXPECT_EQ(words(Table("y\n1\n01\n1.0\n 1 \n\"1\"\n999\n1000\n").column(0, true)),
            (Strings{"1", "01", "1.0", "1", "1", "999", "1000"}));
  EXPECT_EQ(sentence(Table("y\ncat\n\"\"\n").refused(0, true)), "x.csv: line 3, column 'y': the cell is empty");
}

TEST(csv, a_cell_that_is_no_number_is_named) {
  const auto message = [](const std::string& cell) {
    return sentence(Table("id,p\n1,0.5\n2," + cell + "\n").refused(1));
  };
  EXPECT_EQ(message("abc"), "x.csv: line 3, column 'p': 'abc' is not a number");
  EXPECT_EQ(message(""), "x.csv: line 3, column 'p': the cell is empty");
  EXPECT_EQ(message("  "), "x.csv: line 3, column 'p': the cell is empty");
  EXPECT_EQ(message("0.5x"), "x.csv: line 3, column 'p': '0.5x' is not a number");
  EXPECT_EQ(message("+-1"), "x.csv: line 3, column 'p': '+-1' is not a number");
  EXPECT_EQ(message("1e400"), "x.csv: line 3, column 'p': '1e400' is too large for a number");
  EXPECT_EQ(message("0x10"), "x.csv: line 3, column 'p': '0x10' is not a number");
  EXPECT_EQ(message("\"a\nb\x1b[31m\""), "x.csv: line 3, column 'p': 'a\\x0ab\\x1b[31m' is not a number");
  EXPECT_HAS(Table("p\ty\n0,25\t1\n").refused(0).remedy, "decimals with a point");
}

TEST(csv, rows_of_another_width_are_refused) {
  EXPECT_EQ(sentence(Table("a,b,c\n1,2,3\n1,2\n").refused(0)), "x.csv: line 3 has 2 cells, the header names 3 columns");
  EXPECT_EQ(sentence(Table("a,b\n1,2,3\n").refused(0)),
            "x.csv: line 2 has more than 2 cells, the header names 2 columns");
  EXPECT_EQ(sentence(Table("a,b\n1,2\n\n3,4\n").refused(0)), "x.csv: line 3 is blank, the header names 2 columns");
  EXPECT_EQ(sentence(Table("a\n1\n\n3\n").refused(0)), "x.csv: line 3, column 'a': the cell is empty");
}

TEST(csv, quotes_that_do_not_close_are_refused) {
  EXPECT_KEPT(sentence(Table("a,b\n1,\"2\n3,4\n").refused(1)));
  EXPECT_KEPT(sentence(Table("a,b\n1,2\n\"3\"x,4\n").refused(1)));
  EXPECT_KEPT(sentence(Table("a,\"b\n1,2\n").refused(0)));
}

TEST(csv, a_file_without_a_header_is_refused) {
  EXPECT_KEPT(sentence(Table("0.5,1\n0.25,0\n").refused(0)));
  EXPECT_KEPT(sentence(Table("3\n1\n").refused(0)));
  EXPECT_KEPT(sentence(Table("0\n1\n").refused(0)));
  EXPECT_EQ(must(Table("0,1,2\n0.5,0.25,0.25\n").csv).names(), (Strings{"0", "1", "2"}));  // pandas
}

TEST(csv, headers_and_files_that_cannot_be_are_refused) {
  EXPECT_KEPT(sentence(Table("").refused(0)));
  EXPECT_KEPT(sentence(Table("\n\r\n").refused(0)));
  EXPECT_KEPT(sentence(Table("a,b,a\n1,2,3\n").refused(0)));
  EXPECT_KEPT(sentence(Table(std::string("\xff\xfep\0,\0", 6)).refused(0)));
  EXPECT_KEPT(sentence(Table("PK\x03\x04 and so on").refused(0)));
}

TEST(csv, a_percent_sign_divides_by_100) {
  EXPECT_EQ(numbers(Table("p,y\n0.219%,1\n\"25 %\",1\n0.5,0\n").column(0)), (Numbers{0.219 / 100, 0.25, 0.5}));
  const Table t("p,y\n25%,1\n50,1\n");
  const CsvGroup group{{0}};
  EXPECT_EQ(numbers(must(must(t.csv).read({&group, 1}, {.percent = true}))[0]), (Numbers{25, 50}));
}

TEST(csv, blanks_separate_where_nothing_else_does) {
  const Table t("p y\n0.5   1\n  0.25\t0  \n");
  EXPECT_EQ(must(t.csv).names(), (Strings{"p", "y"}));
  EXPECT_EQ(numbers(t.column(0)), (Numbers{0.5, 0.25}));
  EXPECT_EQ(words(t.column(1, true)), (Strings{"1", "0"}));
  EXPECT_EQ(must(Table("true label\n1\n0\n").csv).names(), (Strings{"true label"}));  // a name with a blank in it
}

// write.table of R: the names of rows have no heading.
TEST(csv, names_of_rows_stand_in_a_column_without_a_name) {
  const Table t("\"prob\" \"y\"\n\"1\" 0.5 1\n\"2\" 0.25 0\n");
  EXPECT_EQ(must(t.csv).names(), (Strings{"", "prob", "y"}));
  EXPECT_EQ(numbers(t.column(1)), (Numbers{0.5, 0.25}));
  const Table bare("prob,y\n1,0.5,1\n2,0.25,0\n");
  EXPECT_EQ(numbers(bare.column(1)), (Numbers{0.5, 0.25}));
  EXPECT_KEPT(sentence(Table("a,b\n1,2,\n2,3,\n").refused(0)));  // a separator at the end of lines
}

TEST(csv, rules_that_the_user_gives) {
  const Block block("0.5/1\n0.25/0\n");
  const Csv csv = must(Csv::open(block.bytes(), "x.csv", {}, {.delimiter = '/', .header = false}));
  EXPECT_EQ(csv.names(), (Strings{"0", "1"}));
  const CsvGroup group{{0}};
  EXPECT_EQ(numbers(must(csv.read({&group, 1}))[0]), (Numbers{0.5, 0.25}));
}

TEST(csv, no_rows_give_empty_arrays) { EXPECT_EQ(numbers(Table("p,y\n").column(0)), Numbers{}); }

}  // namespace
