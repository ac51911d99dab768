import type { Family, Labels, Sample } from './text.js'

interface Named {
  readonly name: string
  readonly help: string
}

/** A number that only grows, for each set of labels that was seen. */
export class Counter {
  private readonly named: Named
  private readonly values = new Map<string, { readonly labels: Labels; value: number }>()

  constructor(named: Named) {
    this.named = named
  }

  add(amount: number, labels: Labels = {}): void {
    const key = JSON.stringify(labels)
    const entry = this.values.get(key)
    if (entry === undefined) this.values.set(key, { labels, value: amount })
    else entry.value += amount
  }

  family(): Family {
    return { ...this.named, type: 'counter', samples: [...this.values.values()] }
  }
}

interface Observed {
  readonly labels: Labels
  /** How many fell below each bound and above the one before it. */
  readonly counts: number[]
  sum: number
}

/** How often values fell below each of some bounds, for each set of labels that was seen. */
export class Histogram {
  private readonly named: Named & { readonly bounds: readonly number[] }
  private readonly observed = new Map<string, Observed>()

  constructor(named: Named & { readonly bounds: readonly number[] }) {
    this.named = named
  }

  observe(value: number, labels: Labels): void {
    const { bounds } = this.named
    const key = JSON.stringify(labels)
    const entry = this.observed.get(key) ?? {
      labels,
      counts: Array<number>(bounds.length + 1).fill(0),
      sum: 0,
    }
    this.observed.set(key, entry)
    const bucket = bounds.findIndex((bound) => value <= bound)
    entry.counts[bucket === -1 ? bounds.length : bucket]! += 1
    entry.sum += value
  }

  family(): Family {
    const { name, help } = this.named
    const samples = [...this.observed.values()].flatMap((entry) => this.samples(entry))
    return { name, help, type: 'histogram', samples }
  }

  private samples({ labels, counts, sum }: Observed): readonly Sample[] {
    let below = 0
    const buckets = counts.map((count, i) => {
      below += count
      const le = String(this.named.bounds[i] ?? '+Inf')
      return { suffix: '_bucket', labels: { ...labels, le }, value: below }
    })
    return [
      ...buckets,
      { suffix: '_sum', labels, value: sum },
      { suffix: '_count', labels, value: below },
    ]
  }
}
