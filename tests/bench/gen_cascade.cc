// A cascade as NDJSON: one damaged NVLink on one node at 12:10:02, and from
// 12:20:03 on what every rank writes about the collective that never came back.
// Line shapes are those of NCCL and PyTorch; about 250 bytes an observation.
// The same arguments give the same bytes.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

namespace {

struct Options {
  uint64_t observations = 1'000'000;
  uint64_t ranks = 4096;
  uint64_t nodes = 512;
  uint64_t seed = 1;
  std::string out;
};

constexpr uint64_t kCauseMillis = (12 * 3600 + 10 * 60 + 2) * 1000ULL;
constexpr uint64_t kFirstTimeoutMillis = (12 * 3600 + 20 * 60 + 3) * 1000ULL;
constexpr uint64_t kCascadeMillis = 15 * 60 * 1000ULL;

class Cascade {
 public:
  Cascade(const Options& options, FILE* out) : options_(options), out_(out), random_(options.seed) {}

  void Write() {
    Header();
    uint64_t cause_node = options_.nodes / 3;
    Row("kernel", kCauseMillis, 1000, cause_node, -1,
        "NVRM: Xid (PCI:0000:1b:00): 149, NETIR_LINK_EVT  Fatal   XC0 i0 Link 01 (0x021425c6 0x00000000 0x00000000 "
        "0x00000000 0x00000000 0x00000000)");
    uint64_t rows = options_.observations > 1 ? options_.observations - 1 : 0;
    for (uint64_t i = 0; i < rows; ++i) {
      uint64_t rank = i < options_.ranks ? (i * 2654435761ULL) % options_.ranks : Below(options_.ranks);
      uint64_t millis = kFirstTimeoutMillis + kCascadeMillis * i / (rows + 1);
      if (Below(50) == 0) millis += Below(400);  // a collector is late now and then
      uint64_t shape = i < options_.ranks ? 0 : Below(100);
      Row("application", millis, 1, NodeOf(rank), static_cast<int64_t>(rank), Text(shape, rank, millis));
    }
    Flush(true);
  }

 private:
  uint64_t Below(uint64_t bound) { return random_() % bound; }
  uint64_t NodeOf(uint64_t rank) const { return rank * options_.nodes / options_.ranks; }
  std::string NodeName(uint64_t node) const {
    char name[32];
    std::snprintf(name, sizeof name, "gpu-%03" PRIu64, node);
    return name;
  }
  static std::string Clock(uint64_t millis, bool with_millis) {
    char text[32];
    int used = std::snprintf(text, sizeof text, "%02d:%02d:%02d", static_cast<int>(millis / 3'600'000),
                             static_cast<int>(millis / 60'000 % 60), static_cast<int>(millis / 1000 % 60));
    if (with_millis) {
      std::snprintf(text + used, sizeof text - static_cast<size_t>(used), ".%03d", static_cast<int>(millis % 1000));
    }
    return text;
  }

  void Header() {
    buffer_ =
        R"({"schema":"attribution/observations/v1","attempt":{"id":"cascade-1","job":"pretrain","state":"FAILED","exit_code":1,)"
        R"("start":"2026-03-02T09:00:00Z","end":"2026-03-02T12:41:00Z","nodes":[)";
    for (uint64_t node = 0; node < options_.nodes; ++node) {
      if (node > 0) buffer_ += ',';
      buffer_ += R"({"name":")" + NodeName(node) + R"(","ranks":[)";
      bool first = true;
      for (uint64_t rank = node * options_.ranks / options_.nodes; rank < options_.ranks; ++rank) {
        if (NodeOf(rank) < node) continue;
        if (NodeOf(rank) > node) break;
        if (!first) buffer_ += ',';
        first = false;
        buffer_ += std::to_string(rank);
      }
      buffer_ += "]}";
    }
    buffer_ += R"(]},"coverage":[{"source":"kernel","status":"ok"},{"source":"application","status":"ok"},)"
               R"({"source":"scheduler","status":"ok"}]})"
               "\n";
  }

  void Row(const char* source, uint64_t millis, uint64_t precision, uint64_t node, int64_t rank,
           const std::string& text) {
    buffer_ += R"({"source":")";
    buffer_ += source;
    buffer_ += R"(","time":"2026-03-02T)";
    buffer_ += Clock(millis, precision < 1000);
    buffer_ += R"(Z","node":")";
    buffer_ += NodeName(node);
    buffer_ += '"';
    if (rank >= 0) buffer_ += R"(,"rank":)" + std::to_string(rank);
    buffer_ += R"(,"text":")";
    buffer_ += text;
    buffer_ += "\"}\n";
    Flush(false);
  }

