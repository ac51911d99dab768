import { describe, expect, it } from 'vitest'
import { LINE_FORMATS } from '../../../src/input/log/format/formats.js'
import { examplesOf } from './format/examples.js'
import { type ActualEvent, SAMPLES } from './sample.js'
import { eventsOf } from './sample-events.js'

const LOGS = SAMPLES.filter(({ isStructured }) => !isStructured)

/** Returns the fields of the events of a log, with line feeds for line ends. */
async function fieldsOf(log: Buffer | string): Promise<unknown> {
  const events = await eventsOf(Buffer.from(log))
  return JSON.parse(JSON.stringify(events.map(({ fields }) => fields)).replaceAll('\\r\\n', '\\n'))
}

describe.each(LOGS)('the events of $name are the same', ({ log }) => {
  const text = log.toString('utf8').replaceAll('\r\n', '\n')
  let plain: Promise<unknown> | undefined
  const expected = () => (plain ??= fieldsOf(text))

  it('with CRLF as with LF', async () => {
    expect(await fieldsOf(text.replaceAll('\n', '\r\n'))).toEqual(await expected())
  })

  it('after a byte order mark', async () => {
    expect(await fieldsOf(`\ufeff${text}`)).toEqual(await expected())
  })

  it('without a line end at the end', async () => {
    expect(await fieldsOf(text.slice(0, -1))).toEqual(await expected())
  })
})

/** Labels in front of values that became fields with other names. */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  'more/mysql-slow': ['id', 'time'],
  'more/postgresql-prefix': ['client'],
  'services/coredns': ['037990251s', '000156s', '000s'],
  'services/uwsgi': ['on', 'in', 'msecs', 'generated', 'vars', 'req'],
}

it.each(LOGS)('every word of $name is in a field or in the time', async ({ name, log }) => {
  const labels = LABELS[name] ?? []
  for (const event of await eventsOf(log)) {
    expect(lostOf(event).filter((word) => !labels.includes(word))).toEqual([])
  }
})

/** Every example with text at its end, and with a line behind it that no format has. */
const WITH_REST = LINE_FORMATS.flatMap((format) =>
  examplesOf(format).flatMap((example) => [
    [format.name, `${example}\n${example} QXrest\n`] as const,
    [format.name, `${example}\n${example}\n    QXrest of it\n`] as const,
  ]),
)

it.each(WITH_REST)('text behind an event of %s is in a field: %s', async (_, log) => {
  const events = await eventsOf(Buffer.from(log))
  expect(JSON.stringify(events.map(({ fields }) => fields))).toContain('QXrest')
})

/** Parts of times, and the levels of klog, which the time follows. */
const TIME_WORD =
  /^(?:\d+|\d+t\d+|\d+z|[tz]|am|pm|utc|cet|europe|berlin|[iwef]\d{4}|sun|fri|jan|feb|mar|apr|jun|jul|sep|oct|nov|dec)$/
/** The first letter of the level, which follows. */
const RUBY_LEVEL = /^[diwefau]$/
/** The words of `2026-11-20 10:00:00.123 +01:00`. */
const MAX_TIME_WORDS = 9

/** Returns the words of the text of an event that its fields do not have as often and that are not those of one time. */
function lostOf({ fields, text = '' }: ActualEvent): readonly string[] {
  const counts = new Map<string, number>()
  const { _time, ...others } = fields
  for (const word of wordsOf(namesAndValues(others))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const lost = wordsOf(withoutContainer(text).replace(/[\w.]+=(?=\S)/g, ''))
    .reverse()
    .filter((word) => {
      const count = counts.get(word) ?? 0
      counts.set(word, count - 1)
      return count <= 0
    })
  const unlike = lost.filter((word) => !TIME_WORD.test(word) && !RUBY_LEVEL.test(word))
  return lost.length - unlike.length > MAX_TIME_WORDS ? lost : unlike
}

/** Brackets of the layout that have no partner: after the place in the source, and in arrows. */
const UNPAIRED: readonly string[] = [
  ...['klog', 'tensorflow', 'etcd', 'glog'],
  // Arrows.
  ...['suricata-fast', 'snort-full', 'uwsgi', 'wazuh-alerts'],
]

it.each(LOGS.filter(({ name }) => !UNPAIRED.some((one) => name.endsWith(one))))(
  'of $name only brackets and quotes in pairs are left out',
  async ({ log }) => {
    for (const { fields, text = '' } of await eventsOf(log)) {
      const kept = namesAndValues(fields)
      const dropped = (sign: string) =>
        Math.max(0, count(withoutContainer(text), sign) - count(kept, sign))
      for (const [opening, closing] of ['[]', '()', '{}', '<>']) {
        expect(dropped(opening!), `${opening} in ${text}`).toBe(dropped(closing!))
      }
      expect(dropped('"') % 2, `quotes in ${text}`).toBe(0)
    }
  },
)

function count(text: string, sign: string): number {
  return text.split(sign).length - 1
}

const CRI = /^(\S+) (stdout|stderr) [FP] (.*)$/

/** Returns the text as its program wrote it, with the time and the stream of the first line of a container. */
function withoutContainer(text: string): string {
  const lines = text.split('\n').map((line, index) => {
    const [, time, stream, log] = CRI.exec(line) ?? []
    const record = line.startsWith('{"log":') ? JSON.parse(line) : { time, stream, log }
    if (record.log === undefined) return line
    return index === 0 ? `${record.time} ${record.stream} ${record.log}` : record.log
  })
  return lines.join('\n')
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function namesAndValues(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, member]) => `${name} ${namesAndValues(member)}`)
    .join('\n')
}
