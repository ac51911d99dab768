import { afterEach, onTestFailed, type TestContext, TestRunner } from 'vitest'

/** The facts that a person needs about a run of the program when a test fails. */
export interface ShownRun {
  readonly command: string
  /** The exit code, or the signal that ended it; undefined while it runs. */
  readonly end: string | number | undefined
  readonly stdout: string
  readonly stderr: string
}

const MOST_CHARACTERS = 4_000
/** Of an error with all its runs. */
const LONGEST_ERROR = 40_000

/** The runs that hooks of a file started. */
const ofHooks: (() => ShownRun)[] = []

/** Adds a run of the program to the error of the test that starts it, or to those of all tests when a hook starts it; the latest comes first. */
export function showOnFailure(run: () => ShownRun): void {
  if (TestRunner.getCurrentTest() === undefined) ofHooks.push(run)
  else onTestFailed((context) => show(run(), context))
}

afterEach((context) => {
  if (context.task.result?.state !== 'fail') return
  for (const run of ofHooks) show(run(), context)
})

function show({ command, end, ...output }: ShownRun, { task }: TestContext): void {
  const [error] = task.result?.errors ?? []
  if (error === undefined || error.message.length > LONGEST_ERROR) return
  error.message += `\n\n$ ${command}\n${end === undefined ? 'still running' : `exit ${end}`}`
  for (const [name, text] of Object.entries(output))
    error.message += `\n${name}:${shortened(text.trimEnd())}`
}

function shortened(text: string): string {
  if (text === '') return ' empty'
  const half = MOST_CHARACTERS / 2
  const left = text.length - MOST_CHARACTERS
  return left <= 0
    ? `\n${text}`
    : `\n${text.slice(0, half)}\n(${left} characters)\n${text.slice(-half)}`
}
