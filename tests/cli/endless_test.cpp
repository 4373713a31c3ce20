// Inputs that do not end, or pretend to be small: an error soon, not an endless wait.
#include <sys/resource.h>

#include "cli/program.hpp"
#include "support/sanitized.hpp"

namespace {

namespace fs = tare::detail::testing::fs;

class endless : public tare::detail::testing::Program {
 protected:
  // A run that does not end by itself is ended, and that is a failure with code 124.
  [[nodiscard]] tare::detail::testing::Ran ends(const std::string& words) const {
    return run("timeout 60 sh -c '" + words + "'");
  }
};

TEST_F(endless, devices_are_refused) {
  fs::create_symlink("/dev/zero", folder_ / "z.npy");
  fs::create_symlink("/dev/zero", folder_ / "z.csv");
  fs::create_symlink("/dev/zero", folder_ / "z.npz");
  write("t.csv", "p_0,p_1,label\n0.75,0.25,0\n0.25,0.75,1\n");
  for (const char* words :
       {"measure /dev/zero", "measure z.npz", "measure z.csv", "measure --logits z.npy --labels z.npy",
        "measure - </dev/zero", "measure - </dev/urandom", "apply /dev/zero t.csv -o x.npy",
        "apply - t.csv -o x.npy </dev/zero", "bbc --model resnet110_c10 --n 20 --replicates 20 --checkpoint /dev/full",
        "bbc --model resnet110_c10 --n 20 --replicates 20 --checkpoint /dev/zero",
        "bbc --model resnet110_c10 --n 20 --replicates 20 --checkpoint /dev/null"})
    EXPECT_FAILS(ends(std::string("$tare ") + words));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(files(), 4U);
}

TEST_F(endless, pipes_are_looked_at_before_they_are_read) {
  write("t.csv", "p_0,p_1,label\n0.75,0.25,0\n0.25,0.75,1\n");
  for (const char* words : {"cat /dev/zero | $tare measure -", "yes 1,1 | $tare measure -",
                            "yes | tr -d \"\\n\" | $tare measure -", "yes \"\" | $tare measure -",
                            "yes \"a,\\\"b\" | tr -d \"\\n\" | $tare measure -", "yes | $tare apply - t.csv -o x.npy"})
    EXPECT_FAILS(ends(words));
}

// The writer ends by itself only where all of it was read.
TEST_F(endless, the_first_bytes_of_a_pipe_are_enough) {
  for (const char* format : {"csv.gz", "jsonl.gz", "jsonl", "json", "eval", "npz", "npy"}) {
    const auto ran =
        ends("{ head -c 300000000 /dev/zero && touch all; } | $tare measure - --format " + std::string(format));
    EXPECT_FAILS(ran);
    EXPECT_FALSE(exists("all")) << format;
  }
  EXPECT_FAILS(ends("{ yes \"\" | head -c 300000000 && touch all; } | $tare measure - --format jsonl"));
  EXPECT_FALSE(exists("all"));
}

TEST_F(endless, pipes_without_a_writer_are_an_error) {
  ASSERT_EQ(run("mkfifo p.csv p.npy p.npz").code, 0);
  for (const char* words :
       {"measure p.csv", "measure p.npz", "measure --logits p.npy --labels p.npy", "apply p.csv p.csv -o x.npy"})
    EXPECT_FAILS(ends(std::string("$tare ") + words));
  const auto written =
      ends("{ sleep 0.2; echo confidence,correct; sleep 0.2; echo 0.5,1; } >p.csv & $tare measure p.csv --no-interval");
  EXPECT_EQ(written.code, 0) << written.err;
}

TEST_F(endless, files_of_holes_are_refused_at_their_beginning) {
  for (const char* name : {"z.csv", "z.npy", "z.npz", "late.csv", "c.json"}) {
    write(name, std::string(name) == "late.csv" ? "confidence,correct\n0.5,1\n" : "");
    std::error_code fault;
    fs::resize_file(folder_ / name, std::uintmax_t{1} << 40, fault);
    if (fault) GTEST_SKIP() << "no file of holes here: " << fault.message();
  }
  for (const char* words :
       {"measure z.csv", "measure late.csv", "measure z.npz", "measure --logits z.npy --labels z.npy",
        "apply z.csv z.npz -o x.npy", "bbc --model resnet110_c10 --n 20 --replicates 20 --checkpoint c.json"})
    EXPECT_FAILS(ends(std::string("$tare ") + words));
}

// 4 MiB that unpack to 4 GiB, as the archive and the array both say; but the labels are four. The checksum is wrong:
// whoever unpacks it says so, whoever looks at the headers first does not.
TEST_F(endless, a_small_archive_of_a_huge_array_is_not_unpacked_for_nothing) {
  if (run("command -v python3").code != 0) GTEST_SKIP() << "needs python3";
  write("make.py", R"py(
import struct, zlib
def header(descr, shape):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + text.ljust(117).encode() + b"\n"
def deflated(data):
    c = zlib.compressobj(9, zlib.DEFLATED, -15)
    return c.compress(data) + c.flush(zlib.Z_FULL_FLUSH)
n, piece = (1 << 28) - 1024, bytes(1 << 20)
logits = deflated(header("<f8", "(%d, 2)" % n) + piece[16384:]) + deflated(piece) * 4095 + b"\x03\x00"
labels = header("<i8", "(4,)") + bytes(32)
members = [("logits.npy", 8, logits, 16 * n + 128, 0), ("labels.npy", 0, labels, len(labels), zlib.crc32(labels))]
body, directory = b"", b""
for name, method, data, size, crc in members:
    common = struct.pack("<HHHHHIIIHH", 20, 0, method, 0, 33, crc, len(data), size, len(name), 0)
    directory += b"PK\x01\x02" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name.encode()
    body += b"PK\x03\x04" + common + name.encode() + data
end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 2, 2, len(directory), len(body), 0)
open("bomb.npz", "wb").write(body + directory + end)
)py");
  ASSERT_EQ(run("python3 make.py").code, 0);
  EXPECT_FAILS(ends("$tare measure bomb.npz"));
  // where it is needed, it must fit into memory
  if (!tare::detail::testing::sanitized) {
    write("t.csv", "z_0,z_1,label\n0,1,0\n1,0,1\n0,2,1\n");
    ASSERT_EQ(run("$tare fit temperature t.csv -o model.json").code, 0);
    EXPECT_FAILS(ends("ulimit -v 2000000; $tare apply model.json bomb.npz -o x.npy"));
  }
}

// Too little memory is an error, in whichever thread it is noticed.
TEST_F(endless, wishes_for_memory_end_in_an_answer_or_an_error) {
  if (tare::detail::testing::sanitized || run("ulimit -v 1000000").code != 0) GTEST_SKIP();
  for (const char* kib : {"60000", "90000", "120000", "200000", "400000"}) {
    const auto ran =
        run(std::string("ulimit -v ") + kib + "; $tare measure $data/resnet110_cifar100.npz --no-interval --threads 4");
    EXPECT_TRUE(ran.code == 0 || ran.code == 2 || ran.code == 127) << kib << ": " << ran.code << ran.err;
    if (ran.code == 2) {
      EXPECT_HAS(ran.err, "memory") << kib;
    }
  }
}

}  // namespace
