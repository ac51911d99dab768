import { isInt64 } from '../../text/integer.js'
import { readEscapes } from './string-literal.js'

const MAX_NESTING = 100
const SPACE = /\s*/y
const ATOM = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const STRING = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y

/**
 * Parses the contents of `dynamic(…)`: JSON in which strings may have single quotes. Returns JSON text, in which
 * numbers keep their digits; undefined for anything else.
 */
export function parseDynamic(text: string): string | undefined {
  const reader = new DynamicReader(text)
  const json = reader.value(0)
  reader.space()
  return reader.at < text.length ? undefined : json
}

class DynamicReader {
  at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  value(depth: number): string | undefined {
    this.space()
    const next = this.text[this.at]
    if (next === '{' && depth < MAX_NESTING) return this.items('}', () => this.member(depth + 1))
    if (next === '[' && depth < MAX_NESTING) return this.items(']', () => this.value(depth + 1))
    return this.atom() ?? this.string()
  }

  private atom(): string | undefined {
    const start = this.at
    const written = this.match(ATOM)
    if (written === undefined || !/\d/.test(written)) return written
    const number = Number(written)
    if (Number.isFinite(number)) return isReadable(written) ? written : number.toExponential()
    this.at = start
    return undefined
  }

  space(): void {
    this.match(SPACE)
  }

  private items(close: string, item: () => string | undefined): string | undefined {
    const found: string[] = []
    const open = this.text[this.at++]!
    while (!this.sign(close)) {
      if (found.length > 0 && !this.sign(',')) return undefined
      const one = item()
      if (one === undefined) return undefined
      found.push(one)
    }
    return open + found.join(',') + close
  }

  private member(depth: number): string | undefined {
    this.space()
    const key = this.string()
    if (key === undefined || !this.sign(':')) return undefined
    const value = this.value(depth)
    return value === undefined ? undefined : `${key}:${value}`
  }

  private string(): string | undefined {
    const quoted = this.match(STRING)
    const read = quoted === undefined ? undefined : readEscapes(quoted.slice(1, -1))
    return read && 'value' in read ? JSON.stringify(read.value) : undefined
  }

  private sign(sign: string): boolean {
    this.space()
    if (this.text[this.at] !== sign) return false
    this.at++
    return true
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }
}

/** Returns false for integers that do not fit in 64 bits: the engine cannot read them, so they become real numbers. */
function isReadable(number: string): boolean {
  if (!/^-?\d+$/.test(number)) return true
  const whole = BigInt(number)
  return isInt64(whole) || BigInt.asUintN(64, whole) === whole
}
