import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reply } from '../support/served.js'

const SRC = join(import.meta.dirname, '../../src')

/** The problem codes that occur in the source. */
const CODES: ReadonlySet<string> = new Set(
  readdirSync(join(SRC, 'apl'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join(SRC, 'apl', file), 'utf8').matchAll(/\bcode: '([a-z0-9-]+)'/g),
    ])
    .map((match) => match[1]!),
)

/** Terms that only the engine uses. */
const ENGINE_WORDS =
  /DB::|Exception|ClickHouse|Nullable|Code: \d|Int64|Float64|DateTime64|LowCardinality|undefined|\[object|arrayMap|JSONExtract|toString\(|chdb|\bSELECT\b.*\bFROM\b|of type (?:Array|String)/

/** Returns what is wrong with a response regardless of the query; undefined for a valid one. */
export function fault(apl: string, reply: Reply): string | undefined {
  if ('rows' in reply) return undefined
  const { status, error } = reply
  if (![400, 404, 422, 432].includes(status)) return `status ${status}: ${error.message}`
  const problems = error.problems ?? []
  for (const { code, span, message, label = '', help = '' } of problems) {
    if (!CODES.has(code)) return `the code \`${code}\` is not known`
    const isInside = span.start >= 0 && span.start <= span.end && span.end <= apl.length
    if (!isInside) return `${code} is at ${span.start}..${span.end} of ${apl.length}`
    const spoken = withoutQuoted(`${message} ${label} ${help}`)
    if (ENGINE_WORDS.test(spoken)) return `in the engine's words: ${message} ${label} ${help}`
    if (!/[.!?]$/.test(message)) return `no sentence: ${message}`
  }
  if (problems.length === 0 && ENGINE_WORDS.test(error.message)) {
    return `in the engine's words: ${error.message}`
  }
  return undefined
}

/** Returns the message without the parts that quote the query. */
function withoutQuoted(text: string): string {
  return text.replace(/`[^`]*`/g, '')
}
