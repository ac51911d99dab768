import pLimit, { type LimitFunction } from 'p-limit'

/** A pool of sessions, each used by one caller at a time and created on demand. */
export class SessionPool<Session extends object> {
  private readonly idle: Session[] = []
  private readonly limit: LimitFunction
  private readonly make: () => Promise<Session>
  private closed: Error | undefined

  constructor(size: number, make: () => Promise<Session>) {
    this.limit = pLimit({ concurrency: size, rejectOnClear: true })
    this.make = make
  }

  async use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    if (this.closed !== undefined) throw this.closed
    let hasBegun = false
    try {
      return await this.limit(async () => {
        hasBegun = true
        const session = this.idle.shift() ?? (await this.make())
        try {
          return await work(session)
        } finally {
          this.idle.push(session)
        }
      })
    } catch (error) {
      throw hasBegun ? error : (this.closed ?? error)
    }
  }

  /** Lends a session until `release` is called. */
  acquire(): Promise<{ readonly session: Session; release(): void }> {
    return new Promise((resolve, reject) => {
      const acquired = this.use(
        (session) => new Promise<void>((release) => resolve({ session, release })),
      )
      acquired.catch(reject)
    })
  }

  /** Rejects all waiting and later calls with an error. */
  close(error: Error): void {
    this.closed = error
    this.limit.clearQueue()
  }
}
