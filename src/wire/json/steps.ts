import { setImmediate } from 'node:timers/promises'

/** A computation that yields every few milliseconds. */
export type Steps<Result> = Generator<undefined, Result>

/** Runs all steps without interruption. */
export function runToEnd<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Runs the steps and lets other work of the process run in between. */
export async function runInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await setImmediate()
  }
}
