import { LINE_FEED } from '../../text/bytes.js'
import { ChunkedBuffer } from '../bytes/chunked-buffer.js'
import type { MemberColumn } from '../native/member-column.js'
import { MalformedResponseError } from './response-json.js'
import { decodeTabularResult, type TabularResult } from './tabular-result.js'

/**
 * The media type of a tabular result whose columns are in ClickHouse's format Native, for clients of this program. Two lines of
 * JSON, the shape of the columns and the result without values, precede the columns.
 */
export const NATIVE_RESULT = 'application/vnd.evq.columns'

/** The media type in the header `Accept` of a client that reads doubles; other clients get the texts of floating-point numbers. */
export const NATIVE_RESULT_WITH_DOUBLES = `${NATIVE_RESULT};reals=doubles`

export type NativeReals = 'texts' | 'doubles'

export interface NativeShape {
  readonly rows: number
  /** The indices of columns whose texts are JSON. */
  readonly json: readonly number[]
  /** The indices of columns whose texts are JSON as in events, which the engine may write in another way. */
  readonly documents: readonly number[]
  /**
   * The columns that are members of the remainders of events. The columns after the two lines are the others and then the
   * remainders, as texts. Empty when there are no remainders.
   */
  readonly members: readonly MemberColumn[]
}

/** Encodes a result; `result` is the JSON of the result without values. */
export function encodeNativeResult(
  shape: NativeShape,
  { result, columns }: { readonly result: ChunkedBuffer; readonly columns: Buffer },
): ChunkedBuffer {
  const first = Buffer.from(`${JSON.stringify(shape)}\n`)
  return new ChunkedBuffer([first, ...result.chunks, Buffer.from('\n'), columns])
}

/** The decoded lines, and the position of the columns. */
interface NativeResult extends NativeShape {
  readonly result: TabularResult
  readonly columnsAt: number
}

/** Decodes the lines before the columns. Throws a `MalformedResponseError`. */
export function decodeNativeResult(bytes: Buffer): NativeResult {
  const end = bytes.indexOf(LINE_FEED)
  const resultEnd = bytes.indexOf(LINE_FEED, end + 1)
  if (end === -1 || resultEnd === -1) throw new MalformedResponseError('it ends too early')
  const result = decodeTabularResult(bytes.toString('utf8', end + 1, resultEnd))
  return { ...shapeIn(bytes.toString('utf8', 0, end)), result, columnsAt: resultEnd + 1 }
}

function shapeIn(line: string): NativeShape {
  try {
    const { rows, json, documents, members } = JSON.parse(line) as NativeShape
    const numbers = [rows, ...json, ...documents, ...members.map(({ column }) => column)]
    const keys = members.flatMap(({ path }) => path)
    const isNumeric = numbers.every(Number.isSafeInteger)
    if (isNumeric && keys.every((key) => typeof key === 'string')) {
      return { rows, json, documents, members }
    }
  } catch {}
  throw new MalformedResponseError('the shape of its columns is missing')
}
