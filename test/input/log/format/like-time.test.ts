import { describe, expect, it } from 'vitest'
import { timePattern } from '../../../../src/input/log/format/compiled-format.js'
import { likeTime } from '../../../../src/input/log/format/like-time.js'
import { TIME_LAYOUTS } from '../../../../src/input/log/time/time-layouts.js'
import { matchAt } from '../../../../src/text/match-at.js'

const ZONES = [
  ...['', 'Z', ' Z', '+01', ' -0800', '+05:30', ' UTC', 'GMT', ' CEST', ' UTC+1', ' GMT-3:30'],
  ...[' Europe/Berlin', ' America/Argentina/Buenos_Aires', ' Etc/GMT+12', ' US', '+1'],
]

describe('likeTime', () => {
  it.each(TIME_LAYOUTS.map((layout) => [layout.name, layout] as const))(
    'finds whatever %s matches',
    (_, { pattern, example }) => {
      const time = new RegExp(timePattern(pattern), 'y')
      const texts = ZONES.map((zone) => `${example.replace(/ [+-]\d+$|Z$/, '')}${zone}`)
      const matches = texts.filter((text) => matchAt(time, text, 0) !== null)
      expect(matches).not.toEqual([])
      const like = likeTime(timePattern(pattern))
      expect(matches.filter((text) => matchAt(like, text, 0) === null)).toEqual([])
    },
  )

  it('finds nothing in other text', () => {
    const [{ pattern }] = TIME_LAYOUTS as [(typeof TIME_LAYOUTS)[0]]
    expect(matchAt(likeTime(timePattern(pattern)), 'at 10:00', 0)).toBeNull()
  })

  it('finds times in the format that the user gave', () => {
    expect(matchAt(likeTime('<\\d+>'), 'x<12> y', 1)?.[0]).toBe('<12>')
  })
})
