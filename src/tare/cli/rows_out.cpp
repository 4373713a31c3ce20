#include "tare/cli/rows_out.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <bit>

#include "tare/render/csv/csv.hpp"

namespace tare::inner::cli {
namespace {

// Version 1.0 of the format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
std::string npy_header(std::size_t n, std::size_t columns) {
  std::string dict = fmt::format("{{'descr': '{}f8', 'fortran_order': False, 'shape': ({}), }}",
                                 std::endian::native == std::endian::little ? '<' : '>',
                                 columns > 1 ? fmt::format("{}, {}", n, columns) : fmt::format("{},", n));
  constexpr std::size_t before = 10, alignment = 64;
  dict.append(alignment - 1 - (before + dict.size()) % alignment, ' ');
  dict += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(dict.size() % 256);
  out += static_cast<char>(dict.size() / 256);
  return out + dict;
}

// Little-endian numbers, as ZIP has them.
class Zip {
 public:
  Zip& number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out_ += static_cast<char>(value >> (8 * i) & 0xFF);
    return *this;
  }
  Zip& text(std::string_view words) {
    out_ += words;
    return *this;
  }
  [[nodiscard]] const std::string& str() const { return out_; }

 private:
  std::string out_;
};

// One stored member; its checksum and size follow it (bit 3), and stand in the directory with 64 bits.
constexpr std::uint64_t in_extra = 0xFFFFFFFF, version = 45, follows = 8, first_day = 0x21;

std::string local_header(const std::string& member) {
  return Zip()
      .number(0x04034b50, 4)
      .number(version, 2)
      .number(follows, 2)
      .number(0, 2)  // stored
      .number(0, 2)
      .number(first_day, 2)
      .number(0, 4)
      .number(in_extra, 4)
      .number(in_extra, 4)
      .number(member.size(), 2)
      .number(20, 2)
      .text(member)
      .number(1, 2)
      .number(16, 2)
      .number(0, 8)
      .number(0, 8)
      .str();
}

std::string directory(const std::string& member, std::uint32_t crc, std::uint64_t size) {
  const std::uint64_t descriptor = 24, at = 30 + member.size() + 20 + size + descriptor;
  const std::string entry = Zip()
                                .number(0x02014b50, 4)
                                .number(version, 2)
                                .number(version, 2)
                                .number(follows, 2)
                                .number(0, 2)
                                .number(0, 2)
                                .number(first_day, 2)
                                .number(crc, 4)
                                .number(in_extra, 4)
                                .number(in_extra, 4)
                                .number(member.size(), 2)
                                .number(20, 2)
                                .number(0, 2)
                                .number(0, 2)
                                .number(0, 2)
                                .number(0, 4)
                                .number(0, 4)
                                .text(member)
                                .number(1, 2)
                                .number(16, 2)
                                .number(size, 8)
                                .number(size, 8)
                                .str();
  return Zip()
      .number(0x08074b50, 4)
      .number(crc, 4)
      .number(size, 8)
      .number(size, 8)
      .text(entry)
      .number(0x06064b50, 4)  // the end in 64 bits
      .number(44, 8)
      .number(version, 2)
      .number(version, 2)
      .number(0, 4)
      .number(0, 4)
      .number(1, 8)
      .number(1, 8)
      .number(entry.size(), 8)
      .number(at, 8)
      .number(0x07064b50, 4)  // where that is
      .number(0, 4)
      .number(at + entry.size(), 8)
      .number(1, 4)
      .number(0x06054b50, 4)  // the end as all readers look for it
      .number(0, 2)
      .number(0, 2)
      .number(1, 2)
      .number(1, 2)
      .number(entry.size(), 4)
      .number(in_extra, 4)
      .number(0, 2)
      .str();
}

}  // namespace

Format rows_format(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".npz" ? Format::npz : ending == ".csv" ? Format::csv : Format::npy;
}

RowsOut::RowsOut(Output& file, Format format, RowsShape shape)
    : file_(file), format_(format), shape_(std::move(shape)) {}

Result<bool> RowsOut::put(std::string_view bytes) {
  crc_ = static_cast<std::uint32_t>(::crc32_z(crc_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  size_ += bytes.size();
  return file_.append(bytes);
}

Result<bool> RowsOut::begin() {
  if (format_ == Format::csv) return file_.append(render::csv_line(shape_.headings));
  if (format_ == Format::npz)
    if (auto fine = file_.append(local_header(member())); !fine) return fine;
  return put(npy_header(shape_.n, shape_.columns));
}

Result<bool> RowsOut::add(std::span<const double> rows) {
  if (format_ != Format::csv) return put({reinterpret_cast<const char*>(rows.data()), rows.size_bytes()});
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i)
    fmt::format_to(std::back_inserter(out), "{}{}", rows[i], (i + 1) % shape_.columns == 0 ? '\n' : ',');
  return file_.append(out);
}

Result<bool> RowsOut::end() {
  return format_ == Format::npz ? file_.append(directory(member(), crc_, size_)) : Result<bool>(true);
}

}  // namespace tare::inner::cli
