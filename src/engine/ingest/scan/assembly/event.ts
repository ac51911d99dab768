// A value of a kind that its slot expects is kept in the cell of the slot; other values become members of the remainder, unless
// they are skipped. Members without a slot get one. The host reads lines that may be invalid or have a rare form.
// Each token ends in front of the line feed after the line at the latest, so the end of memory need not be checked.

import {
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LINE_FEED,
  MINUS,
  NINE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  spaceEnd,
  ZERO,
} from '../../../../wire/assembly/bytes'
import { hasEscapes, stringEnd } from '../../../../wire/assembly/string'
import { MAX_FIELD_DEPTH as FIELD_DEPTH, MAX_KEYS as KEYS } from '../../../../wire/limits'
import { escapedKey, writeEscapedKey } from './escaped-key'
import { beginTime, eventTime, keepTime } from './event-time'
import { hostSkips } from './host'
import { beginNews, dropNews, note } from './news'
import { numberEnd, numberKind } from './number'
import { beginRemainder, dropRemainder, endObject, keepRemainder, putMember } from './remainder'
import { keepString, keepValue } from './rows'
import {
  ARRAY,
  BOOL,
  CELL,
  FIRST,
  INT,
  isKey,
  KEY,
  KEY_LENGTH,
  KINDS,
  LINE,
  LONG,
  lengthOfKey,
  MAP,
  NEXT,
  NULL,
  newSlot,
  OBJECT,
  ONLY_TIME,
  OTHER,
  PARENT,
  REAL,
  REPEATED,
  REST,
  SKIPPED,
  STRING,
  slotOf,
  TIME_ORDER,
} from './schema'
import { NO_TIME } from './time'
import { addKey, keys, MAX_KEY_LENGTH, resetKeys, scalarEnd, valueEnd, WORD_NULL } from './value'

/** Keys inside values are counted here, too, so the host may still accept an event that has more. */
const MAX_COUNTED_KEYS: u32 = KEYS
/** Objects below this depth are values. */
const MAX_DEPTH: u32 = FIELD_DEPTH
const COLUMN_KINDS: u32 = STRING | INT | LONG | REAL | BOOL | ARRAY

/** The offsets in a row of the cells of the remainder and of the time, which are in front of the cells of values. */
const REMAINDER_CELL: usize = 16
const TIME_CELL: usize = 24

/** True when members without a slot belong to the remainder and are not noted. */
let isOpen: bool = false
/** True when members without a slot are skipped if the host agrees. */
let skipsOthers: bool = false

/** `others` says what happens to members without a slot: 0 when they are noted, 1 when they are only kept, 2 when they are skipped. */
export function beginEvents(others: u32): void {
  isOpen = others === 1
  skipsOthers = others === 2
}

/** Returns the position of the line feed after an event; 0 for a line that the host reads. `line` is unique. */
export function eventEnd(start: usize, root: usize, line: u32, row: usize): usize {
  beginRemainder()
  beginNews()
  beginTime()
  resetKeys()
  const end = membersEnd(start, root, line, row)
  if (end !== 0) {
    const time = eventTime()
    if (time !== NO_TIME) {
      store<i64>(row, time, TIME_CELL)
      keepRemainder(row + REMAINDER_CELL)
      return end
    }
  }
  dropRemainder()
  dropNews()
  return 0
}

