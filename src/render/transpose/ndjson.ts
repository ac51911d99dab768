import { oneLine } from '../cell.js'
import { PLACE, type Places } from './scan-columns.js'

const QUOTE = 0x22
const LINE_FEED = 0x0a
const CLOSE_OBJECT = 0x7d

/** Shorter ones are copied faster byte by byte than by a call. */
const LONG = 40

export interface NdjsonSource {
  readonly body: Buffer
  readonly found: Places
  /** The positions of the columns to write. */
  readonly order: readonly number[]
  /** What stands before the value of each of them: `,"name":`. */
  readonly keys: readonly Uint8Array[]
}

/** Writes rows as JSON objects, a line each, into a buffer with room for them; returns the bytes used. */
export function encodeNdjson(
  { body, found, order, keys }: NdjsonSource,
  { from, to }: { readonly from: number; readonly to: number },
  out: Buffer,
): number {
  // Read once: in the bundle an imported constant is asked for by a call.
  const placeBits = PLACE
  const { places, rows } = found
  let at = 0
  for (let row = from; row < to; row++) {
    for (let i = 0; i < order.length; i++) {
      const key = keys[i]!
      for (let k = 0; k < key.length; k++) out[at++] = key[k]!
      const place = 2 * (order[i]! * rows + row)
      const mark = places[place]!
      const start = mark & placeBits
      const end = places[place + 1]! & placeBits
      if (mark < 0 && body[start] !== QUOTE) {
        // A nested value with line ends in it would not stay on its line.
        at += out.write(oneLine(body.toString('utf8', start, end)), at)
      } else if (end - start < LONG) {
        for (let k = start; k < end; k++) out[at++] = body[k]!
      } else {
        body.copy(out, at, start, end)
        at += end - start
      }
    }
    out[at++] = CLOSE_OBJECT
    out[at++] = LINE_FEED
  }
  return at
}
