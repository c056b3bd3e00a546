// A bare execution session with one library and JITLink. LLJIT would add process
// symbols, a platform and a compile layer, none of which cached code needs.
#include "runtime/jit/linker.h"

#include <mutex>

#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/TaskDispatch.h>
#include <llvm/Support/MemoryBuffer.h>

#include "runtime/jit/target.h"

namespace attr::jit {

struct LinkedCode::Session {
  std::string object;  // the linker reads it in place
  std::string errors;  // what ORC reports beside its results
  std::unique_ptr<llvm::orc::ExecutionSession> session;
  std::unique_ptr<llvm::orc::ObjectLinkingLayer> layer;

  ~Session() {
    if (session != nullptr) llvm::consumeError(session->endSession());
    layer.reset();
  }
};

LinkedCode::LinkedCode() = default;
LinkedCode::~LinkedCode() = default;

Result<std::unique_ptr<LinkedCode>> LinkedCode::Link(std::string object, const std::vector<std::string>& symbols) {
  using namespace llvm::orc;  // NOLINT: this function speaks ORC
  std::unique_ptr<LinkedCode> code(new LinkedCode);
  code->session_ = std::make_unique<Session>();
  Session& s = *code->session_;
  s.object = std::move(object);
  auto control = SelfExecutorProcessControl::Create(nullptr, std::make_unique<InPlaceTaskDispatcher>());
  if (!control) return FromLlvm(control.takeError(), "session");
  s.session = std::make_unique<ExecutionSession>(std::move(*control));
  s.session->setErrorReporter([&s](llvm::Error error) { s.errors += llvm::toString(std::move(error)); });
  s.layer = std::make_unique<ObjectLinkingLayer>(*s.session, s.session->getExecutorProcessControl().getMemMgr());
  JITDylib& library = s.session->createBareJITDylib("attr");
  auto buffer = llvm::MemoryBuffer::getMemBuffer(s.object, "attr", /*RequiresNullTerminator=*/false);
  if (auto error = s.layer->add(library, std::move(buffer))) return FromLlvm(std::move(error), "object");
  SymbolLookupSet wanted;
  std::vector<SymbolStringPtr> names;
  for (const std::string& symbol : symbols) {
    names.push_back(s.session->intern(symbol));
    wanted.add(names.back());
  }
  wanted.removeDuplicates();
  auto found =
      s.session->lookup(makeJITDylibSearchOrder(&library, JITDylibLookupFlags::MatchAllSymbols), std::move(wanted));
  if (!found) {
    Error error = FromLlvm(found.takeError(), "linking");
    if (!s.errors.empty()) error.message += " (" + s.errors + ")";
    return error;
  }
  for (const SymbolStringPtr& name : names) {
    code->addresses_.push_back(static_cast<uintptr_t>(found->find(name)->second.getAddress().getValue()));
  }
  return code;
}

}  // namespace attr::jit
