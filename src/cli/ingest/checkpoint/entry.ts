import type { Position } from '../../../input/batch.js'
import type { Fingerprint } from '../../../input/fingerprint.js'
import type { DetectedFormat } from '../../../input/format.js'
import type { EventTimeText } from '../../../input/log/event-text.js'
import type { TextLayout } from '../../../input/log/text-layout.js'
import type { EventMapping } from '../../../input/mapping/event-mapping.js'
import type { FileIdentity } from '../../../input/open.js'
import { parseJson } from '../../../wire/json/json-object.js'
import type { EncodedIds } from './batch-ids.js'

/** A line of a checkpoint: an event in the history of an input. */
export type Entry =
  | Head
  | Beginning
  | Sending
  /** No event of a batch was stored. */
  | { readonly kind: 'unsent'; readonly id: string }
  | Settled
  /** An event that can't be sent was reported and skipped. */
  | { readonly kind: 'unsendable'; readonly offset: number }
  | InputEndEntry
  | Totals
  /** A part of a batch is about to be sent again under this id. */
  | { readonly kind: 'part'; readonly id: string }
  /** The batches of all earlier entries, which may be stored. */
  | { readonly kind: 'sent'; readonly ids: EncodedIds }
  /** The input replaces its stored events: nothing is sent before these batches are removed. `removed` counts removed events. */
  | { readonly kind: 'replace'; readonly ids: EncodedIds; readonly removed: number }
  /** The batches to remove were removed. */
  | { readonly kind: 'removed'; readonly events: number }

/** The subject of a checkpoint, and the options that determine the events. */
export interface Head {
  readonly kind: 'checkpoint'
  readonly version: 1
  readonly deployment: string
  readonly dataset: string
  readonly input: string
  /** Set in a copy of the checkpoint that is kept when another file takes the name of the input. */
  readonly file?: FileIdentity
  /** The options that determine the events, by flag. */
  readonly options: Readonly<Record<string, unknown>>
}

export interface Beginning extends Fingerprint {
  readonly kind: 'beginning'
  readonly format: DetectedFormat
  readonly layout?: TextLayout
  /** The fields with the time and the level. */
  readonly mapping?: EventMapping
  /** Identifies the file after it was renamed. */
  readonly file?: FileIdentity
}

/** A batch is about to be sent and may be stored from now on. */
export interface Sending extends Position {
  readonly kind: 'sending'
  readonly id: string
  readonly bytes: number
  readonly lines: number
  readonly events: number
  /** The time of the last event of a log. */
  readonly lastTime?: EventTimeText | undefined
}

/** A batch need not be sent again. */
export interface Settled {
  readonly kind: 'settled'
  readonly id: string
  readonly accepted: number
  readonly rejected: number
  /** The position of the last event, if it was rejected: it may have been incomplete. */
  readonly rejectedLast?: Position
}

export interface InputEndEntry extends Position {
  readonly kind: 'end'
  /** The position of the last record, if it was not an event: it may have been incomplete. */
  readonly unsendable?: Position
}

/** The totals of all earlier entries. */
interface Totals {
  readonly kind: 'before'
  readonly next: Position
  readonly bytes: number
  /** The outcomes of the events in settled batches. */
  readonly accepted: number
  readonly rejected: number
  readonly rejectedLast?: Position | undefined
}

/**
 * Parses the entries of a checkpoint; returns `undefined` when the text is not a checkpoint of evq. A line that was not written
 * completely is ignored: a batch is sent, or counts as settled, only after its line was written.
 */
export function parseEntries(text: string): readonly Entry[] | undefined {
  const entries = text
    .split('\n')
    .flatMap((line) => (parseJson(line) as Entry | null | undefined) ?? [])
  const [first] = entries
  return first?.kind === 'checkpoint' && first.version === 1 ? entries : undefined
}
