// Files that are not read, by their endings and their first bytes, and what columns say about parts of the data.
#include "tare/read/csv.hpp"

#include <gtest/gtest.h>

#include <string>

#include "read/zip_maker.hpp"
#include "support/has.hpp"
#include "tare/read/source.hpp"
#include "tare/read/word_column.hpp"

namespace {

using namespace tare::detail::read;

TEST(other_formats, by_their_endings) {
  EXPECT_EQ(reader_of("a.parquet"), "python -m tare measure 'a.parquet' reads it, after pip install 'tare[parquet]'");
  for (const char* name : {"a.pq", "A.FEATHER", "b/c.arrow", "x.ipc"}) EXPECT_HAS(reader_of(name), "tare[parquet]");
  for (const char* name : {"a.h5", "a.hdf5", "a.hdf"}) EXPECT_HAS(reader_of(name), "tare[hdf5]");
  for (const char* name : {"a.xlsx", "a.xlsm"}) EXPECT_HAS(reader_of(name), "tare[excel]");
  EXPECT_HAS(reader_of("a.xls"), "save it as .xlsx");
  for (const char* name : {"a.csv", "parquet", "a.parquet.csv", ""}) EXPECT_EQ(reader_of(name), "") << name;
}

TEST(other_formats, by_their_first_bytes) {
  const auto what = [](const std::string& start) { return other_format(start, "data.csv").what; };
  EXPECT_EQ(what("PAR1...."), "is a Parquet file");
  EXPECT_EQ(what("ARROW1.."), "is an Arrow file");
  EXPECT_EQ(what("FEA1"), "is a Feather file");
  EXPECT_EQ(what("\x89HDF\r\n\x1a\n"), "is an HDF5 file");
  EXPECT_EQ(what("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "is an Excel file");
  EXPECT_EQ(what("p_0,p_1"), "");
  EXPECT_EQ(what(""), "");
  std::string zip("PK\x03\x04", 4);
  zip.resize(30);
  EXPECT_EQ(what(zip), "");  // cut short before the name of its first member
  zip[26] = 19;
  EXPECT_EQ(what(zip + "[Content_Types].xml"), "is an Excel file");
  zip[26] = 8;
  EXPECT_EQ(what(zip + "data.npy"), "");
  // The remedy names the ending under which Python knows it.
  EXPECT_HAS(other_format("PAR1", "data.csv").remedy, "FILE.parquet");
  EXPECT_HAS(other_format("PAR1", "data.pq").remedy, "'data.pq'");
}

TEST(split_column, parts_and_their_names) {
  for (const char* word : {"train", "Training"}) EXPECT_EQ(part_named(word), "train") << word;
  for (const char* word : {"val", "VALID", "validation", "dev", "calib", "calibration"})
    EXPECT_EQ(part_named(word), "val") << word;
  for (const char* word : {"test", "testing", "eval", "Holdout", "evaluation"})
    EXPECT_EQ(part_named(word), "test") << word;
  for (const char* word : {"", "0", "tests", "fold1"}) EXPECT_EQ(part_named(word), "") << word;
}

// Each word once, in the order in which it first came, whether or not it looks like a number.
TEST(word_column, codes_of_words) {
  WordColumn column;
  for (const char* word : {"7", "a", "07", "7", "1000", "", "a", "999"}) column.add(word);
  column.add_missing();
  column.fill_to(11);
  EXPECT_EQ(column.words(), (std::vector<std::string>{"7", "a", "07", "1000", "", "999"}));
  const Array a = std::move(column).put_into({.shape = {11}});
  const auto* codes = reinterpret_cast<const std::int32_t*>(a.data);
  EXPECT_EQ(std::vector<std::int32_t>(codes, codes + 11),
            (std::vector<std::int32_t>{0, 1, 2, 0, 3, 4, 1, 5, -1, -1, -1}));
}

}  // namespace
