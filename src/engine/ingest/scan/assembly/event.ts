// A plain event is a JSON object whose members are all expected: the schema has a slot with the kind of their value. Where the
// schema says so, members without a slot are skipped.
// Each token ends in front of the line feed after the line at the latest, so the end of memory need not be checked.

import {
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LINE_FEED,
  MINUS,
  NINE,
  OPEN_OBJECT,
  QUOTE,
  spaceEnd,
  ZERO,
} from './bytes'
import { isCertainDay } from './certain-time'
import { NO_TIME, timeAt } from './instant'
import { numberEnd, numberKind } from './number'
import { otherEnd, skippedEnd, skipsOthers } from './others'
import { keepString, keepValue, TEXT } from './rows'
import {
  ANY,
  BOOL,
  CELL,
  FIRST,
  isKey,
  KINDS,
  keyEnd,
  LINE,
  NEXT,
  NULL,
  OBJECT,
  PARENT,
  STRING,
  slotOf,
  TIME,
} from './schema'
import { stringEnd } from './string'
import { isEngineTime } from './time'
import { resetKeys } from './value'

/** Words read as four bytes. */
const WORD_TRUE: u32 = 0x6575_7274
const WORD_FALS: u32 = 0x736c_6166
const WORD_NULL: u32 = 0x6c6c_756e
const LETTER_E: u8 = 0x65

/** True when the time of an event is neither null nor a string that the engine reads by itself. */
export let hasOtherTimes: bool = false

/** True when no column of times shows whether the calendar has the day of a time. */
let checksDays: bool = false

export function beginTimes(hasColumn: bool): void {
  hasOtherTimes = false
  checksDays = !hasColumn
}

/**
 * Returns the position of the line feed after a plain event; 0 for any other line. `line` is unique. The positions of the
 * values are stored in `row`.
 */
export function eventEnd(start: usize, root: usize, line: u32, row: usize): usize {
  let at = spaceEnd(start)
  if (load<u8>(at) !== OPEN_OBJECT) return 0
  at = spaceEnd(at + 1)
  let object = root
  resetKeys()
  if (skipsOthers && load<u8>(at) === CLOSE_OBJECT) return lineEnd(at + 1)
  /** The address of the slot that is expected next. */
  let expected = root + FIRST
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0
    at++
    let slot: usize = load<u32>(expected)
    if (slot === 0 || !isKey(slot, at)) {
      slot = slotOf(object, at)
      if (slot !== 0) store<u32>(expected, <u32>slot)
    }
    if (slot === 0) {
      at = skipsOthers ? otherEnd(at, object) : 0
      if (at === 0) return 0
    } else {
      at = keyEnd(slot, at)
      if (load<u8>(at) !== COLON) {
        at = spaceEnd(at)
        if (load<u8>(at) !== COLON) return 0
      }
      at = spaceEnd(at + 1)
      const kinds = load<u32>(slot, KINDS)
      expected = slot + NEXT
      // A key that occurs twice in an object.
      if (load<u32>(slot, LINE) === line) return 0
      store<u32>(slot, line, LINE)
      if ((kinds & ANY) !== 0) {
        at = skippedEnd(at)
        if (at === 0) return 0
        if (load<u32>(slot, CELL) === TEXT) store<u32>(row, 1, TEXT)
      } else {
        const byte = load<u8>(at)
        if (byte === QUOTE) {
          if ((kinds & STRING) === 0) return 0
          if ((kinds & TIME) !== 0 && !isKnownTime(at + 1)) hasOtherTimes = true
          const first = at + 1
          at = stringEnd(first)
          if (at === 0) return 0
          keepString(row + load<u32>(slot, CELL), first, at - 1)
        } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
          const first = at
          at = numberEnd(at)
          if (at === 0 || (kinds & numberKind) === 0) return 0
          keepValue(row + load<u32>(slot, CELL), first, at)
          if ((kinds & TIME) !== 0) hasOtherTimes = true
        } else if (byte === OPEN_OBJECT) {
          if ((kinds & OBJECT) === 0) return 0
          at = spaceEnd(at + 1)
          object = slot
          expected = slot + FIRST
          if (!skipsOthers || load<u8>(at) !== CLOSE_OBJECT) continue
        } else {
          const word = load<u32>(at)
          if (word === WORD_NULL) {
            if ((kinds & NULL) === 0) return 0
            at += 4
          } else {
            if ((kinds & BOOL) === 0) return 0
            if ((kinds & TIME) !== 0) hasOtherTimes = true
            keepValue(row + load<u32>(slot, CELL), at, at)
            if (word === WORD_TRUE) at += 4
            else if (word === WORD_FALS && load<u8>(at, 4) === LETTER_E) at += 5
            else return 0
          }
        }
      }
    }
    at = spaceEnd(at)
    while (load<u8>(at) === CLOSE_OBJECT) {
      if (object === root) return lineEnd(at + 1)
      at = spaceEnd(at + 1)
      expected = object + NEXT
      object = load<u32>(object, PARENT)
    }
    if (load<u8>(at) !== COMMA) return 0
    at = spaceEnd(at + 1)
  }
}

/** Returns the position of the line feed after an event that ended; 0 for other characters. */
function lineEnd(at: usize): usize {
  at = spaceEnd(at)
  return load<u8>(at) === LINE_FEED ? at : 0
}

/** True for a time that the engine reads by itself, on a day that the calendar has if no other code finds that out. */
function isKnownTime(at: usize): bool {
  return isEngineTime(at) && (!checksDays || isCertainDay(at) || timeAt(at) !== NO_TIME)
}
