import { setImmediate } from 'node:timers/promises'

/** Work whose runs are shared by its callers: each gets the result of a run that starts after the call. */
export class SharedWork<Result> {
  private readonly work: () => Promise<Result>
  private running: Promise<unknown> | undefined
  private next: Promise<Result> | undefined

  constructor(work: () => Promise<Result>) {
    this.work = work
  }

  run(): Promise<Result> {
    this.next ??= this.start()
    return this.next
  }

  private async start(): Promise<Result> {
    await this.running
    // Callers of the same moment share a run.
    await setImmediate()
    this.next = undefined
    const result = this.work()
    this.running = result.catch(() => {})
    return await result
  }
}
