// The maps of a column, from keys to texts. Each key that is a column has a place, which has the text of the current row.

import { hasMember, lengthRead, readLength, textsEnd } from './column'

/** The state of a column of maps: addresses in memory, and the position after the maps that were read. */
@unmanaged
export class Members {
  /** The number of texts up to and including each row, `u64` each. */
  ends: u32
  /** The keys, `u16` each. */
  keys: u32
  /** One byte per text, which is 1 for null. */
  nulls: u32
  values: u32
  /** The places of the keys. */
  places: u32
  /** The greatest key that has a place. */
  most: u32
  /** The number of rows up to and including the one that was read last. */
  rows: u32
  /** The number of texts in these rows, and the address after them. */
  texts: u32
  next: u32
}

/** See `hasMember`. */
const PLACE_BYTES: usize = 16

/** Reads the map of a row. Of several members with the same key, the first one counts. */
export function readMembers(map: Members, row: u32): void {
  if (map.rows === row + 1) return
  if (map.rows === 0 || map.rows > row) {
    map.texts = 0
    map.next = map.values
  }
  const first: u32 = row === 0 ? 0 : load<u32>(<usize>map.ends + ((<usize>row - 1) << 3))
  const end: u32 = load<u32>(<usize>map.ends + ((<usize>row) << 3))
  let at: usize = textsEnd(map.next, <i32>(first - map.texts), usize.MAX_VALUE)
  for (let i: u32 = first; i < end; i++) {
    const start = readLength(at)
    at = start + lengthRead
    const key = load<u16>(<usize>map.keys + ((<usize>i) << 1))
    if (key > map.most) continue
    const place = <usize>map.places + <usize>key * PLACE_BYTES
    if (hasMember(place, row)) continue
    const isNull = load<u8>(<usize>map.nulls + i) !== 0
    store<u32>(place, <u32>start)
    store<u32>(place, <u32>(isNull ? start : at), 4)
    store<u32>(place, row + 1, 8)
  }
  map.next = <u32>at
  map.texts = end
  map.rows = row + 1
}
