#include "tare/cli/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "tare/cli/output.hpp"

namespace tare::cli {
namespace {

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

std::string duration(double s) {
  if (s < 60) return fmt::format("{:.0f} s", s);
  if (s < 3600) return fmt::format("{:.0f} min", s / 60);
  return fmt::format("{:.1f} h", s / 3600);
}

}  // namespace

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress ProgressBar::callback() {
  if (quiet_) return {};
  return [this](std::string_view stage, std::size_t done, std::size_t total) { show(stage, done, total); };
}

void ProgressBar::show(std::string_view stage, std::size_t done, std::size_t total) {
  const auto now = Clock::now();
  if (stage != stage_) {
    stage_ = stage;
    started_ = shown_ = now;
  }
  // short work shows nothing: a bar that flashes by is noise
  const double since = seconds(now - shown_), spent = seconds(now - started_);
  if (total == 0 || spent < 0.5 || since < (terminal_ ? 0.1 : 60)) return;
  shown_ = now;
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const double rate = static_cast<double>(done) / spent;
  const std::string left = share > 0 ? duration(spent / share - spent) + " left" : "";
  const std::string numbers = fmt::format("{:3.0f}% {}/{} ({:.3g}/s) {}", 100 * share, done, total, rate, left);
  if (!terminal_) {
    talk(fmt::format("{}: {}\n", stage_, numbers));
    return;
  }
  constexpr int width = 20;
  const int full = static_cast<int>(share * width);
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < full ? "█" : "░";
  talk(fmt::format("\r\x1b[K{} {} {}", stage_, bar, numbers));
  drawn_ = true;
}

void ProgressBar::clear() {
  if (drawn_) talk("\r\x1b[K");
  drawn_ = false;
}

}  // namespace tare::cli
