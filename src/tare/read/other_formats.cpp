#include "tare/read/other_formats.hpp"

#include <array>

#include "tare/core/lower.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

struct Other {
  std::string_view ending, extra;
};
constexpr std::array python_formats = {
    Other{".parquet", "parquet"}, Other{".pq", "parquet"}, Other{".feather", "parquet"}, Other{".arrow", "parquet"},
    Other{".ipc", "parquet"},     Other{".h5", "hdf5"},    Other{".hdf5", "hdf5"},       Other{".hdf", "hdf5"},
    Other{".xlsx", "excel"},      Other{".xlsm", "excel"}};
constexpr std::string_view old_excel = "save it as .xlsx or .csv: .xls is the format of Excel before 2007";

std::string command(const std::string& file, std::string_view extra) {
  return "python -m tare measure " + file + " reads it, after pip install 'tare[" + std::string(extra) + "]'";
}

// The name of the first member of a zip archive.
std::string_view first_member(std::string_view zip) {
  constexpr std::size_t at = 30, length_at = 26;
  if (zip.size() < at) return {};
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(zip[i])); };
  return zip.substr(at, byte(length_at) + 256 * byte(length_at + 1));
}

bool is_excel(std::string_view zip) {
  const std::string_view first = first_member(zip);
  return first.starts_with("[Content_Types]") || first.starts_with("_rels/") || first.starts_with("docProps/") ||
         first.starts_with("xl/");
}

}  // namespace

std::string reader_of(const std::string& path) {
  const std::string name = lower(path);
  if (name.ends_with(".xls")) return std::string(old_excel);
  for (const Other& other : python_formats)
    if (name.ends_with(other.ending)) return command("'" + foreign(path) + "'", other.extra);
  return {};
}

OtherFormat other_format(std::string_view start, const std::string& name) {
  const auto is = [&](const char* what, const std::string& ending, std::string_view extra) -> OtherFormat {
    const std::string by_name = reader_of(name);
    return {std::string("is ") + what,
            !by_name.empty() ? by_name
                             : "save it as a file that ends in " + ending + ": " + command("FILE" + ending, extra)};
  };
  if (start.starts_with("PAR1")) return is("a Parquet file", ".parquet", "parquet");
  if (start.starts_with("ARROW1")) return is("an Arrow file", ".arrow", "parquet");
  if (start.starts_with("FEA1")) return is("a Feather file", ".feather", "parquet");
  if (start.starts_with("\x89HDF\r\n")) return is("an HDF5 file", ".h5", "hdf5");
  if (start.starts_with("\xd0\xcf\x11\xe0")) return {"is an Excel file", std::string(old_excel)};
  if (start.starts_with("PK\x03\x04") && is_excel(start)) return is("an Excel file", ".xlsx", "excel");
  return {};
}

}  // namespace tare::detail::read
