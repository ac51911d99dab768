/** Lends a limited number of things, each to one user at a time; made when first needed. */
export class Pool<Thing extends object> {
  private readonly idle: Thing[] = []
  private readonly waiting: { resolve(thing: Thing): void; reject(error: Error): void }[] = []
  private readonly size: number
  private readonly make: () => Promise<Thing>
  private made = 0
  private closed: Error | undefined

  constructor(size: number, make: () => Promise<Thing>) {
    this.size = size
    this.make = make
  }

  async use<Result>(work: (thing: Thing) => Promise<Result>): Promise<Result> {
    const thing = await this.take()
    try {
      return await work(thing)
    } finally {
      this.give(thing)
    }
  }

  /** Refuses everybody who waits or comes later, with this error. */
  close(error: Error): void {
    this.closed = error
    for (const { reject } of this.waiting.splice(0)) reject(error)
  }

  private async take(): Promise<Thing> {
    if (this.closed !== undefined) throw this.closed
    const [thing] = this.idle
    if (thing !== undefined) {
      this.idle.shift()
      return thing
    }
    if (this.made >= this.size) {
      return await new Promise((resolve, reject) => this.waiting.push({ resolve, reject }))
    }
    return await this.makeOne()
  }

  private async makeOne(): Promise<Thing> {
    this.made++
    try {
      return await this.make()
    } catch (error) {
      this.made--
      // The slot that is free again belongs to the first that waits: nobody may give a thing back.
      const next = this.waiting.shift()
      if (next !== undefined) this.makeOne().then(next.resolve, next.reject)
      throw error
    }
  }

  private give(thing: Thing): void {
    const next = this.waiting.shift()
    if (next === undefined) this.idle.push(thing)
    else next.resolve(thing)
  }
}
