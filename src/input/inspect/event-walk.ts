import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOT,
  MINUS,
  NINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  QUOTE,
  ZERO,
} from '../../text/bytes.js'
import { MAX_KEYS } from '../../wire/limits.js'
import type { FieldNode, FieldTree } from './field-node.js'
import { TYPE } from './field-node.js'

/** Bytes that stand for themselves in a string. */
const PLAIN = new Uint8Array(256).fill(1, 0x20)
PLAIN[QUOTE] = 0
PLAIN[BACKSLASH] = 0

const BLANK = new Uint8Array(256)
for (const byte of Buffer.from(' \t\r\n')) BLANK[byte] = 1

const SHORT_ESCAPE = new Uint8Array(256)
for (const byte of Buffer.from('"\\/bfnrt')) SHORT_ESCAPE[byte] = 1

/** The words by their first bytes. */
const WORDS: (Buffer | undefined)[] = new Array(256).fill(undefined)
for (const word of ['true', 'false', 'null']) WORDS[word.charCodeAt(0)] = Buffer.from(word)

/** Numbers with more digits may not fit in 63 bits. */
const SURE_DIGITS = 18
/** The digits that a double represents exactly. */
const SURE_DIGITS_OF_DOUBLE = 15
/** The exact reader handles deeper events. */
const MAX_DEPTH = 12
/** The exact reader handles longer values, which may exceed a limit of hosted services. */
const MAX_VALUE_LENGTH = 1_000_000

const FAILED = -1

/**
 * Reads ordinary events from their bytes without decoding values. It is as strict as the service but handles fewer
 * cases; it rejects other events, which the exact reader then reads.
 */
export class EventWalk {
  /** The values of the last event: the first `values` entries of `nodes` and `types`. */
  readonly nodes: FieldNode[] = []
  readonly types: number[] = []
  values = 0
  /** The position of the event's time, without quotes; `timeRank` is 0 when there is none. */
  timeRank = 0
  timeFrom = 0
  timeTo = 0
  private event = 0
  private keys = 0
  private bytes: Buffer = Buffer.alloc(0)
  private end = 0
  private readonly tree: FieldTree

  constructor(tree: FieldTree) {
    this.tree = tree
  }

  /** True when the bytes from `from` to `to` are an ordinary event. */
  walk(bytes: Buffer, from: number, to: number): boolean {
    this.bytes = bytes
    this.end = to
    this.event += 1
    this.values = 0
    this.keys = 0
    this.timeRank = 0
    let at = this.space(from)
    if (at >= to || bytes[at] !== OPEN_BRACE) return false
    at = this.object(at, this.tree.root, 1)
    return at !== FAILED && this.space(at) === to
  }

  /**
   * Object : `{` (String `:` Value (`,` String `:` Value)*)? `}`. Like all productions, returns the position after the
   * object, or -1.
   */
  private object(start: number, parent: FieldNode, depth: number): number {
    if (depth > MAX_DEPTH) return FAILED
    const { bytes } = this
    let at = this.space(start + 1)
    if (bytes[at] === CLOSE_BRACE && at < this.end) return at + 1
    let previous: FieldNode | undefined
    for (;;) {
      if (at >= this.end || bytes[at] !== QUOTE) return FAILED
      this.keys += 1
      if (this.keys > MAX_KEYS) return FAILED
      const expected = previous === undefined ? parent.first : previous.next
      let node: FieldNode
      if (expected !== undefined && this.isKey(expected.key, at + 1)) {
        node = expected
        at += expected.key.length + 2
      } else {
        const close = this.plain(at + 1)
        if (close === FAILED || close === at + 1) return FAILED
        node = this.tree.child(parent, bytes.toString('latin1', at + 1, close))
        if (previous === undefined) parent.first = node
        else previous.next = node
        at = close + 1
      }
      // The exact reader handles repeated keys.
      if (node.seenIn === this.event && node !== this.tree.others) return FAILED
      node.seenIn = this.event
      if (bytes[at] !== COLON) at = this.space(at)
      if (at >= this.end || bytes[at] !== COLON) return FAILED
      at = this.member(this.space(at + 1), node, depth)
      if (at === FAILED) return FAILED
      at = this.space(at)
      if (at >= this.end) return FAILED
      if (bytes[at] === CLOSE_BRACE) return at + 1
      if (bytes[at] !== COMMA) return FAILED
      at = this.space(at + 1)
      previous = node
    }
  }

  private member(at: number, node: FieldNode, depth: number): number {
    if (at >= this.end) return FAILED
    const byte = this.bytes[at]!
    let type: number = TYPE.string
    let end: number
    if (byte === QUOTE) end = this.string(at + 1)
    else if (byte === OPEN_BRACE) {
      if (node.timeRank !== 0) return FAILED
      end = this.object(at, node, depth + 1)
      type = TYPE.group
    } else if (byte === OPEN_BRACKET) {
      if (node.timeRank !== 0) return FAILED
      end = this.elements(at, CLOSE_BRACKET, depth + 1)
      type = TYPE.array
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
      end = this.number(at)
      type = end !== FAILED && this.isWhole(at, end) ? TYPE.integer : TYPE.float
    } else {
      end = this.word(at)
      type = byte === 0x6e ? TYPE.null : TYPE.boolean
      if (node.timeRank !== 0 && type === TYPE.boolean) return FAILED
    }
    if (end === FAILED || end - at > MAX_VALUE_LENGTH) return FAILED
    this.nodes[this.values] = node
    this.types[this.values] = type
    this.values += 1
    if (node.timeRank !== 0 && type !== TYPE.null) this.time(node, at, end)
    return end
  }

