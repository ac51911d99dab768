import { setImmediate } from 'node:timers/promises'

/** Work in steps of a few milliseconds. */
export type Steps<Result> = Generator<undefined, Result>

/** Does all steps at once. */
export function runToEnd<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Does the steps, and lets other work of the process run between two of them. */
export async function runInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await setImmediate()
  }
}
