#include "tare/fit/spec.hpp"

#include <algorithm>

#include "tare/read/mapped_file.hpp"

namespace tare::detail::fit {

Result<Model> read_model(const std::string& path) {
  const std::string name = path == "-" ? "standard input" : path;
  // What is read may have no end; a model is a JSON object.
  const auto check = [&](std::span<const std::byte> head, bool) -> Result<bool> {
    constexpr std::size_t enough = 65536;
    const auto first =
        std::find_if(head.begin(), head.end(), [](std::byte b) { return b != std::byte{' '} && b != std::byte{'\n'}; });
    if (first == head.end() && head.size() < enough) return false;
    if (first != head.end() && *first == std::byte{'{'}) return true;
    return Error{.code = Errc::bad_input,
                 .what = foreign(name) + ": is not a model",
                 .remedy = "name a file that `tare fit` saved"};
  };
  const auto file = read::MappedFile::open(path, check);
  if (!file) return file.error();
  const auto bytes = (*file)->bytes();
  if (const auto fine = check(bytes.first(std::min<std::size_t>(bytes.size(), 65536)), true); !fine)
    return fine.error();
  return from_json((*file)->text(), name);
}

}  // namespace tare::detail::fit
