import { expect, it } from 'vitest'
import { detectLayout } from '../../../src/input/log/detect-layout.js'
import { LINE_FORMATS } from '../../../src/input/log/format/formats.js'
import { detectTextLayout } from '../../../src/input/log/text-layout.js'
import { NOW } from './support.js'

/** Formats that nearly any line has. */
const GENERAL: readonly (string | undefined)[] = ['text', 'level', undefined]

it('lines of all formats have none of them', () => {
  const lines = LINE_FORMATS.flatMap(({ examples }) => examples.slice(0, 1))
  for (const shift of [0, 20, 40]) {
    const sample = [...lines.slice(shift), ...lines.slice(0, shift)].join('\n')
    const found = detectTextLayout(`${sample}\n`, { now: NOW })
    expect(GENERAL).toContain(found.format?.name)
  }
})

it.each([
  '2026-02-25T15:08:29.098Z [AUTH] WARN: x\n2026-02-25T15:08:30.098Z [API] INFO: y\n',
  '2026-02-25T15:08:29.098Z main error: x\n2026-02-25T15:08:30.098Z main info: y\n',
])('a level is neither a host nor a program of syslog: %s', (sample) => {
  expect(detectLayout(sample, { now: NOW }).kind).toBeUndefined()
})
