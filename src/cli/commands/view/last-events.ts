// The last events of files. More of them may be written: the rest of a line, or further lines of an event. Each is stored as a
// batch of its own, which is replaced when its file has grown.
import type { Batch, Position, UnsendableEvent } from '../../../input/batch.js'
import type { Reporter } from '../../ingest/report/reporter.js'
import type { BatchOutcome } from '../../ingest/send/outcome.js'
import { Unread } from '../query/input/unread.js'

export interface LastEvent {
  readonly input: string
  readonly batchId: string
  readonly start: Position
  /** Its length in the file. */
  readonly bytes: number
}

interface Reported extends LastEvent {
  readonly unread: Unread
}

/** Counts the events that were read from files and not replaced later. */
export class LastEvents implements Reporter {
  replaced = 0
  /** False while no time was found in the events that were read, so that their times are times of arrival. */
  hasTimes = false
  /** Receives the outcomes of all other events. */
  readonly others: Unread
  private readonly byInput = new Map<string, Reported>()

  constructor(others: Unread) {
    this.others = others
  }

  /** Notes the last event of a file. Returns the id of its batch; undefined for other batches. */
  noted({ isTail, input, start, bytes }: Batch): string | undefined {
    if (!isTail) return undefined
    const batchId = `last event of ${input}`
    this.byInput.set(input, { input, batchId, start, bytes, unread: new Unread() })
    return batchId
  }

  /** Returns the last event of a file; undefined when it is complete. */
  of(input: string): LastEvent | undefined {
    return this.byInput.get(input)
  }

  /** Forgets the last event of a file, which a longer one replaces. */
  forget(input: string): void {
    if (this.byInput.delete(input)) this.replaced += 1
  }

  async settled(outcome: BatchOutcome): Promise<void> {
    const { batchId, batch } = outcome
    // Only logs are known to have no times.
    if (batch.lineTime === undefined || batch.lineTime.kind === 'found') this.hasTimes = true
    const last = this.byInput.get(batch.input)
    await (last?.batchId === batchId ? last.unread : this.others).settled(outcome)
  }

  async unsendable(event: UnsendableEvent): Promise<void> {
    await this.others.unsendable(event)
  }

  get events(): number {
    return this.all.reduce((sum, { events }) => sum + events, 0)
  }

  /** The first problem; undefined when everything was read. */
  get trouble(): string | undefined {
    const problems: string[] = []
    for (const unread of this.all) unread.report({ warn: (text) => void problems.push(text) })
    return problems[0]
  }

  private get all(): readonly Unread[] {
    return [this.others, ...[...this.byInput.values()].map(({ unread }) => unread)]
  }
}
