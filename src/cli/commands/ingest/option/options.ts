import type { Format } from '../../../../input/format.js'
import type { MostErrors } from '../send/error-limit.js'

/** What `evq ingest` is asked for, as its flags say it. */
export interface IngestOptions {
  readonly dataset: string
  readonly files: readonly string[]
  readonly recursive?: boolean
  readonly inputFormat?: Format | 'auto'
  readonly timestampField?: string
  /** A layout of Go's reference time. */
  readonly timestampFormat?: string
  readonly label?: Readonly<Record<string, string>>
  readonly csvFields?: readonly string[]
  readonly delimiter?: string
  readonly batchSize?: number
  readonly batchBytes?: number
  /** Milliseconds. */
  readonly flushEvery?: number
  readonly concurrency?: number
  readonly compress?: Compress
  readonly maxErrors?: MostErrors
  /** Files. */
  readonly rejects?: string
  readonly retry?: string
  readonly receipt?: string
  /** Reads everything and sends nothing. */
  readonly check?: boolean
  /** Reads everything and tells what would be sent. */
  readonly dryRun?: boolean
  /** Reads what is written to the files until it is interrupted. */
  readonly follow?: boolean
  /** A file to keep it in; false for none at all. */
  readonly checkpoint?: string | false
}

/** Whether batches are packed on their way. */
export type Compress = 'auto' | 'gzip' | 'none'
