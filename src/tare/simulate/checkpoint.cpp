#include "tare/simulate/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tare/write/whole_file.hpp"

namespace tare::inner::simulate {
namespace {

using Json = nlohmann::ordered_json;
constexpr int version = 1;

// 128-bit integers as two halves.
Json to_json(const numeric::ExactSum& sum) {
  const auto bits = static_cast<numeric::u128>(sum.units());
  return {static_cast<std::uint64_t>(bits >> 64), static_cast<std::uint64_t>(bits)};
}

numeric::ExactSum exact_sum(const Json& j) {
  const auto bits = static_cast<numeric::u128>(j.at(0).get<std::uint64_t>()) << 64 | j.at(1).get<std::uint64_t>();
  return numeric::ExactSum::of_units(static_cast<numeric::i128>(bits));
}

Json to_json(const Tally& t) {
  return {{"defined", t.defined},          {"undefined", t.undefined}, {"bins", t.bins},    {"sum", to_json(t.sum)},
          {"squares", to_json(t.squares)}, {"reason_of", t.reason_of}, {"reason", t.reason}};
}

Tally tally(const Json& j) {
  return {.defined = j.at("defined"),
          .undefined = j.at("undefined"),
          .bins = j.at("bins"),
          .sum = exact_sum(j.at("sum")),
          .squares = exact_sum(j.at("squares")),
          .reason_of = j.at("reason_of"),
          .reason = j.at("reason")};
}

Error no_checkpoint(const std::string& path) {
  return {.code = Errc::bad_input,
          .what = fmt::format("{} is not a checkpoint of a simulation", foreign(path)),
          .remedy = "delete it, or name another file"};
}

Result<int> compare(const std::string& path, const Settings& settings, const Json& saved) {
  for (const auto& [name, value] : settings) {
    const std::string other = saved.value(name, "unknown");
    if (other != value)
      return Error{.code = Errc::bad_option,
                   .what = fmt::format("the checkpoint {} is of another study: its {} is {}, not {}", foreign(path),
                                       name, foreign(other), foreign(value)),
                   .remedy = "run with the settings it was made with, delete it, or name another file"};
  }
  return 0;
}

}  // namespace

Result<int> write_checkpoint(const std::string& path, const Settings& settings, const Checkpoint& checkpoint) {
  Json j{{"tare_checkpoint", version}, {"settings", Json::object()}};
  for (const auto& [name, value] : settings) j["settings"][name] = value;
  std::string done;
  for (const std::uint8_t d : checkpoint.done) done += d ? '1' : '0';
  j["done"] = done;
  j["tallies"] = Json::array();
  for (const Tally& t : checkpoint.tallies) j["tallies"].push_back(to_json(t));

  const auto written = write::write_file(path, j.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  if (!written)
    return Error{.code = Errc::io, .what = "the checkpoint: " + written.error().what, .remedy = written.error().remedy};
  return 0;
}

Result<bool> read_checkpoint(const std::string& path, const Settings& settings, Checkpoint& checkpoint) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const auto kind = fs::status(path, ignored);
  if (!fs::exists(kind)) return false;
  if (!fs::is_regular_file(kind))
    return Error{.code = Errc::bad_option,
                 .what = fmt::format("the checkpoint {} is not a file", foreign(path)),
                 .remedy = "name a file, or one to be made"};
  // A checkpoint of this study is not longer; what is longer may have no end.
  const std::uintmax_t longest = (std::uintmax_t{1} << 26) + checkpoint.done.size() + checkpoint.tallies.size() * 4096;
  std::ifstream in(path, std::ios::binary);
  std::string text(std::min(longest, fs::file_size(path, ignored)), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  const Json j = Json::parse(text, nullptr, false);
  if (!in || !j.is_object() || !j.contains("tare_checkpoint") || j["tare_checkpoint"] != version ||
      !j.contains("settings"))
    return no_checkpoint(path);
  try {
    if (const auto same = compare(path, settings, j.at("settings")); !same) return same.error();
    const std::string done = j.at("done");
    if (done.size() != checkpoint.done.size() || j.at("tallies").size() != checkpoint.tallies.size())
      return no_checkpoint(path);
    for (std::size_t i = 0; i < done.size(); ++i) checkpoint.done[i] = done[i] == '1';
    for (std::size_t i = 0; i < checkpoint.tallies.size(); ++i) checkpoint.tallies[i] = tally(j.at("tallies").at(i));
  } catch (const Json::exception&) {
    return no_checkpoint(path);
  }
  return true;
}

}  // namespace tare::inner::simulate
