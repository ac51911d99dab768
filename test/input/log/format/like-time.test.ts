import { describe, expect, it } from 'vitest'
import { timePattern } from '../../../../src/input/log/format/compiled-format.js'
import { timeEnds, timeScan } from '../../../../src/input/log/format/like-time.js'
import { TIME_LAYOUTS } from '../../../../src/input/log/time/time-layouts.js'

const ZONES = [
  ...['', 'Z', ' Z', '+01', ' -0800', '+05:30', ' UTC', 'GMT', ' CEST', ' UTC+1', ' GMT-3:30'],
  ...[' Europe/Berlin', ' America/Argentina/Buenos_Aires', ' Etc/GMT+12', ' US', '+1'],
]

describe('timeScan', () => {
  it.each(TIME_LAYOUTS.map((layout) => [layout.name, layout] as const))(
    'finds whatever %s matches, and where its date and clock end',
    (_, { pattern, example }) => {
      const time = new RegExp(timePattern(pattern), 'y')
      const scan = timeScan(timePattern(pattern))
      const texts = ZONES.map((zone) => `${example.replace(/ [+-]\d+$|Z$/, '')}${zone}`)
      const matches = texts.flatMap((text) => {
        time.lastIndex = 0
        return time.test(text) ? [{ text, end: time.lastIndex }] : []
      })
      expect(matches).not.toEqual([])
      const lost = matches.filter(({ text, end }) => {
        const [first, last] = timeEnds(scan, text, 0) ?? [Infinity, 0]
        return end < first || end > last
      })
      expect(lost).toEqual([])
    },
  )

  it('finds nothing in other text', () => {
    const [{ pattern }] = TIME_LAYOUTS as [(typeof TIME_LAYOUTS)[0]]
    expect(timeEnds(timeScan(timePattern(pattern)), 'at 10:00', 0)).toBeUndefined()
  })

  it('finds times in the format that the user gave', () => {
    expect(timeEnds(timeScan('<\\d+>'), 'x<12> y', 1)).toEqual([2, 5])
  })
})
