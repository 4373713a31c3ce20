// tare._cuda: arrays on a CUDA device, as DLPack capsules, to the GPU library; what comes back is small, or written
// where the façade says. A module of its own, so that tare itself needs no CUDA.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "tare/fit/spec.hpp"
#include "tare/gpu/apply.hpp"
#include "tare/gpu/fit.hpp"
#include "tare/gpu/judged.hpp"

namespace tare::detail::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;
using Array = nb::ndarray<nb::ro, nb::device::cuda>;
using gpu::Stream;

struct Failure {
  Error error;
};

template <class T>
T value_or_raise(Result<T> result) {
  if (!result) throw Failure{std::move(result).error()};
  return *std::move(result);
}

[[noreturn]] void raise(const std::string& what, const char* remedy, Errc code = Errc::unsupported) {
  throw Failure{{.code = code, .what = what, .remedy = remedy}};
}

std::optional<gpu::Type> type_of(nb::dlpack::dtype t) {
  const auto code = static_cast<nb::dlpack::dtype_code>(t.code);
  if (t.lanes != 1) return std::nullopt;
  if (code == nb::dlpack::dtype_code::Bfloat && t.bits == 16) return gpu::Type::bfloat16;
  if (code != nb::dlpack::dtype_code::Float) return std::nullopt;
  if (t.bits == 32) return gpu::Type::float32;
  if (t.bits == 16) return gpu::Type::float16;
  return std::nullopt;
}

Stream stream_of(std::uintptr_t stream) { return reinterpret_cast<Stream>(stream); }

gpu::DeviceRows rows_of(const Array& array, const std::string& kind) {
  const auto type = type_of(array.dtype());
  if (!type)
    raise(kind + ": numbers of this type are not read on a GPU", "convert them to float32, float16 or bfloat16");
  if (array.ndim() != 2)
    raise(kind + ": the array has " + std::to_string(array.ndim()) + " axes, not 2", "one row for each prediction");
  if (array.shape(1) > 1 && array.stride(1) != 1)
    raise(kind + ": the numbers of a row are not side by side", "x.contiguous() in torch, cupy.ascontiguousarray(x)");
  if (array.shape(0) > 1 && array.stride(0) < 0) raise(kind + ": the rows go backwards", "copy the array");
  return {array.data(),   array.shape(0),
          array.shape(1), array.shape(0) > 1 ? static_cast<std::size_t>(array.stride(0)) : array.shape(1),
          *type,          kind == "probs" ? Kind::probs : Kind::logits};
}

gpu::Labels labels_of(const Array& array, std::size_t n, std::int64_t ignored) {
  const auto t = array.dtype();
  if (static_cast<nb::dlpack::dtype_code>(t.code) != nb::dlpack::dtype_code::Int || (t.bits != 32 && t.bits != 64))
    raise("labels: on a GPU they are int32 or int64", "labels.long() in torch, labels.astype(\"int64\")");
  if (array.ndim() != 1 || array.shape(0) != n)
    raise("labels has shape (" + std::to_string(array.ndim() > 0 ? array.shape(0) : 0) +
              (array.ndim() > 1 ? ", ...)" : ",)") + ", and there are " + std::to_string(n) + " rows",
          "every row needs one label", Errc::bad_input);
  if (n > 1 && array.stride(0) < 1) raise("labels: they go backwards, or repeat one number", "copy the array");
  return {array.data(), t.bits == 64, n > 1 ? static_cast<std::size_t>(array.stride(0)) : 1, ignored};
}

// A host array that owns its numbers.
template <class T>
nb::ndarray<nb::numpy, T> numpy_of(std::vector<T> numbers) {
  auto* kept = new std::vector<T>(std::move(numbers));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), {kept->size()}, owner);
}

template <class Work>
auto without_lock(const Work& work) {
  std::optional<decltype(work())> out;
  {
    const nb::gil_scoped_release released;
    out.emplace(work());
  }
  return value_or_raise(*std::move(out));
}

struct OnHost {
  gpu::JudgedRows rows;
  gpu::Totals totals;
  std::vector<std::uint8_t> hit = {};  // as they were given: 2 where a row does not count
  std::vector<float> nll = {}, brier = {};
};

