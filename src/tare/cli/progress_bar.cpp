#include "tare/cli/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "tare/cli/output.hpp"
#include "tare/core/clean.hpp"

namespace tare::detail::cli {
namespace {

using namespace std::chrono_literals;

// Short work shows nothing: a bar that flashes by is noise.
constexpr auto patience = 500ms;

std::string duration(double s) {
  if (s < 60) return fmt::format("{:.0f} s", s);
  if (s < 3600) return fmt::format("{:.0f} min", s / 60);
  return fmt::format("{:.1f} h", s / 3600);
}

}  // namespace

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress ProgressBar::callback() {
  if (quiet_) return {};
  return [this](std::string_view stage, std::size_t done, std::size_t total) { update(stage, done, total); };
}

void ProgressBar::stage(std::string_view name) {
  if (!quiet_) update(name, 0, 0);
}

void ProgressBar::update(std::string_view stage, std::size_t done, std::size_t total) {
  const std::lock_guard lock(mutex_);
  if (stage != stage_) {
    stage_ = stage;
    started_ = Clock::now();
  }
  done_ = done;
  total_ = total;
  if (ticker_.joinable() || alone_) return;
  const auto tick = [this](const std::stop_token& stop) {
    std::unique_lock held(mutex_);
    while (!changed_.wait_for(held, stop,
                              terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(60'000),
                              [&] { return stop.stop_requested(); }))
      if (Clock::now() - started_ > patience) draw();
  };
  try {
    ticker_ = std::jthread(tick);
  } catch (const std::system_error&) {  // no more threads to be had: the work goes on without a bar
    alone_ = true;
  }
}

void ProgressBar::draw() {
  const double spent = std::chrono::duration<double>(Clock::now() - started_).count();
  std::string numbers = duration(spent) + " so far";
  const double share = total_ > 0 ? std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_)) : 0;
  if (total_ > 0)
    numbers =
        fmt::format("{:3.0f}% {}/{} ({:.3g}/s) {}", 100 * share, done_, total_, static_cast<double>(done_) / spent,
                    share > 0 ? duration(spent / share - spent) + " left" : "");
  if (!terminal_) return talk(fmt::format("{}: {}\n", clean(stage_), numbers));
  constexpr int width = 20;
  const int full = static_cast<int>(share * width);
  std::string bar;
  for (int i = 0; i < width && total_ > 0; ++i) bar += i < full ? "█" : "░";
  cli::draw(fmt::format("\r\x1b[K{} {} {}", clean(stage_), bar, numbers));
  drawn_ = true;
}

void ProgressBar::clear() {
  if (ticker_.joinable()) {
    ticker_.request_stop();
    ticker_.join();
  }
  if (drawn_) cli::draw("\r\x1b[K");
  drawn_ = false;
  stage_.clear();
}

}  // namespace tare::detail::cli
