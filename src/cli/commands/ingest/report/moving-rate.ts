/** How fast something grows lately, and not since its beginning: a slow start or a pause is forgotten. */
export class MovingRate {
  private readonly windowMs: number
  private readonly samples: { readonly at: number; readonly amount: number }[] = []

  constructor(windowMs: number) {
    this.windowMs = windowMs
  }

  /** Notes an amount at a time in milliseconds; neither ever goes back. */
  add(at: number, amount: number): void {
    this.samples.push({ at, amount })
    // One sample older than the window stays, or a window would begin at the first news in it.
    while (this.samples.length > 2 && this.samples[1]!.at <= at - this.windowMs)
      this.samples.shift()
  }

  /** A second; undefined while too little time has passed to tell. */
  perSecond(): number | undefined {
    const first = this.samples[0]
    const last = this.samples.at(-1)
    if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return undefined
    return ((last.amount - first.amount) / (last.at - first.at)) * 1000
  }
}

const LEAST_MS = 200