function membersEnd(start: usize, root: usize, line: u32, row: usize): usize {
  let at = spaceEnd(start)
  if (load<u8>(at) !== OPEN_OBJECT) return 0
  at = spaceEnd(at + 1)
  if (load<u8>(at) === CLOSE_OBJECT) return lineEnd(at + 1)
  let object = root
  let depth: u32 = 0
  /** The address of the slot that is expected next. */
  let expected = root + FIRST
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0
    let key = ++at
    let keyLength: usize
    let slot: usize = load<u32>(expected)
    if (slot === 0 || !isKey(slot, at)) {
      slot = slotOf(object, at, lengthOfKey(at))
      if (slot !== 0) store<u32>(expected, <u32>slot)
    }
    if (slot === 0) {
      at = stringEnd(at)
      if (at === 0 || at - key === 1) return 0
      keyLength = at - key
      if (hasEscapes) {
        keyLength = writeEscapedKey(key, at - 1)
        if (keyLength === 0) return 0
        key = escapedKey
        slot = slotOf(object, key, <u32>keyLength)
      }
      if (slot === 0) {
        if (keyLength > MAX_KEY_LENGTH) return 0
        if (skipsOthers && !hostSkips(object, key, key + keyLength - 1)) return 0
        if (!isOpen) {
          slot = newSlot(object, key, keyLength, skipsOthers ? SKIPPED : 0)
          if (slot === 0 && !skipsOthers) return 0
        }
      }
      if (slot !== 0) store<u32>(expected, <u32>slot)
    } else {
      keyLength = load<u32>(slot, KEY_LENGTH)
      at += keyLength
    }
    if (load<u8>(at) !== COLON) {
      at = spaceEnd(at)
      if (load<u8>(at) !== COLON) return 0
    }
    at = spaceEnd(at + 1)
    addKey()
    const value = at
    const byte = load<u8>(at)
    if (slot === 0) {
      at = anyEnd(at, byte)
      if (at === 0) return 0
      // A null is kept, too: it may be the first of repeated keys, which counts.
      if (isOpen) putMember(depth, object, key, keyLength, value, at)
    } else {
      const kinds = load<u32>(slot, KINDS)
      expected = slot + NEXT
      if (load<u32>(slot, LINE) === line || (kinds & (REPEATED | SKIPPED)) !== 0) {
        // The fields inside an object would be noted.
        if (byte === OPEN_OBJECT && (kinds & SKIPPED) === 0) return 0
        at = anyEnd(at, byte)
        if (at === 0 || (!isExpected(slot, kinds) && !note(slot, NULL))) return 0
      } else {
        store<u32>(slot, line, LINE)
        const order = load<u32>(slot, TIME_ORDER)
        let kind: u32
        if (byte === QUOTE) {
          at = stringEnd(at + 1)
          if (at === 0) return 0
          if (order !== 0) keepTime(order, value, at)
          kind = STRING
          if ((kinds & STRING) !== 0) keepString(row + load<u32>(slot, CELL), value + 1, at - 1)
        } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
          at = numberEnd(at)
          if (at === 0) return 0
          kind = numberKind
          if (order !== 0) {
            if (kind === OTHER) return 0
            keepTime(order, value, at)
          }
          if ((kinds & kind & COLUMN_KINDS) !== 0) keepValue(row + load<u32>(slot, CELL), value, at)
        } else if (byte === OPEN_OBJECT) {
          if (order !== 0) return 0
          const inner = spaceEnd(at + 1)
          const isMap = (kinds & MAP) !== 0 || (isOpen && (kinds & OBJECT) === 0)
          if (!isMap && load<u8>(inner) === CLOSE_OBJECT) {
            at = inner + 1
            // An empty object is a value only at the path of a field.
            kind = isExpected(slot, kinds) ? OTHER : 0
          } else if (isMap || depth + 1 === MAX_DEPTH) {
            at = valueEnd(at)
            if (at === 0 || keys > MAX_COUNTED_KEYS) return 0
            kind = OTHER
          } else {
            depth++
            object = slot
            expected = slot + FIRST
            at = inner
            continue
          }
        } else if (byte === OPEN_ARRAY) {
          if (order !== 0) return 0
          at = valueEnd(at)
          if (at === 0) return 0
          kind = ARRAY
          if ((kinds & ARRAY) !== 0) keepValue(row + load<u32>(slot, CELL), value, at)
        } else if (isNull(at)) {
          at += 4
          kind = 0
          if (!isExpected(slot, kinds) && !note(slot, NULL)) return 0
        } else {
          if (order !== 0) return 0
          at = scalarEnd(at, byte)
          if (at === 0) return 0
          kind = BOOL
          if ((kinds & BOOL) !== 0) keepValue(row + load<u32>(slot, CELL), value, value)
        }
        if (kind !== 0 && (kinds & ONLY_TIME) === 0) {
          const isRest = (load<u32>(slot, REST) & kind) !== 0
          const isNews = !isRest && (kinds & kind) === 0
          if (isNews && !note(slot, kind)) return 0
          if (isRest || isNews) {
            putMember(depth, object, load<u32>(slot, KEY), load<u32>(slot, KEY_LENGTH), value, at)
          }
        }
      }
    }
    at = spaceEnd(at)
    while (load<u8>(at) === CLOSE_OBJECT) {
      endObject(depth)
      if (object === root) return keys > MAX_COUNTED_KEYS ? 0 : lineEnd(at + 1)
      at = spaceEnd(at + 1)
      depth--
      expected = object + NEXT
      object = load<u32>(object, PARENT)
    }
    if (load<u8>(at) !== COMMA) return 0
    at = spaceEnd(at + 1)
  }
}

/** True when the schema has values for a member, or skips them. */
function isExpected(slot: usize, kinds: u32): bool {
  return (kinds & (COLUMN_KINDS | ONLY_TIME | SKIPPED)) !== 0 || load<u32>(slot, REST) !== 0
}

/** Returns the position after a value; 0 when it may be invalid. */
function anyEnd(at: usize, byte: u8): usize {
  return byte === OPEN_OBJECT || byte === OPEN_ARRAY ? valueEnd(at) : scalarEnd(at, byte)
}

function isNull(at: usize): bool {
  return load<u32>(at) === WORD_NULL
}

/** Returns the position of the line feed after an event that ended; 0 for other characters. */
function lineEnd(at: usize): usize {
  at = spaceEnd(at)
  return load<u8>(at) === LINE_FEED ? at : 0
}
