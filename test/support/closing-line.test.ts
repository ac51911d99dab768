import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from './temporary.js'

const root = join(import.meta.dirname, '../..')
const scratch = temporaryDirectory()
let runs = 0

interface Run {
  readonly status: number | null
  readonly lines: readonly string[]
}

/** Runs the tests in one file with the reporters of the suite. */
function running(text: string, ...flags: readonly string[]): Promise<Run> {
  const directory = join(scratch, `${++runs}`)
  mkdirSync(directory)
  const reporter = JSON.stringify(join(import.meta.dirname, 'closing-line.js'))
  const needs = JSON.stringify(join(import.meta.dirname, 'needs.js'))
  writeFileSync(join(directory, 'some.test.js'), `import { needs } from ${needs}\n${text}\n`)
  writeFileSync(
    join(directory, 'config.ts'),
    `import { ClosingLine } from ${reporter}
export default { test: { root: ${JSON.stringify(directory)}, globals: true, reporters: ['default', new ClosingLine()] } }`,
  )
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--config', join(directory, 'config.ts'), ...flags]
  return runOf(process.execPath, args, process.env.PATH ?? '')
}

async function runOf(program: string, args: readonly string[], path: string): Promise<Run> {
  const env = { ...process.env, PATH: path, EVQ_CLOSING_LINE: '', FORCE_COLOR: '1' }
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const [stdout, [status]] = await Promise.all([textOf(child.stdout), once(child, 'exit')])
  return { status, lines: stdout.replace(/\n$/, '').split('\n') }
}

describe('the last line of a run', () => {
  it('counts tests, alone and without colours, below the reason of each skipped one', async () => {
    const { status, lines } = await running(`
      it('passes', () => {})
      describe('a suite', needs(false, 'a terminal'), () => {
        it('draws', () => {})
        it.each([1, 2])('draws %i', () => {})
      })
      it('reads', needs(false, 'jq'), () => {})
      it('writes', needs(true, 'python3'), () => {})
      it('runs', ({ skip }) => skip('there is no time'))
      it.skip('walks', () => {})
    `)
    expect(status).toBe(0)
    expect(lines.slice(-7)).toEqual([
      'skipped: some.test.js > a suite > draws: needs a terminal',
      'skipped: some.test.js > a suite > draws 1: needs a terminal',
      'skipped: some.test.js > a suite > draws 2: needs a terminal',
      'skipped: some.test.js > reads: needs jq',
      'skipped: some.test.js > runs: there is no time',
      'skipped: some.test.js > walks: no reason given',
      '2 passed, 0 failed, 6 skipped',
    ])
  })

  it('counts and names tests that fail', async () => {
    const { status, lines } = await running(`
      it('passes', () => {})
      describe('a suite', () => it('fails', () => expect(1).toBe(2)))
    `)
    expect([status, ...lines.slice(-2)]).toEqual([
      1,
      'failed: some.test.js > a suite > fails: expected 1 to be 2 // Object.is equality',
      '1 passed, 1 failed, 0 skipped',
    ])
  })

  it.each([
    ['a module that cannot be imported', `import './missing.js'`, '0 passed, 1 failed, 0 skipped'],
    [
      'a hook before tests',
      `beforeAll(() => { throw new Error('no') }); it('is never run', () => {})`,
      '0 passed, 1 failed, 1 skipped',
    ],
    [
      'a hook after tests',
      `describe('a suite', () => { afterAll(() => { throw new Error('no') }); it('passes', () => {}) })`,
      '1 passed, 1 failed, 0 skipped',
    ],
    [
      'a promise that nobody handles',
      `it('passes', () => { Promise.reject(new Error('no')) })`,
      '1 passed, 1 failed, 0 skipped',
    ],
    [
      'a process that is killed during its tests',
      `it('ends', () => process.kill(process.pid, 'SIGKILL'))`,
      expect.stringMatching(/^0 passed, [12] failed, 0 skipped$/),
    ],
  ])('counts as a failure: %s', async (_, text, expected) => {
    const { status, lines } = await running(text)
    expect([status, lines.at(-1)]).toEqual([1, expected])
  })

  it('counts a failure when there are no tests', async () => {
    const { status, lines } = await running(`it('passes', () => {})`, 'another-file')
    expect([status, lines.at(-1)]).toEqual([1, '0 passed, 1 failed, 0 skipped'])
  })
})

describe('.ci/run', () => {
  /** Runs it with a script in the place of npm. */
  function gate(npm: string): Promise<Run> {
    const directory = join(scratch, `${++runs}`)
    mkdirSync(directory)
    writeFileSync(join(directory, 'npm'), `#!/bin/sh\n${npm}\n`)
    chmodSync(join(directory, 'npm'), 0o755)
    return runOf(join(root, '.ci/run'), [], `${directory}:${process.env.PATH}`)
  }

  it('ends with the sum of both stages, whatever is printed after their tests', async () => {
    const npm = `echo "npm $*"
case $2 in
  test) echo '5 passed, 0 failed, 2 skipped' ;;
  test:system) echo '30 passed, 0 failed, 40 skipped' ;;
esac >"$EVQ_CLOSING_LINE"`
    expect(await gate(npm)).toEqual({
      status: 0,
      lines: ['npm run test', 'npm run test:system', '35 passed, 0 failed, 42 skipped'],
    })
  })

  it('runs the second stage and fails when a test of the first fails', async () => {
    const npm = `printf '%s\\n' '5 passed, 1 failed, 2 skipped' "failed: $2" >"$EVQ_CLOSING_LINE"
[ $2 = test:system ]`
    expect(await gate(npm)).toEqual({
      status: 1,
      lines: ['failed: test', 'failed: test:system', '10 passed, 2 failed, 4 skipped'],
    })
  })

  it('fails when a test of the second stage fails', async () => {
    const npm = `echo '5 passed, 1 failed, 2 skipped' >"$EVQ_CLOSING_LINE"; [ $2 = test ]`
    expect(await gate(npm)).toEqual({ status: 1, lines: ['10 passed, 2 failed, 4 skipped'] })
  })

  it('counts a failure for a stage that ends before its tests do', async () => {
    const npm = `[ $2 = test ] && exit 2; echo '5 passed, 0 failed, 1 skipped' >"$EVQ_CLOSING_LINE"`
    expect(await gate(npm)).toEqual({ status: 2, lines: ['5 passed, 1 failed, 1 skipped'] })
    expect(await gate('exit 3')).toEqual({ status: 3, lines: ['0 passed, 2 failed, 0 skipped'] })
  })
})
