import { Command } from 'commander'
import { afterEach, expect, it } from 'vitest'
import { timeZoneOption } from '../../../src/cli/option/time-zone.js'
import type { TimeZone } from '../../../src/wire/time/time-zone.js'

const before = process.env.TZ

afterEach(() => {
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})

/** Noon of January 1, 1970. */
const NOON = 43_200_000_000_000n

it.each([
  ['Asia/Kathmandu', 330],
  ['', 0],
  ['Invalid/Zone', 0],
])('`local` is the zone of `TZ=%s`', (zone, minutes) => {
  process.env.TZ = zone
  const command = new Command().addOption(timeZoneOption('zone'))
  const { timezone } = command
    .parse(['-z', 'local'], { from: 'user' })
    .opts<{ timezone: TimeZone }>()
  expect(timezone.offsetAt(NOON)).toBe(minutes)
})
