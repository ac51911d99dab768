import type { Position } from '../../../../input/batch.js'
import type { Fingerprint } from '../../../../input/fingerprint.js'
import type { DetectedFormat } from '../../../../input/format.js'
import type { FileIdentity } from '../../../../input/open.js'

/** A line of a checkpoint: something that has happened, and stays so. */
export type Entry = Head | Beginning | Sending | Unsent | Settled | Unsendable | Ended | Before

/** What a checkpoint is about, and what would store other events from the same bytes. */
export interface Head {
  readonly kind: 'checkpoint'
  readonly version: 1
  readonly deployment: string
  readonly dataset: string
  readonly input: string
  /** The options that decide what becomes of the bytes, as they stood on the command line. */
  readonly options: Readonly<Record<string, unknown>>
}

/** How the input begins, as far as it was read. */
export interface Beginning extends Fingerprint {
  readonly kind: 'beginning'
  readonly format: DetectedFormat
  /** A file that was renamed is found by it. */
  readonly file?: FileIdentity
}

/** A batch is about to be sent, and may arrive from now on. */
export interface Sending extends Position {
  readonly kind: 'sending'
  readonly id: string
  readonly bytes: number
  readonly lines: number
  readonly events: number
}

/** A batch has come back: surely nothing of it is stored. */
export interface Unsent {
  readonly kind: 'unsent'
  readonly id: string
}

/** A batch needs not be sent again. */
export interface Settled {
  readonly kind: 'settled'
  readonly id: string
  readonly accepted: number
  readonly rejected: number
  /** Where its last event begins, when that one was rejected: perhaps it was not written to its end. */
  readonly rejectedLast?: Position
}

/** An event that can't be sent was passed over, and told of. */
export interface Unsendable {
  readonly kind: 'unsendable'
  readonly offset: number
}

/** The input was read to its end. */
export interface Ended extends Position {
  readonly kind: 'end'
  /** Where the last record begins, when it was no event: perhaps it was not written to its end. */
  readonly misfit?: Position
}

/** Everything before that is settled, in sum. */
export interface Before {
  readonly kind: 'before'
  readonly next: Position
  /** Of the batches that are settled, */
  readonly bytes: number
  /** and what became of their events. */
  readonly accepted: number
  readonly rejected: number
  readonly batches: number
  readonly rejectedLast?: Position | undefined
}

const KINDS: Readonly<Record<Entry['kind'], true>> = {
  checkpoint: true,
  beginning: true,
  sending: true,
  unsent: true,
  settled: true,
  unsendable: true,
  end: true,
  before: true,
}

/**
 * The entries of a checkpoint; undefined when it is none of evq's. A line that was cut off tells of nothing
 * that has happened: a batch goes out, or counts as settled, only when its line is whole.
 */
export function parseEntries(text: string): readonly Entry[] | undefined {
  const lines = text.split('\n').slice(0, -1)
  const entries = lines.flatMap((line) => parseEntry(line) ?? [])
  const [first] = entries
  if (lines.length === 0) return text === '' ? [] : undefined
  return first?.kind === 'checkpoint' && first.version === 1 ? entries : undefined
}

function parseEntry(line: string): Entry | undefined {
  try {
    const value = JSON.parse(line) as Entry | null
    return value !== null && Object.hasOwn(KINDS, value.kind) ? value : undefined
  } catch {
    return undefined
  }
}
