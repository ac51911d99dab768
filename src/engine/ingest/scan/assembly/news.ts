// Values that the schema does not expect: of members that it does not have, or of other kinds. They are noted in the slots.

import { NEWS, NEWS_COUNT, NULL } from './schema'

/** An entry of the log: a slot, and the kinds and the count that were noted in it before. */
const ENTRY_BYTES: usize = 12

/** True when something has been noted. */
export let hasNews: bool = false

/** The notes of the current event, which are dropped when it turns out to be invalid. */
const LOG_BYTES: usize = 16_384 * ENTRY_BYTES
const log: usize = memory.data(LOG_BYTES, 16)
let logEnd: usize = log

export function clearNews(): void {
  hasNews = false
}

export function beginNews(): void {
  logEnd = log
}

/** Notes a value; false when there is no room. */
export function note(slot: usize, kind: u32): bool {
  if (logEnd + ENTRY_BYTES > log + LOG_BYTES) return false
  const kinds = load<u32>(slot, NEWS)
  const count = load<u32>(slot, NEWS_COUNT)
  store<u32>(logEnd, <u32>slot)
  store<u32>(logEnd, kinds, 4)
  store<u32>(logEnd, count, 8)
  logEnd += ENTRY_BYTES
  store<u32>(slot, kinds | kind, NEWS)
  if (kind !== NULL) store<u32>(slot, count + 1, NEWS_COUNT)
  hasNews = true
  return true
}

/** Removes the notes of the current event. */
export function dropNews(): void {
  while (logEnd > log) {
    logEnd -= ENTRY_BYTES
    const slot: usize = load<u32>(logEnd)
    store<u32>(slot, load<u32>(logEnd, 4), NEWS)
    store<u32>(slot, load<u32>(logEnd, 8), NEWS_COUNT)
  }
}
