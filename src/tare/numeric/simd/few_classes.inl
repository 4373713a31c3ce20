// The first step of softmax.cpp, which includes this once per instruction set, for rows of few classes: a vector holds
// one class of many rows.

// Column-major copies of a block. float32 moves in pairs of columns, which are told apart on loading.
template <std::size_t>
HWY_INLINE void transpose(const double* z, std::size_t k, std::size_t n, double* HWY_RESTRICT columns,
                          std::size_t stride) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < k; ++j) columns[j * stride + i] = z[i * k + j];
}
template <std::size_t known>
HWY_INLINE void transpose(const float* z, std::size_t k, std::size_t n, float* HWY_RESTRICT columns,
                          std::size_t stride) {
  const std::size_t pairs = known > 0 && k % 2 == 0 ? known : known > 0 ? known - 1 : k / 2;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t p = 0; p < pairs; ++p) std::memcpy(columns + 2 * p * stride + 2 * i, z + i * k + 2 * p, 8);
    if (k % 2) columns[(k - 1) * stride + 2 * i] = z[i * k + k - 1];
  }
}
// Columns j and j + 1 of the rows from i on; j is even.
HWY_INLINE void load_two(const double* columns, std::size_t stride, std::size_t j, std::size_t i, Vec<double>& x,
                         Vec<double>& y) {
  x = hn::Load(Tag<double>(), columns + j * stride + i);
  y = hn::Load(Tag<double>(), columns + (j + 1) * stride + i);
}
HWY_INLINE void load_two(const float* columns, std::size_t stride, std::size_t j, std::size_t i, Vec<float>& x,
                         Vec<float>& y) {
  const Tag<float> d;
  const float* pairs = columns + j * stride + 2 * i;
  const auto lower = hn::Load(d, pairs), upper = hn::Load(d, pairs + hn::Lanes(d));
  x = hn::ConcatEven(d, upper, lower);
  y = hn::ConcatOdd(d, upper, lower);
}

HWY_INLINE void store(Vec<double> v, double* to) { hn::StoreU(v, Tag<double>(), to); }
HWY_INLINE void store(Vec<float> v, double* to) {
  const Tag<double> d;
  const hn::Half<Tag<float> > half;
  hn::StoreU(hn::PromoteTo(d, hn::LowerHalf(half, v)), d, to);
  hn::StoreU(hn::PromoteTo(d, hn::UpperHalf(half, v)), d, to + hn::Lanes(d));
}
HWY_INLINE void store_index(Vec<float> v, std::int32_t* to) {
  const Index<float> di;
  hn::StoreU(hn::ConvertTo(di, v), di, to);
}
HWY_INLINE void store_index(Vec<double> v, std::int32_t* to) {
  const hn::Rebind<std::int32_t, Tag<double> > di;
  hn::StoreU(hn::DemoteTo(di, v), di, to);
}

constexpr std::size_t few_classes = 64;

// The largest of a vector of rows, its place, and the rest. `known` is the number of pairs of columns, which then stay
// in registers; or 0, for those of k.
template <std::size_t known, class T>
HWY_INLINE void across_vector(const T* columns, std::size_t stride, std::size_t k, std::size_t i, SoftmaxBlock& out,
                              std::size_t row) {
  const Tag<T> d;
  const std::size_t pairs = known > 0 ? known : (k + 1) / 2;
  Vec<T> x[known > 0 ? known : 1], y[known > 0 ? known : 1];
  auto m = hn::Set(d, std::numeric_limits<T>::lowest()), top = hn::Zero(d), even = top, odd = top;
  const auto look = [&](auto z_j, std::size_t j) HWY_ATTR {
    top = hn::IfThenElse(hn::Gt(z_j, m), hn::Set(d, static_cast<T>(j)), top);
    m = hn::Max(z_j, m);
  };
  const auto term = [&](auto z_j, std::size_t j) HWY_ATTR {
    const auto others = hn::Ne(top, hn::Set(d, static_cast<T>(j)));
    return hn::IfThenElseZero(others, exp_of(hn::Sub(z_j, m)));
  };
  for (std::size_t p = 0; p < pairs; ++p) {
    const std::size_t kept = known > 0 ? p : 0;
    load_two(columns, stride, 2 * p, i, x[kept], y[kept]);
    look(x[kept], 2 * p);
    if (2 * p + 1 < k) look(y[kept], 2 * p + 1);
  }
  for (std::size_t p = 0; p < pairs; ++p) {
    const std::size_t kept = known > 0 ? p : 0;
    if (known == 0) load_two(columns, stride, 2 * p, i, x[kept], y[kept]);
    even = hn::Add(even, term(x[kept], 2 * p));
    if (2 * p + 1 < k) odd = hn::Add(odd, term(y[kept], 2 * p + 1));
  }
  store(m, out.top + row);
  store(hn::Add(even, odd), out.rest + row);
  store_index(top, out.argmax + row);
}

template <std::size_t known, class T>
HWY_INLINE void across_known(const T* z, std::size_t k, std::size_t n, SoftmaxBlock& out) {
  const Tag<T> d;
  constexpr std::size_t room = 16384 / sizeof(T);  // stays in the first cache
  alignas(64) T columns[room];
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t stride = std::min(rows_per_block, room / (k + k % 2) / lanes * lanes);
  for (std::size_t from = 0; from < n; from += stride) {
    const std::size_t rows = std::min(stride, n - from);
    // Rows that fill up the last vector, and the partner of an odd last column.
    if (rows % lanes || k % 2) std::fill(columns, columns + room, T(0));
    transpose<known>(z + from * k, k, rows, columns, stride);
    const T* next = z + (from + stride) * k;
    for (std::size_t i = 0; i < rows; i += lanes) {
      for (std::size_t j = 0; j < k; ++j) hwy::Prefetch(next + i * k + j * lanes);
      across_vector<known>(columns, stride, k, i, out, from + i);
    }
  }
}
template <class T>
HWY_INLINE void across_rows(const T* z, std::size_t k, std::size_t n, SoftmaxBlock& out) {
  switch ((k + 1) / 2) {
    case 1:
      return across_known<1>(z, k, n, out);
    case 2:
      return across_known<2>(z, k, n, out);
    case 3:
      return across_known<3>(z, k, n, out);
    case 4:
      return across_known<4>(z, k, n, out);
    case 5:
      return across_known<5>(z, k, n, out);
    default:
      return across_known<0>(z, k, n, out);
  }
}
