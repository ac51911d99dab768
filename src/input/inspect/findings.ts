import type { LineFault } from '../../wire/json/json-line.js'

/** A location and what is wrong there. */
interface Finding {
  readonly at: string
  readonly reason: string
}

/** A kind of problem. */
export type FindingKind =
  | LineFault
  | 'not-a-row'
  | 'csv-header'
  | 'repeated-key'
  | 'rounded'
  | 'unsendable'
  | 'value-too-long'
  | 'name-too-long'

export interface FindingsByKind {
  readonly kind: FindingKind
  readonly events: number
  readonly first: readonly Finding[]
}

/** The most findings listed per kind; the rest are only counted. */
const MAX_KEPT = 10

/** Findings grouped by kind. */
export class Findings {
  private readonly kinds = new Map<FindingKind, { events: number; readonly first: Finding[] }>()

  /** Records a finding about `events` events. */
  add(kind: FindingKind, finding: Finding, events = 1): void {
    const known = this.kinds.get(kind) ?? { events: 0, first: [] }
    known.events += events
    if (known.first.length < MAX_KEPT) known.first.push(finding)
    this.kinds.set(kind, known)
  }

  list(): readonly FindingsByKind[] {
    return Array.from(this.kinds, ([kind, { events, first }]) => ({ kind, events, first }))
  }
}
