import { describe, expect, it } from 'vitest'
import { findLayout } from '../../../../src/input/log/time/line-layout.js'
import { LineTimes } from '../../../../src/input/log/time/line-times.js'
import { utf8AsLatin1 } from '../../../../src/text/bytes.js'
import { ZONE_HOURS } from '../../../../src/wire/time/time-pattern.js'
import { timeZone } from '../../../../src/wire/time/time-zone.js'
import { RUNS } from '../../../support/runs.js'

const NOW = 1_800_000_000_000_000_000n
const SECONDS = ['2026-02-03 04:05:06', '2026-02-03 04:05:07', '2026-02-03 23:59:59']
const FRACTIONS = ['', '.5', ',250', '.123456789', '.1234567891', ',']
const ZONES = [
  ...[
    '',
    'Z',
    ' Z',
    '+01:00',
    ' +0100',
    '-0030',
    '+01',
    ' UTC',
    '+00:00',
    ' +15:00',
    ' GMT',
    'CET',
  ],
  ...[' EDT', ' XYZ'],
]
const ENDS = [
  ...['', ' started', 'x', '] started', ' PM', ':30 started', '-', ' +0200 up', 'Z', '/', '+2 up'],
  ...[' -3 up', ' UTC up', '[Etc/UTC] up', ' - up'],
]
const LINES = SECONDS.flatMap((second) =>
  FRACTIONS.flatMap((fraction) =>
    ZONES.flatMap((zone) => ENDS.map((end) => `${second}${fraction}${zone}${end}`)),
  ),
)

describe('the time of a line', () => {
  it.each([undefined, 'Europe/Berlin'])(
    'does not depend on the line that was read before it, with the default zone %s',
    (name) => {
      const zone = name === undefined ? undefined : timeZone(name)!
      const newTimes = () => new LineTimes(findLayout('start:iso')!, NOW, zone && { zone })
      const alone = LINES.map((line) => read(newTimes(), line))
      for (const [index, first] of LINES.entries()) {
        if (index % (RUNS > 10 ? 17 : 53) !== 0) continue
        const times = newTimes()
        const after = LINES.map((line) => {
          times.read(first)
          return read(times, line)
        })
        expect(after, first).toEqual(alone)
      }
    },
  )

  it('does not depend on it in front of a word that begins with any two characters', () => {
    const layout = findLayout('start:iso')!
    const signs = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at))
    const words = signs.flatMap((first) => signs.map((second) => `${first}${second}`))
    for (const zone of [',789', 'Z', ' UTC', ' GMT', ' CEST']) {
      const head = `2026-02-03 04:05:06${zone}`
      const lines = words.map((word) => `${head} ${word} x`)
      const times = new LineTimes(layout, NOW)
      const after = lines.map((line) => {
        times.read(`${head} started`)
        return read(times, line)
      })
      expect(after).toEqual(lines.map((line) => read(new LineTimes(layout, NOW), line)))
    }
  })

  const HALVES = 'am AM pm PM p.m. DOP. EM FM \u03bc\u03bc \u5348\u5f8c'.split(' ')
  const OTHERS = ['', '[x]', '|', '- x', 'at', 'A', 'started', 'Started', 'ERROR', 'EMERG']
  const WORDS = [...Object.keys(ZONE_HOURS), 'Z', 'GMT+3', 'Asia/Tokyo', ...HALVES, ...OTHERS]
  const CLOCKS = '10:00:00 10:00:01 10:01:02 12:30:07 10:00:00,123 1:00:01 0:00 0:01'.split(' ')

  it.each([
    ['iso', '2026-02-13 '],
    ['iso', '2026-02-13:1'],
    ['day.month.year', '13.02.2026 '],
    ['month/day/year', '02/13/2026 '],
    ['day/month/year', '13/02/2026 '],
    ['month-name day year', 'Feb 13, 2026 '],
    ['month-name day', 'Feb 13 '],
    ['day month-name year', '13 Feb 2026 '],
    ['half clock', '2026/02/13 \u4e0a\u5348 '],
  ])('does not depend on it with zones, AM and PM, in the layout %s with `%s`', (name, date) => {
    const layout = findLayout(`start:${name}`)!
    const lines = CLOCKS.flatMap((clock) =>
      WORDS.map((word) => utf8AsLatin1(`${date}${clock} ${word}`)),
    )
    for (const zone of [undefined, timeZone('Europe/Berlin')]) {
      const newTimes = () => new LineTimes(layout, NOW, zone && { zone })
      const alone = lines.map((line) => read(newTimes(), line))
      expect(alone.filter((line) => !line.endsWith('none')).length).toBeGreaterThan(50)
      for (const first of lines.filter((_, at) => at % 7 === 0)) {
        const times = newTimes()
        const after = lines.map((line) => {
          times.read(first)
          return read(times, line)
        })
        expect(after, first).toEqual(alone)
      }
    }
  })
})

/** Returns the time and the position after it. */
function read(times: LineTimes, line: string): string {
  const time = times.read(line)
  return time === undefined ? `${line}: none` : `${line}: ${time} up to ${times.end}`
}
