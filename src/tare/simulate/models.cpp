#include "tare/simulate/models.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "tare/core/suggest.hpp"
#include "tare/simulate/curves.hpp"

namespace tare::detail::simulate {

std::span<const PublishedModel> models() {
  static constexpr std::array<PublishedModel, 10> rows{{
      {"resnet110_c10", "ResNet-110, CIFAR-10", 2.7752, 0.0478, "logflip_logflip_b0_b1:-0.24,0.30"},
      {"resnet110_SD_c10", "ResNet-110 SD, CIFAR-10", 2.1714, 0.0394, "logit_logflip_b0_b1:-0.27,-0.35"},
      {"resnet_wide32_c10", "Wide ResNet-32, CIFAR-10", 2.3806, 0.0379, "logit_logit_b1:0.26"},
      {"densenet40_c10", "DenseNet-40, CIFAR-10", 1.9824, 0.0397, "logit_logflip_b1:-0.26"},
      {"resnet110_c100", "ResNet-110, CIFAR-100", 1.1823, 0.1081, "logflip_logflip_b0_b1:-0.11,0.28"},
      {"resnet110_SD_c100", "ResNet-110 SD, CIFAR-100", 1.1233, 0.1147, "logit_logit_b0_b1:-0.88,0.49"},
      {"resnet_wide32_c100", "Wide ResNet-32, CIFAR-100", 1.0611, 0.0650, "logflip_logflip_b0_b1:-0.13,0.21"},
      {"densenet40_c100", "DenseNet-40, CIFAR-100", 1.0805, 0.0808, "logit_logit_b0_b1:-0.97,0.34"},
      {"resnet152_imgnet", "ResNet-152, ImageNet", 1.1359, 0.2069, "logflip_logflip_b0_b1:-0.12,0.58"},
      {"densenet161_imgnet", "DenseNet-161, ImageNet", 1.1928, 0.2206, "log_log_b0_b1:-0.03,1.27"},
  }};
  return rows;
}

Result<Truth> model(std::string_view name, bool perfect) {
  const auto rows = models();
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const PublishedModel& r) { return r.name == name; });
  if (at == rows.end()) {
    std::vector<std::string> known;
    std::string all;
    for (const PublishedModel& row : rows) {
      known.emplace_back(row.name);
      all += (all.empty() ? "" : " ") + known.back();
    }
    return Error{.code = Errc::bad_option,
                 .what = "there is no model '" + foreign(name) + "'",
                 .remedy = did_you_mean(name, known, "there are: " + all)};
  }
  auto curve = perfect ? Result<Curve>(identity()) : parse_curve(at->curve);
  assert(curve);
  Truth out;
  out.name = std::string(name) + (perfect ? " perfect" : "");
  out.scores.kind = ScoreKind::beta;
  out.scores.alpha = at->alpha;
  out.scores.beta = at->beta;
  out.curve = *std::move(curve);
  return out;
}

}  // namespace tare::detail::simulate
