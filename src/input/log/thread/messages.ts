import type { ConversionState } from '../conversion-state.js'
import type { ConvertedRecords } from '../convert-records.js'
import type { ConversionOrigin } from '../log-format.js'

// Messages between the main thread and a conversion thread. Buffers are transferred, not copied.

export type ThreadRequest =
  /** Continues a conversion, to which later requests refer by `id`. */
  | {
      readonly kind: 'continue'
      readonly id: number
      readonly origin: ConversionOrigin
      readonly state: ConversionState
    }
  | ({ readonly kind: 'convert' } & ThreadBatch)
  | { readonly kind: 'end'; readonly id: number }

/** A batch of records to convert. */
export interface ThreadBatch {
  readonly id: number
  readonly body: ArrayBuffer
  /** The length of the records in `body`. */
  readonly length: number
  readonly extents: Int32Array
  /** As `escapedBytes` returns them: the thread has more work than the main thread, which finds them. */
  readonly escapes: Int32Array
  /** The line of the input in which the batch begins. */
  readonly line: number
  /** Memory for the events. */
  readonly output: ArrayBuffer
  /** Time of the last write to the input, in nanoseconds since 1970, if times without a year are completed from it. */
  readonly lastWritten: bigint | undefined
  /** True when the thread may not have converted the event in front of the batch. */
  readonly isParallel: boolean
}

/** Returns the memory of a batch, which is transferred with it. */
export function memoryOf({ body, output, escapes, extents }: ThreadBatch): ArrayBuffer[] {
  return [body, output, escapes.buffer as ArrayBuffer, extents.buffer as ArrayBuffer]
}

export type ThreadResponse =
  /** The first response, when the thread has started. */
  | { readonly kind: 'ready' }
  /** Responses to `convert`, in the order of the requests. */
  | ({ readonly kind: 'converted' } & ThreadResult)
  /** The batch begins with an event that needs the time in front of it, which is unknown. */
  | { readonly kind: 'unconverted'; readonly body: ArrayBuffer; readonly output: ArrayBuffer }
  | { readonly kind: 'failed'; readonly error: unknown }

/** The events of a batch, and the memory of its request. */
export interface ThreadResult extends Omit<ConvertedRecords, 'output' | 'records' | 'fields'> {
  readonly body: ArrayBuffer
  readonly output: ArrayBuffer
  readonly records: Int32Array
  /** The names of the fields that the thread has found so far. */
  readonly found: ReadonlySet<string>
}