// What leaves the device: four bytes a row, in ascending order of the scores, and seven sums. `as_given`: for rows that
// have weights or groups, in their order, with the losses of each.
nb::dict reduce_rows(const Array& values, const Array& labels, const std::string& kind, std::int64_t ignored,
                     bool second, bool as_given, std::uintptr_t stream) {
  const gpu::DeviceRows rows = rows_of(values, kind);
  const gpu::Labels truth = labels_of(labels, rows.n, ignored);
  if (labels.device_id() != values.device_id())
    raise("labels are on device " + std::to_string(labels.device_id()) + ", and " + kind + " on " +
              std::to_string(values.device_id()),
          "move them to one device", Errc::bad_input);
  const Stream s = stream_of(stream);
  const bool probs = rows.kind == Kind::probs;
  const int device = values.device_id();
  OnHost out = without_lock([&]() -> Result<OnHost> {
    return gpu::guarded([&]() -> Result<OnHost> {
      const gpu::OnDevice here(device);
      const gpu::Buffer<float> score(rows.n, s), nll(rows.n, s), brier(rows.n, s);
      const gpu::Buffer<std::uint8_t> hit(rows.n, s);
      const gpu::Buffer<std::int32_t> top(second ? rows.n : 0, s);
      gpu::Buffer<gpu::Totals> totals(1, s);
      totals.zero();
      const gpu::Reduced found{.score = probs ? score.data() : nullptr,
                               .rest = probs ? nullptr : score.data(),
                               .hit = hit.data(),
                               .nll = nll.data(),
                               .brier = brier.data(),
                               .argmax = top.data()};
      if (const auto fine = gpu::reduce(rows, truth, found, s); !fine) return fine.error();
      gpu::add_to_totals(hit.data(), nll.data(), brier.data(), rows.n, totals.data(), s);
      auto judged = gpu::judged_rows(rows, found, second ? gpu::Judged::second : gpu::Judged::top_label, !as_given, s);
      if (!judged) return judged.error();
      OnHost all{*std::move(judged), totals.download()[0]};
      if (as_given) {
        all.hit = hit.download();
        all.nll = nll.download();
        all.brier = brier.download();
      }
      return all;
    });
  });
  nb::dict d;
  d["score"] = numpy_of(std::move(out.rows.score));
  d["hit"] = numpy_of(std::move(out.rows.hit));
  d["rows"] = out.totals.rows;
  d["infinite"] = out.totals.infinite;
  d["nll"] = nb::make_tuple(out.totals.nll, out.totals.nll_square);
  d["brier"] = nb::make_tuple(out.totals.brier, out.totals.brier_square);
  if (as_given) {
    d["given_hit"] = numpy_of(std::move(out.hit));
    d["row_nll"] = numpy_of(std::move(out.nll));
    d["row_brier"] = numpy_of(std::move(out.brier));
  }
  return d;
}

// The model, as the JSON that is saved, and the seconds that the fit took.
nb::tuple fit_model(const std::string& method, const Array& values, const Array& labels, const std::string& kind,
                    std::int64_t ignored, int max_iterations, std::uintptr_t stream) {
  const gpu::DeviceRows rows = rows_of(values, kind);
  const gpu::Labels truth = labels_of(labels, rows.n, ignored);
  const Stream s = stream_of(stream);
  const int device = values.device_id();
  const Model model = without_lock([&]() -> Result<Model> {
    return gpu::guarded([&]() -> Result<Model> {
      const gpu::OnDevice here(device);
      return method == "vector" ? gpu::fit_vector(rows, truth, max_iterations, s)
                                : gpu::fit_temperature(rows, truth, max_iterations, s);
    });
  });
  return nb::make_tuple(fit::to_json(model), model.fit.seconds);
}

void apply_model(const std::string& json, const Array& values, nb::ndarray<nb::device::cuda> out,
                 std::uintptr_t stream) {
  const Model model = value_or_raise(fit::from_json(json, "the model"));
  const gpu::DeviceRows rows = rows_of(values, "logits");
  const auto type = type_of(out.dtype());
  if (!type || out.ndim() != 2 || out.shape(0) != rows.n || out.shape(1) != rows.k ||
      (rows.k > 1 && out.stride(1) != 1))
    raise("the output is no row-major array of the shape of the input", "make one like it");
  const gpu::Output to{out.data(), rows.n > 1 ? static_cast<std::size_t>(out.stride(0)) : rows.k, *type};
  const Stream s = stream_of(stream);
  const int device = values.device_id();
  without_lock([&]() -> Result<bool> {
    return gpu::guarded([&]() -> Result<bool> {
      const gpu::OnDevice here(device);
      return gpu::apply(model, rows, to, s);
    });
  });
}

// Memory for an output, for libraries whose arrays are never written to: (n, k) float32, on the device.
nb::ndarray<nb::array_api, float, nb::device::cuda> empty(std::size_t n, std::size_t k, int device,
                                                          std::uintptr_t stream) {
  const Stream s = stream_of(stream);
  float* data = without_lock([&]() -> Result<float*> {
    return gpu::guarded([&]() -> Result<float*> {
      const gpu::OnDevice here(device);
      return static_cast<float*>(gpu::allocate(n * k * sizeof(float), s));
    });
  });
  const nb::capsule owner(data, [](void* p) noexcept { gpu::release(p, nullptr); });
  return nb::ndarray<nb::array_api, float, nb::device::cuda>(data, {n, k}, owner, {}, nb::dtype<float>(),
                                                             nb::device::cuda::value, device);
}

const char* name_of(Errc code) {
  switch (code) {
    case Errc::bad_input:
      return "bad_input";
    case Errc::out_of_memory:
      return "out_of_memory";
    case Errc::unsupported:
      return "unsupported";
    default:
      return "internal";
  }
}

}  // namespace
}  // namespace tare::detail::python

NB_MODULE(_cuda, m) {
  using namespace tare::detail;
  using namespace tare::detail::python;
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const Failure& failure) {
      const nb::object kind = nb::module_::import_("tare._errors").attr("Error");
      const nb::object error = kind(sentence(failure.error), name_of(failure.error.code), advice(failure.error));
      PyErr_SetObject(kind.ptr(), error.ptr());
    }
  });
  m.def("device_count", gpu::device_count);
  m.def("reduce", reduce_rows, "values"_a, "labels"_a, "kind"_a, "ignored"_a, "second"_a, "as_given"_a, "stream"_a);
  m.def("fit", fit_model, "method"_a, "values"_a, "labels"_a, "kind"_a, "ignored"_a, "max_iterations"_a, "stream"_a);
  m.def("apply", apply_model, "json"_a, "values"_a, "out"_a, "stream"_a);
  m.def("empty", empty, "n"_a, "k"_a, "device"_a, "stream"_a);
}
