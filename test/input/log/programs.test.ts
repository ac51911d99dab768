import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { eventsOf } from './sample-events.js'

/**
 * Lines as programs write them. In `programs.txt`, `== name` is in front of the lines of a program, and `=> fields` after
 * those of each event: the fields to look at, as its program means them. A field that is null is absent, and `_time` is the
 * time of 2026-11-20 without zeros at its end.
 */
const PROGRAMS = readFileSync(join(import.meta.dirname, 'programs.txt'), 'utf8')
  .split(/^== /m)
  .slice(1)
  .map(programOf)

function programOf(section: string) {
  const [name, ...lines] = section.trimEnd().split('\n')
  const isLog = (line: string) => !line.startsWith('=> ')
  const expected = lines.filter((line) => !isLog(line)).map((line) => JSON.parse(line.slice(3)))
  return { name, log: `${lines.filter(isLog).join('\n')}\n`, expected }
}

it.each(PROGRAMS)('the lines of $name are read as it means them', async ({ log, expected }) => {
  const events = await eventsOf(Buffer.from(log))
  const actual = events.map(({ fields }, index) => {
    const all: Readonly<Record<string, unknown>> = { ...fields, _time: clockOf(fields._time) }
    const names = Object.keys(expected[index] ?? all)
    return Object.fromEntries(names.map((name) => [name, all[name] ?? null]))
  })
  expect(actual).toEqual(expected)
})

function clockOf(time: unknown): unknown {
  return typeof time === 'string'
    ? time.replace(/^2026-11-20T|Z$/g, '').replace(/(?:\.0+|(?<=\.\d+)0+)$/, '')
    : time
}