  void Flush(bool all) {
    if (!all && buffer_.size() < (1 << 20)) return;
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), out_) != buffer_.size()) {
      std::perror("attr_gen_cascade");
      std::exit(3);
    }
    buffer_.clear();
  }

  /// Shape 0..99 by weight.
  std::string Text(uint64_t shape, uint64_t rank, uint64_t millis) {
    std::string r = std::to_string(rank);
    std::string head = "[rank" + r + "]:[E302 " + Clock(millis, true) + std::to_string(100'000 + Below(900'000)) +
                       " ProcessGroupNCCL.cpp:";
    if (shape < 15) return Watchdog(head, r);
    if (shape < 30) return LastWork(head, r);
    if (shape < 40)
      return head + "2026] Terminating: to avoid data inconsistency, we are taking the entire process down.";
    if (shape < 55) return Warning(millis, rank);
    return Traceback(shape, r, millis);
  }

  std::string Watchdog(const std::string& head, const std::string& r) {
    return head + "629] [Rank " + r + "] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=48211, " +
           "OpType=ALLREDUCE, NumelIn=25165824, NumelOut=25165824, Timeout(ms)=600000) ran for " +
           std::to_string(600'000 + Below(300)) + " milliseconds before timing out.";
  }
  std::string LastWork(const std::string& head, const std::string& r) {
    return head + "2168] [PG ID 0 PG GUID 0(default_pg) Rank " + r +
           "]  failure detected by watchdog at work sequence id: 48211 PG status: last enqueued work: " +
           std::to_string(48'211 + Below(20)) + ", last completed work: 48210";
  }
  std::string Warning(uint64_t millis, uint64_t rank) {
    std::string head = NodeName(NodeOf(rank)) + ":" + std::to_string(48'000 + rank % 1000) + ":" +
                       std::to_string(48'900 + rank % 90) + " [" + std::to_string(rank % 8) + "] ";
    switch (Below(4)) {
      case 0:
        return head + "NCCL WARN socketProgress: Connection closed by remote peer " + NodeName(Below(options_.nodes)) +
               "<" + std::to_string(30'000 + Below(30'000)) + ">";
      case 1:
        return head + "NCCL INFO [Proxy Service 3] Failed to execute operation Connect from rank " +
               std::to_string(Below(options_.ranks)) + ", retcode 3";
      case 2:
        return head + "NCCL INFO comm 0x7f" + std::to_string(Below(1'000'000'000)) + " rank " + std::to_string(rank) +
               " nranks " + std::to_string(options_.ranks) + " cudaDev 3 busId 1b000 - Abort COMPLETE";
      default:
        return head + "misc/socket.cc:484 NCCL WARN socketStartConnect: Connect to 10.0.0." +
               std::to_string(Below(255)) + "<" + std::to_string(millis % 60'000) +
               "> failed : Software caused connection abort";
    }
  }
  std::string Traceback(uint64_t shape, const std::string& r, uint64_t millis) {
    if (shape < 60) {
      return "terminate called after throwing an instance of 'c10::DistBackendError'\\n  what():  [PG ID 0 PG GUID "
             "0(default_pg) Rank " +
             r + "] Process group watchdog thread terminated with exception: [Rank " + r +
             "] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=48211, OpType=ALLREDUCE, "
             "NumelIn=25165824, NumelOut=25165824, Timeout(ms)=600000) ran for 600031 milliseconds before timing out.";
    }
    if (shape < 70) {
      return "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.";
    }
    if (shape < 80) {
      return "W0302 " + Clock(millis, true) +
             "000 2585 torch/distributed/elastic/multiprocessing/api.py:898] Sending process " +
             std::to_string(40'000 + Below(9'000)) + " closing signal SIGTERM";
    }
    if (shape < 90) {
      return "frame #" + std::to_string(Below(40)) +
             ": c10d::ProcessGroupNCCL::WorkNCCL::checkTimeout(std::optional<std::chrono::duration<long, "
             "std::ratio<1l, "
             "1000l> > >) + 0x1c3 (0x7f" +
             std::to_string(Below(1'000'000'000)) + " in libtorch_cuda.so)";
    }
    return "Fatal Python error: Aborted in rank " + r + ", most recent call first: File train.py, line " +
           std::to_string(100 + Below(800)) + " in train_step, thread 0x00007f" + std::to_string(Below(1'000'000'000));
  }

  Options options_;
  FILE* out_;
  std::mt19937_64 random_;
  std::string buffer_;
};

bool Parse(int argc, char** argv, Options* options) {
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string name = argv[i];
    uint64_t number = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--observations") options->observations = number;
    if (name == "--ranks") options->ranks = number;
    if (name == "--nodes") options->nodes = number;
    if (name == "--seed") options->seed = number;
    if (name == "--out") options->out = argv[i + 1];
  }
  return !options->out.empty() && options->nodes > 0 && options->ranks >= options->nodes;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!Parse(argc, argv, &options)) {
    std::fprintf(stderr, "usage: attr_gen_cascade --observations N --ranks R --nodes M [--seed S] --out FILE\n");
    return 2;
  }
  FILE* out = std::fopen(options.out.c_str(), "wb");
  if (out == nullptr) {
    std::perror(options.out.c_str());
    return 3;
  }
  Cascade(options, out).Write();
  return std::fclose(out) == 0 ? 0 : 3;
}
