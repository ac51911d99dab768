import pLimit, { type LimitFunction } from 'p-limit'

/** Lends a limited number of things, each to one user at a time; made when first needed. */
export class SessionPool<Thing extends object> {
  private readonly idle: Thing[] = []
  private readonly limit: LimitFunction
  private readonly make: () => Promise<Thing>
  private closed: Error | undefined

  constructor(size: number, make: () => Promise<Thing>) {
    this.limit = pLimit({ concurrency: size, rejectOnClear: true })
    this.make = make
  }

  async use<Result>(work: (thing: Thing) => Promise<Result>): Promise<Result> {
    if (this.closed !== undefined) throw this.closed
    let hasBegun = false
    try {
      return await this.limit(async () => {
        hasBegun = true
        const thing = this.idle.shift() ?? (await this.make())
        try {
          return await work(thing)
        } finally {
          this.idle.push(thing)
        }
      })
    } catch (error) {
      throw hasBegun ? error : (this.closed ?? error)
    }
  }

  /** Rejects all that wait or come later with this error. */
  close(error: Error): void {
    this.closed = error
    this.limit.clearQueue()
  }
}
