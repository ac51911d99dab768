/** Where something stands and what is wrong there. */
interface Finding {
  readonly at: string
  readonly reason: string
}

/** Findings of one kind, counted. */
export interface FindingsByKind {
  readonly kind: string
  /** How many there are. */
  readonly events: number
  /** The first of them. */
  readonly first: readonly Finding[]
}

/** So many of each kind are shown one by one; the others are counted. */
const MOST_KEPT = 10

/** What was found wrong with events, by kind. */
export class Findings {
  private readonly kinds = new Map<string, { events: number; readonly first: Finding[] }>()

  /** Takes in a finding that stands for so many events. */
  add(kind: string, finding: Finding, events = 1): void {
    const known = this.kinds.get(kind) ?? { events: 0, first: [] }
    known.events += events
    if (known.first.length < MOST_KEPT) known.first.push(finding)
    this.kinds.set(kind, known)
  }

  list(): readonly FindingsByKind[] {
    return Array.from(this.kinds, ([kind, { events, first }]) => ({ kind, events, first }))
  }
}
