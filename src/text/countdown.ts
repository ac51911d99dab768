const TURN_MS = 100

/**
 * A timer of the time in which this process runs. It does not count the time in which the process was stopped, its machine was
 * suspended, or other work held the event loop: input that arrived meanwhile is handled before the countdown ends.
 */
export class Countdown {
  private leftMs: number
  private readonly onEnd: (() => void) | undefined
  private timer: NodeJS.Timeout | undefined
  private isStopped = false

  /** `onEnd` is called unless the countdown is stopped before. A countdown does not keep the process running. */
  constructor(ms: number, onEnd?: () => void) {
    this.leftMs = ms
    this.onEnd = onEnd
    this.startTurn()
  }

  get isOver(): boolean {
    return this.leftMs <= 0
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.timer)
  }

  private startTurn(): void {
    const turnMs = Math.min(TURN_MS, this.leftMs)
    // Node reads input after timers and before immediates. It would wait for input before an immediate with `unref`.
    this.timer = setTimeout(() => setImmediate(() => this.endTurn(turnMs)), turnMs).unref()
  }

  private endTurn(turnMs: number): void {
    if (this.isStopped) return
    this.leftMs -= turnMs
    if (this.leftMs > 0) this.startTurn()
    else this.onEnd?.()
  }
}