  /**
   * Records the position of the time. A key that equals a dotted name takes precedence over the path that the name stands
   * for.
   */
  private time(node: FieldNode, from: number, to: number): void {
    if (this.timeRank !== 0 && this.timeRank < node.timeRank) return
    const quote = this.bytes[from] === QUOTE ? 1 : 0
    this.timeRank = node.timeRank
    this.timeFrom = from + quote
    this.timeTo = to - quote
  }

  /** Checks a value inside an array. */
  private element(at: number, depth: number): number {
    if (at >= this.end) return FAILED
    const byte = this.bytes[at]!
    if (byte === QUOTE) return this.string(at + 1)
    if (byte === OPEN_BRACKET) return this.elements(at, CLOSE_BRACKET, depth + 1)
    // Objects in arrays have no fields, but their keys are checked.
    if (byte === OPEN_BRACE) return this.elements(at, CLOSE_BRACE, depth + 1)
    return byte === MINUS || (byte >= ZERO && byte <= NINE) ? this.number(at) : this.word(at)
  }

  /** Checks the elements of an array, or the members of an object inside an array, up to the closing bracket. */
  private elements(start: number, bracket: number, depth: number): number {
    if (depth > MAX_DEPTH) return FAILED
    let at = this.space(start + 1)
    if (at < this.end && this.bytes[at] === bracket) return at + 1
    for (;;) {
      if (bracket === CLOSE_BRACE) at = this.innerKey(at)
      if (at === FAILED) return FAILED
      at = this.element(at, depth)
      if (at === FAILED) return FAILED
      at = this.space(at)
      if (at >= this.end) return FAILED
      if (this.bytes[at] === bracket) return at + 1
      if (this.bytes[at] !== COMMA) return FAILED
      at = this.space(at + 1)
    }
  }

  /** Returns the position of the value of a member inside an array. */
  private innerKey(at: number): number {
    if (at >= this.end || this.bytes[at] !== QUOTE) return FAILED
    const close = this.plain(at + 1)
    if (close === FAILED || close === at + 1) return FAILED
    const colon = this.space(close + 1)
    return colon < this.end && this.bytes[colon] === COLON ? this.space(colon + 1) : FAILED
  }

  /** True when the bytes are `key` followed by a quote. */
  private isKey(key: Buffer, from: number): boolean {
    const { bytes } = this
    const { length } = key
    if (from + length >= this.end || bytes[from + length] !== QUOTE) return false
    for (let i = 0; i < length; i++) if (bytes[from + i] !== key[i]) return false
    return true
  }

  /** Returns the position of the closing quote of a string without escapes. */
  private plain(from: number): number {
    const { bytes, end } = this
    let at = from
    while (at < end && PLAIN[bytes[at]!] === 1) at += 1
    return at < end && bytes[at] === QUOTE ? at : FAILED
  }

  private string(from: number): number {
    const { bytes, end } = this
    let at = from
    for (;;) {
      while (at < end && PLAIN[bytes[at]!] === 1) at += 1
      if (at >= end) return FAILED
      if (bytes[at] === QUOTE) return at + 1
      if (bytes[at] !== BACKSLASH || at + 1 >= end) return FAILED
      if (SHORT_ESCAPE[bytes[at + 1]!] === 1) at += 2
      else at = this.escape(at)
      if (at === FAILED) return FAILED
    }
  }

  /** `\u` and four digits, or a surrogate pair of two such escapes. */
  private escape(at: number): number {
    const unit = this.unit(at)
    if (unit < 0xd800 || unit > 0xdfff) return unit === FAILED ? FAILED : at + 6
    const low = this.unit(at + 6)
    return unit < 0xdc00 && low >= 0xdc00 && low <= 0xdfff ? at + 12 : FAILED
  }

  private unit(at: number): number {
    if (at + 6 > this.end || this.bytes[at] !== BACKSLASH || this.bytes[at + 1] !== 0x75)
      return FAILED
    const text = this.bytes.toString('latin1', at + 2, at + 6)
    return /^[0-9a-fA-F]{4}$/.test(text) ? Number.parseInt(text, 16) : FAILED
  }

  /** Number : `-`? (`0` | [1-9] [0-9]*) (`.` [0-9]+)?; exponents and long numbers are left to the exact reader. */
  private number(from: number): number {
    const { bytes, end } = this
    let at = bytes[from] === MINUS ? from + 1 : from
    const first = at
    while (at < end && bytes[at]! >= ZERO && bytes[at]! <= NINE) at += 1
    const digits = at - first
    if (digits === 0 || digits > SURE_DIGITS || (digits > 1 && bytes[first] === ZERO)) return FAILED
    // `-0` loses its sign.
    if (first > from && digits === 1 && bytes[first] === ZERO) return FAILED
    if (at < end && bytes[at] === DOT) {
      const fraction = at + 1
      at = fraction
      while (at < end && bytes[at]! >= ZERO && bytes[at]! <= NINE) at += 1
      if (at === fraction || at - 1 - first > SURE_DIGITS_OF_DOUBLE) return FAILED
    }
    if (at >= end) return at
    const next = bytes[at]!
    return next === 0x65 || next === 0x45 || next === PLUS ? FAILED : at
  }

  private isWhole(from: number, to: number): boolean {
    for (let at = to - 1; at > from; at--) if (this.bytes[at] === DOT) return false
    return true
  }

  private word(at: number): number {
    const { bytes } = this
    const word = WORDS[bytes[at]!]
    if (word === undefined || at + word.length > this.end) return FAILED
    for (let i = 1; i < word.length; i++) if (bytes[at + i] !== word[i]) return FAILED
    return at + word.length
  }

  private space(from: number): number {
    const { bytes, end } = this
    let at = from
    while (at < end && BLANK[bytes[at]!] === 1) at += 1
    return at
  }
}
