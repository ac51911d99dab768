import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one line without colours, for programs that read logs: `tests: 5193 passed, 0 failed, 3 skipped`. */
export const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules)
      for (const test of module.children.allTests()) count[test.result().state] += 1
    // After the summary of the default reporter, which writes when this hook has run for it.
    process.once('exit', () => {
      process.stdout.write(
        `tests: ${count.passed} passed, ${count.failed + count.pending} failed, ${count.skipped} skipped\n`,
      )
    })
  },
}
