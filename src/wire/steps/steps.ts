// Work in steps that take a fraction of a millisecond each. Between two of them, other work of the process may run.
import { setImmediate } from 'node:timers/promises'

/** A computation in steps. */
export type Steps<Result> = Generator<undefined, Result>

/** The time after which a computation lets other work run. Several computations may each take a turn before that. */
const TURN_MS = 5

/** Limits the time for which a computation blocks other work. */
export class Turn {
  private endsAt = performance.now() + TURN_MS

  get isOver(): boolean {
    return performance.now() >= this.endsAt
  }

  async next(): Promise<void> {
    await setImmediate()
    this.endsAt = performance.now() + TURN_MS
  }
}

/** Runs all steps without interruption. */
export function runToEnd<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Runs the steps in turns with other work. Consecutive computations share a `turn`. */
export async function runInTurns<Result>(steps: Steps<Result>, turn = new Turn()): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (turn.isOver) await turn.next()
  }
}
