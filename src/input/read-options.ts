import type { TimeZone } from '../wire/time/time-zone.js'
import type { Format } from './format.js'
import type { CsvDialect } from './framing.js'
import type { LineFormat } from './log/format/line-format.js'
import type { Multiline } from './log/text.js'
import type { TextLayout } from './log/text-layout.js'
import type { MappingOptions } from './mapping/detect-mapping.js'
import type { EventMapping } from './mapping/event-mapping.js'

export interface ReadOptions extends MappingOptions {
  readonly format?: Format | 'auto'
  readonly csv?: CsvDialect
  /** The zone of times in lines that do not name a zone; UTC by default. */
  readonly zone?: TimeZone
  /** The year of the first time in lines without a year; by default the latest possible year. */
  readonly year?: number
  /** False when another field was named as the event time, so that no field becomes `_time`. */
  readonly findsTime?: boolean
  /** The mapping that an earlier run has detected, to be used in place of detection. */
  readonly mapping?: EventMapping
  /** The format of the times of lines, if the user gave one. */
  readonly timeFormat?: RegExp
  /** The layout of lines of text that an earlier run has detected. */
  readonly layout?: TextLayout | undefined
  /** Saved formats of lines, which take part in detection. */
  readonly formats?: readonly LineFormat[] | undefined
  /** The format of lines that the user named. */
  readonly lineFormat?: LineFormat | undefined
  readonly multiline?: Multiline | undefined
  /** The path of the array of events in a JSON document, or `none` if the document is an event; detected by default. */
  readonly records?: string | undefined
  /** True to reject lines of NDJSON that are not objects, which are messages otherwise. */
  readonly isStrict?: boolean
  /** True to add the fields `_file`, `_line` and `_offset` to each event. */
  readonly hasSourceFields?: boolean
}
