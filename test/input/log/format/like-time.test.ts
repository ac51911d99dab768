import { describe, expect, it } from 'vitest'
import { timePattern } from '../../../../src/input/log/format/compiled-format.js'
import { likeTime } from '../../../../src/input/log/format/like-time.js'
import { TIME_LAYOUTS } from '../../../../src/input/log/time/time-layouts.js'

const ZONES = [
  ...['', 'Z', ' Z', '+01', ' -0800', '+05:30', ' UTC', 'GMT', ' CEST', ' UTC+1', ' GMT-3:30'],
  ...[' Europe/Berlin', ' America/Argentina/Buenos_Aires', ' Etc/GMT+12', ' US', '+1'],
]
const WITH_ZONE = TIME_LAYOUTS.filter(({ pattern }) => likeTime(timePattern(pattern)) !== undefined)

const whole = (pattern: string) => new RegExp(`^${pattern}$`)

describe('likeTime', () => {
  it('has an expression for most layouts', () => {
    expect(WITH_ZONE.length).toBeGreaterThan(TIME_LAYOUTS.length / 2)
    expect(likeTime(timePattern('\\d+'))).toBeUndefined()
  })

  it.each(WITH_ZONE.map((layout) => [layout.name, layout] as const))(
    'matches whatever %s does',
    (_, { pattern, example }) => {
      const time = timePattern(pattern)
      const like = likeTime(time)!
      const texts = ZONES.map((zone) => `${example.replace(/ [+-]\d+$|Z$/, '')}${zone}`)
      const times = texts.filter((text) => whole(time).test(text))
      expect(times).not.toEqual([])
      expect(times.filter((text) => !whole(like).test(text))).toEqual([])
    },
  )
})
