#include "tare/read/npz.hpp"

#include <string_view>
#include <utility>

#include "tare/read/npy.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {

Result<Npz> Npz::open(std::span<const std::byte> bytes, const std::string& name, std::shared_ptr<const void> owner) {
  auto members = zip_directory(bytes, name);
  if (!members) return members.error();
  Npz out;
  out.bytes_ = bytes;
  out.owner_ = std::move(owner);
  out.name_ = name;
  constexpr std::string_view suffix = ".npy";
  for (ZipMember& m : *members) {
    if (!m.name.ends_with(suffix)) continue;  // np.savez writes nothing else
    out.names_.push_back(m.name.substr(0, m.name.size() - suffix.size()));
    out.members_.push_back(std::move(m));
  }
  if (out.names_.empty())
    return Error{.code = Errc::bad_input,
                 .what = "holds no arrays",
                 .place = file_place(name),
                 .remedy = "write it with np.savez"};
  return out;
}

Result<Array> Npz::head(std::size_t index) const {
  const ZipMember& member = members_[index];
  const std::string name = name_ + ":" + names_[index];
  const auto raw = zip_raw(bytes_, member, name);
  if (!raw) return raw.error();
  if (member.method == 0) {
    auto header = npy_header(*raw, member.unpacked, name);
    if (!header) return header.error();
    return std::move(header->array);
  }
  const auto start = inflate_head(*raw, member, npy_header_limit + 12, name);
  if (!start) return start.error();
  auto header = npy_header(*start, member.unpacked, name);
  if (!header) return header.error();
  return std::move(header->array);
}

Result<Array> Npz::read(std::size_t index) const {
  const ZipMember& member = members_[index];
  const std::string name = name_ + ":" + names_[index];
  // The array's own header must ask for the memory the archive claims before it is given.
  if (const auto asks = head(index); !asks) return asks.error();
  const auto raw = zip_raw(bytes_, member, name);
  if (!raw) return raw.error();
  if (member.method == 0) {
    if (const auto intact = check_crc(*raw, member, name); !intact) return intact.error();
    return parse_npy(*raw, name, owner_);
  }
  const auto all = inflate_all(*raw, member, name);
  if (!all) return all.error();
  return parse_npy(all->bytes, name, all->owner);
}

}  // namespace tare::detail::read
