import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
import type {} from './needs.js'

/**
 * Ends a run with a line for each test that was skipped or failed that says why, and one line for programs that read
 * logs, without colours: `5193 passed, 0 failed, 3 skipped`.
 *
 * Counts as failures, besides tests: tests that never ended, modules that cannot be imported, suites whose hooks fail and
 * errors outside of tests. A run that fails for any other reason has one failure at least. When `EVQ_CLOSING_LINE` names a
 * file, the closing line is written there instead, and then the lines of failures, for `.ci/run` to print when npm is done.
 */
export class ClosingLine implements Reporter {
  private isFiltered = false

  onInit(vitest: Vitest): void {
    this.isFiltered = vitest.config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    const skipped: string[] = []
    const failures: string[] = []
    const fail = (place: string, [error]: readonly SerializedError[]) => {
      const [message] = stripVTControlCharacters(error?.message ?? 'it did not end').split('\n')
      failures.push(`failed: ${place}: ${message}\n`)
    }
    for (const error of unhandled) fail('outside of tests', [error])
    for (const module of modules) {
      const place = module.relativeModuleId
      for (const suite of [module, ...module.children.allSuites()])
        if (suite.errors().length > 0)
          fail(suite.type === 'module' ? place : `${place} > ${suite.fullName}`, suite.errors())
      for (const test of module.children.allTests()) {
        const { state, errors = [] } = test.result()
        count[state] += 1
        if (state === 'failed' || state === 'pending') fail(`${place} > ${test.fullName}`, errors)
        else if (state === 'skipped' && !this.isFiltered)
          skipped.push(`skipped: ${place} > ${test.fullName}: ${reason(test)}\n`)
      }
    }
    // After the summary of the default reporter, which writes when this hook has run for it.
    process.once('exit', (code) => {
      const failed = Math.max(failures.length, code === 0 ? 0 : 1)
      const line = `${count.passed} passed, ${failed} failed, ${count.skipped} skipped\n`
      process.stdout.write(skipped.join(''))
      if (process.env.EVQ_CLOSING_LINE)
        writeFileSync(process.env.EVQ_CLOSING_LINE, line + failures.join(''))
      else process.stdout.write(failures.join('') + line)
    })
  }
}

function reason(test: TestCase): string {
  const result = test.result()
  const skipReason =
    (result.state === 'skipped' ? result.note : undefined) ?? test.meta().skipReason
  if (skipReason !== undefined) return skipReason
  for (let { parent } = test as { parent: TestCase['parent'] }; ; { parent } = parent)
    if (parent.errors().length > 0) return 'its module or suite failed'
    else if (parent.type === 'module') return 'no reason given'
}
