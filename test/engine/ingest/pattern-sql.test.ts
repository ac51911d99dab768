import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/engine/engine.js'
import { timeByPattern } from '../../../src/engine/ingest/pattern-sql.js'
import { list, raw, sql, text } from '../../../src/sql/sql.js'
import { compileLayout } from '../../../src/wire/time/go-layout.js'
import { parseByPattern, type TimePattern } from '../../../src/wire/time/time-pattern.js'
import { openTestEngine } from '../../support/engine.js'
import { limits } from '../temporary-store.js'

const LAYOUTS = [
  '2006-01-02 15:04:05',
  '02/Jan/2006:15:04:05 -0700',
  'Mon Jan _2 15:04:05 2006',
  'Mon, 2 Jan 2006 15:04:05 MST',
  '2006-01-02T15:04:05.999999999Z07:00',
  'January 2, 2006 3:04:05.000 pm',
  '1/2/06 3:04 PM',
  '20060102150405',
  '2006-002 15:04:05,999 -07:00:00',
  '2/1/2006',
]

let random = 42
/** Returns a pseudo-random integer below `limit`, the same in each run. */
function below(limit: number): number {
  random = (Math.imul(random, 1_103_515_245) + 12_345) & 0x7fffffff
  return Math.floor((random / 0x80000000) * limit)
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/** Formats a time in a layout, with the calendar of another program. */
function write(layout: string, time: Date, nanoseconds: number): string {
  const word = (options: Intl.DateTimeFormatOptions) =>
    time.toLocaleString('en-US', { timeZone: 'UTC', ...options })
  const year = time.getUTCFullYear()
  const dayOfYear =
    (Date.UTC(year, time.getUTCMonth(), time.getUTCDate()) - Date.UTC(year, 0, 0)) / 86_400_000
  const hour = time.getUTCHours()
  const values: Record<string, string> = {
    '2006': String(year),
    '06': two(year % 100),
    '002': String(dayOfYear).padStart(3, '0'),
    '01': two(time.getUTCMonth() + 1),
    '02': two(time.getUTCDate()),
    _2: String(time.getUTCDate()).padStart(2, ' '),
    '15': two(hour),
    '04': two(time.getUTCMinutes()),
    '05': two(time.getUTCSeconds()),
    '1': String(time.getUTCMonth() + 1),
    '2': String(time.getUTCDate()),
    '3': String(hour % 12 === 0 ? 12 : hour % 12),
    January: word({ month: 'long' }),
    Jan: word({ month: 'short' }),
    Mon: word({ weekday: 'short' }),
    MST: 'GMT',
    PM: hour < 12 ? 'AM' : 'PM',
    pm: hour < 12 ? 'am' : 'pm',
    '-07:00:00': '+00:00:00',
    '-0700': '+0000',
    'Z07:00': 'Z',
    '.999999999': `.${String(nanoseconds).padStart(9, '0')}`,
    ',999': `,${String(nanoseconds).padStart(9, '0').slice(0, 6)}`,
    '.000': `.${String(nanoseconds).padStart(9, '0').slice(0, 3)}`,
  }
  const forms = Object.keys(values).sort((a, b) => b.length - a.length)
  const escaped = forms.map((form) => form.replace(/[.]/g, '\\.'))
  return layout.replace(new RegExp(escaped.join('|'), 'g'), (form) => values[form] ?? form)
}

function someTime(): Date {
  return new Date(Date.UTC(1971 + below(90), 0, 1) + below(365) * 86_400_000 + below(86_400) * 1000)
}

/** Returns a string with one character removed, doubled or replaced. */
function damaged(written: string): string {
  const at = below(written.length)
  const other = '0123456789 :./-+APMZx'[below(21)]
  const middle = ['', `${written[at]}${written[at]}`, other][below(3)]
  return written.slice(0, at) + middle + written.slice(at + 1)
}

describe('time patterns in SQL', () => {
  let engine: Engine
  beforeAll(async () => {
    engine = await openTestEngine()
  })
  afterAll(() => engine.close())

  async function read(
    pattern: TimePattern,
    written: readonly string[],
  ): Promise<(bigint | undefined)[]> {
    const time = timeByPattern(raw('written'), pattern, 'parts')
    if (time === undefined) throw new Error('nothing for the engine')
    const { columns } = await engine.read(
      sql`SELECT toString(${time}) AS v FROM (SELECT arrayJoin([${list(written.map(text))}]) AS written)`,
      limits,
    )
    const values: (string | null)[] = JSON.parse(columns.get('v') ?? '[]')
    return values.map((value) => (value === null ? undefined : BigInt(value)))
  }

  it.each(LAYOUTS)('parses times written as %s', async (layout) => {
    const pattern = compileLayout(layout)!
    const cases = Array.from({ length: 300 }, () => {
      const time = someTime()
      return { time, text: write(layout, time, below(1_000_000_000)) }
    })
    const found = await read(
      pattern,
      cases.map((one) => one.text),
    )
    cases.forEach(({ time, text }, i) => {
      const exact = parseByPattern(text, pattern)
      expect(found[i], text).toBe(exact)
      // The layout may omit some of the digits.
      const unit = /5/.test(layout.replace('15', ''))
        ? 1_000_000_000n
        : /4/.test(layout)
          ? 60_000_000_000n
          : 86_400_000_000_000n
      const whole = BigInt(time.getTime()) * 1_000_000n
      expect((exact ?? 0n) / unit, text).toBe(whole / unit)
    })
  })

  it.each(LAYOUTS)('returns null for times that do not match %s', async (layout) => {
    const pattern = compileLayout(layout)!
    const written = Array.from({ length: 1000 }, () =>
      damaged(write(layout, someTime(), below(1_000_000_000))),
    )
    const found = await read(pattern, written)
    written.forEach((text, i) => {
      if (found[i] !== undefined) expect(found[i], text).toBe(parseByPattern(text, pattern))
    })
  })
})
