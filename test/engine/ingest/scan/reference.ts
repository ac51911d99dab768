import type { PlainLeaf } from '../../../../src/engine/ingest/scan/scan-schema.js'
import { PLAIN } from '../../../../src/engine/ingest/scan/scan-schema.js'
import { pathKey } from '../../../../src/wire/json/field-path.js'

// The rules for plain events, with the parser of JavaScript and regular expressions.

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface LineFacts {
  readonly lines: number
  readonly events: number
  readonly hasCarriageReturns: boolean
  readonly hasByteOrderMark: boolean
  readonly isPlain: boolean
}

/** Returns the facts about a file from its lines, each decoded by itself. */
export function factsOf(bytes: Buffer, leaves: readonly PlainLeaf[]): LineFacts {
  const lines = bytes.toString('latin1').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const hasByteOrderMark = lines[0]?.startsWith('\xef\xbb\xbf') ?? false
  const filled = lines.map((line, i) => (i === 0 && hasByteOrderMark ? line.slice(3) : line))
  return {
    lines: lines.length,
    events: filled.filter((line) => !/^[ \t\r]*$/.test(line)).length,
    hasCarriageReturns: lines.some((line) => line.endsWith('\r')),
    hasByteOrderMark,
    isPlain: lines.every((line) => /^\r?$/.test(line) || isPlainEvent(line, leaves)),
  }
}

/** True for a plain event; each character of `line` is a byte. */
export function isPlainEvent(line: string, leaves: readonly PlainLeaf[]): boolean {
  try {
    const text = decoder.decode(Buffer.from(line, 'latin1'))
    const event: unknown = JSON.parse(text)
    const isObject = typeof event === 'object' && event !== null && !Array.isArray(event)
    return isObject && isExpected(text.match(TOKEN) ?? [], leaves)
  } catch {
    return false
  }
}

/** Walks the tokens of valid JSON. */
function isExpected(tokens: readonly string[], leaves: readonly PlainLeaf[]): boolean {
  const kinds = new Map(leaves.map(({ path, kinds }) => [pathKey(path), kinds]))
  const seen = new Set<string>()
  const path: string[] = []
  for (const [i, token] of tokens.entries()) {
    if (token === '{' && tokens[i + 1] === '}') return false
    if (token === '[') return false
    if (token === '}') path.pop()
    if (tokens[i + 1] === ':') {
      if (token.includes('\\') || token === '""') return false
      path.push(token.slice(1, -1))
      if (seen.has(pathKey(path))) return false
      seen.add(pathKey(path))
    }
    if (tokens[i - 1] !== ':' || token === '{') continue
    const inner = path.slice(0, -1).map((_, depth) => pathKey(path.slice(0, depth + 1)))
    if (inner.some((outer) => kinds.has(outer))) return false
    if (((kinds.get(pathKey(path)) ?? 0) & kindOf(token)) === 0) return false
    path.pop()
  }
  return true
}

/** Returns the kind of a scalar; 0 for one that no plain event has. */
function kindOf(token: string): number {
  if (token.startsWith('"')) return /\p{Surrogate}/u.test(JSON.parse(token)) ? 0 : PLAIN.string
  if (token === 'null') return PLAIN.null
  if (token === 'true' || token === 'false') return PLAIN.bool
  if (/^-?\d+$/.test(token)) return intKind(token)
  const [mantissa = '', exponent = '0'] = token.split(/[eE]/)
  const isModerate = mantissa.replace(/\D/g, '').length <= 30 && /^[+-]?\d\d?$/.test(exponent)
  return isModerate ? PLAIN.real : 0
}

function intKind(token: string): number {
  const { length } = token.replace('-', '')
  if (token === '-0' || length > 19) return 0
  if (length === 19 && token.replace('-', '').startsWith('9')) return 0
  return length <= 15 ? PLAIN.int : PLAIN.long
}
