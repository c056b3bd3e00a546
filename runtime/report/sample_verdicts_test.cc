// The verdicts of sample_verdicts.h.
#include "runtime/report/sample_verdicts.h"

namespace attr::report {

namespace {

using model::Moment;
using model::Verdict;
using model::VerdictStatus;

// Seconds after 2026-03-02T12:00:00Z.
Moment At(int64_t seconds) {
  int64_t nanos = (1'772'452'800 + seconds) * plan::kSecond;
  return {nanos, nanos, plan::kSecond};
}

model::FindingView Finding(const std::string& rule, const std::string& title, const std::string& node, int64_t seconds,
                           const std::string& source, const std::string& text) {
  model::FindingView f;
  f.rule = rule;
  f.title = title;
  f.count = 1;
  f.first = f.last = At(seconds);
  if (!node.empty()) {
    f.nodes = {node};
    f.keys = {{"node", node}};
  }
  f.evidence = {{"o" + std::to_string(seconds), source, node, At(seconds), text}};
  f.evidence_total = 1;
  return f;
}

model::CauseView Cause(model::FindingView finding, std::vector<std::string> domains, std::vector<std::string> advise) {
  model::CauseView c;
  c.blamed_nodes = finding.nodes;
  c.finding = std::move(finding);
  c.domains = std::move(domains);
  c.advise = std::move(advise);
  return c;
}

model::SymptomView Symptom(model::FindingView finding, const std::string& by, const std::string& because) {
  model::SymptomView s;
  s.finding = std::move(finding);
  if (!by.empty()) s.demoted_by.push_back({by, because, model::Truth::kConfirmed});
  return s;
}

Verdict Base() {
  Verdict v;
  v.attempt = "4711.2";
  v.job = "llama-pretrain";
  v.start = At(0);
  v.end = At(41 * 60);
  v.terminal_state = "failed";
  v.observations_in = 1204;
  v.observations_out = 12;
  v.out_of_scope = {{"before the attempt", 12}};
  v.pack = {"site.training", "1.2.0", "ab12", {{"std.collective", "1.0.0"}, {"std.nvlink", "1.0.0"}}};
  v.engine = "attrc 0.1.0";
  v.input_sha256 = "0123456789abcdef0123456789abcdef";
  v.coverage = {{"application", "ok", {"n1", "n2", "n3"}, At(0), At(2460), 1200, ""},
                {"kernel", "ok", {}, At(0), At(2460), 4, ""}};
  return v;
}

constexpr const char* kXid =
    "NVRM: Xid (PCI:0000:1b:00): 149, NETIR_LINK_EVT  Fatal   XC0 i0 Link 01 (0x021425c6 0x00000000 0x00000000)";
constexpr const char* kWatchdog =
    "[Rank 8] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9, OpType=ALLREDUCE, NumelIn=1, "
    "NumelOut=1, Timeout(ms)=600000) ran for 600034 milliseconds before timing out.";
constexpr const char* kFault = "std.nvlink::nvlink_signal_integrity";
constexpr const char* kTimeout = "std.collective::nccl_timeout";
constexpr const char* kAbort = "std.collective::process_aborted";

}  // namespace

Verdict NvlinkVerdict() {
  Verdict v = Base();
  v.status = VerdictStatus::kAttributed;
  v.domain = "fabric.nvlink";
  model::CauseView c = Cause(Finding(kFault, "NVLink signal-integrity fault", "n1", 602, "kernel", kXid),
                             {"fabric.nvlink"}, {"drain", "reset_gpu"});
  c.finding.doc = "The link's signal is damaged.";
  c.finding.explanation = "Xid 149 on n1 GPU 0000:1b:00, link 1: NETIR_LINK_EVT";
  c.finding.gpus = {"0000:1b:00"};
  c.blamed_gpus = {"0000:1b:00"};
  c.explains = {0, 1, 2};
  c.explains_total = {{kTimeout, 3}};
  v.causes.push_back(c);
  const char* because = "a lost NVLink stalls every collective that crosses it";
  for (int i = 1; i <= 3; ++i) {
    v.symptoms.push_back(
        Symptom(Finding(kTimeout, "NCCL collective timed out", "n" + std::to_string(i), 1203, "application", kWatchdog),
                kFault, because));
    v.symptoms.back().suggests = {"fabric", "network"};
  }
  v.symptoms.push_back(Symptom(
      Finding(kAbort, "Process aborted", "n2", 1210, "application",
              "Fatal Python error: Aborted\nTraceback:\n  a.py, line 1\n  b.py, line 2\n  c.py, line 3\nSIGABRT"),
      kTimeout, ""));
  v.symptoms.back().is_cause = true;
  v.symptoms.back().parent = 0;
  v.symptom_groups = {{kTimeout, "NCCL collective timed out", 3, 3, 0, At(1203), At(1203), {"n1", "n2", "n3"}},
                      {kAbort, "Process aborted", 1, 1, 0, At(1210), At(1210), {"n2"}}};
  v.affected_nodes = {{"n1", {kFault}}};
  return v;
}

Verdict AmbiguousVerdict() {
  Verdict v = Base();
  v.status = VerdictStatus::kAmbiguous;
  v.settled = false;
  v.causes.push_back(Cause(Finding("std.gpu::gpu_lost", "GPU has fallen off the bus", "n1", 602, "kernel",
                                   "NVRM: Xid (PCI:0000:1b:00): 79, GPU has fallen off the bus."),
                           {"hardware.gpu"}, {"drain"}));
  v.causes.push_back(Cause(Finding("std.storage::nfs_stalled", "NFS server does not answer", "n7", 598, "kernel",
                                   "nfs: server filer1 not responding, still trying"),
                           {"storage.shared"}, {}));
  v.causes[1].finding.truth = model::Truth::kPresumed;
  v.causes[0].explains = v.causes[1].explains = {0};
  v.causes[0].explains_total = v.causes[1].explains_total = {{kTimeout, 1}};
  v.symptoms.push_back(Symptom(Finding(kTimeout, "NCCL collective timed out", "n1", 1203, "application", kWatchdog),
                               "std.gpu::gpu_lost", "its rank is gone"));
  v.symptoms[0].demoted_by.push_back({"std.storage::nfs_stalled", "", model::Truth::kPresumed});
  v.symptoms.push_back(
      Symptom(Finding("std.host::clock_step", "Clock stepped", "n3", 100, "kernel", "clock: time jumped"), "", ""));
  v.symptom_groups = {{kTimeout, "NCCL collective timed out", 1, 1, 0, At(1203), At(1203), {"n1"}},
                      {"std.host::clock_step", "Clock stepped", 1, 1, 1, At(100), At(100), {"n3"}}};
  v.affected_nodes = {{"n1", {"std.gpu::gpu_lost"}}, {"n7", {"std.storage::nfs_stalled"}}};
  v.outranked.push_back({Cause(Finding("std.platform::time_limit", "Time limit reached", "", 2460, "scheduler", ""),
                               {"platform.scheduler"}, {}),
                         "std.gpu::gpu_lost", "* > tag fallback"});
  v.bystanders.push_back(Cause(Finding("std.gpu::ecc_corrected", "Corrected memory error", "n9", 50, "kernel", "x"),
                               {"hardware.gpu.memory"}, {}));
  v.would_change.push_back(
      {"time of application records", {"n7"}, {{"hardware.gpu", 1}}, {"std.storage::nfs_stalled"}, "attributed"});
  v.would_change.push_back({"fabric", {}, {{"fabric.nvswitch", 2}}, {"std.fabric::a", "std.fabric::b"}, "jointly"});
  v.would_change_more = 3;
  v.terminal_state_unknown_before = {"preempted"};
  return v;
}

Verdict UnattributedVerdict() {
  Verdict v = Base();
  v.settled = false;
  v.coverage[1].status = "absent";
  v.coverage[1].reason = "the observation set does not mention it";
  v.coverage[1].observations = 0;
  for (int i = 1; i <= 3; ++i) {
    v.symptoms.push_back(
        Symptom(Finding(kTimeout, "NCCL collective timed out", "n" + std::to_string(i), 1203, "application", kWatchdog),
                "", ""));
  }
  v.symptom_groups = {{kTimeout, "NCCL collective timed out", 3, 3, 3, At(1203), At(1203), {"n1", "n2", "n3"}}};
  v.candidates = {{"fabric", {kTimeout}, {"kernel on n1..n3"}}, {"network", {kTimeout}, {}}};
  v.first_failure = model::FirstFailure{kTimeout, "NCCL collective timed out", At(603), {"n1"}};
  v.unevaluable = {
      {kFault, "NVLink signal-integrity fault", "fabric.nvlink", {{"kernel", {"n1", "n2", "n3"}}}},
      {"std.gpu::gpu_lost", "GPU has fallen off the bus", "hardware.gpu", {{"kernel", {"n1", "n2", "n3"}}}},
      {"std.core::outcome#1", "", "", {{"scheduler", {}}}}};
  v.would_change = {{"kernel",
                     {"n1", "n2", "n3"},
                     {{"fabric.nvlink", 1}, {"hardware.gpu", 1}},
                     {"std.gpu::gpu_lost", kFault},
                     "attributed"},
                    {"kernel", {"n4"}, {{"ambiguous", 2}}, {"std.gpu::gpu_lost", kFault}, "ambiguous"},
                    {"scheduler", {}, {{"terminal state succeeded", 1}}, {"std.core::outcome#1"}, "no_failure"},
                    {"scheduler",
                     {},
                     {{"terminal state cancelled", 1}, {"terminal state evicted", 1}},
                     {"std.core::outcome#2", "std.core::outcome#3"},
                     "unattributed"},
                    {"fabric", {}, {{"terminal state", 2}}, {kFault, "std.core::outcome#4"}, "jointly"}};
  v.limits = {{"std.host::big_join", "candidate pairs", 3'100'000'000, 100'000'000}};
  v.warnings = {"3 observations have an unreadable time"};
  return v;
}

Verdict SucceededVerdict() {
  Verdict v = Base();
  v.status = VerdictStatus::kNoFailure;
  v.terminal_state = "succeeded";
  v.notable.push_back(
      Cause(Finding(kFault, "NVLink signal-integrity fault", "n1", 602, "kernel", kXid), {"fabric.nvlink"}, {"drain"}));
  return v;
}

Verdict LargeVerdict() {
  Verdict v = Base();
  v.status = VerdictStatus::kAttributed;
  v.domain = "network";
  for (int i = 1; i <= 512; ++i) {
    std::string node = "gpu-" + std::to_string(1000 + i);
    v.causes.push_back(
        Cause(Finding("site::port_lost", "InfiniBand-Port verloren: 端口丢失 \x1b[31mrot\xE2\x80\xAE", node, 602,
                      "kernel", "mlx5_core: \xff\xfe port\tdown\nsecond line \x07 " + std::string(300, 'x')),
              {"network.ib", "network.roce"}, {"drain"}));
    v.causes.back().finding.evidence_total = 40;
    v.affected_nodes.push_back({node, {"site::port_lost"}});
  }
  model::SymptomGroup group{kTimeout, "NCCL collective timed out", 4096, 9000, 0, At(1203), At(1207), {}};
  for (uint32_t i = 0; i < 9; ++i) {
    v.symptoms.push_back(
        Symptom(Finding(kTimeout, "NCCL collective timed out", "n" + std::to_string(i), 1203, "application", kWatchdog),
                "site::port_lost", ""));
    v.causes[0].explains.push_back(i);
    v.causes[1].explains.push_back(i);
  }
  for (int i = 0; i < 4096; ++i) group.nodes.push_back("n" + std::to_string(i));
  v.causes[0].explains_total = v.causes[1].explains_total = {{kTimeout, 4096}};
  v.symptom_groups = {group};
  return v;
}

}  // namespace attr::report
