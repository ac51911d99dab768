import { execFileSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { previewFiles } from '../../../../src/cli/commands/view/preview.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const directory = temporaryDirectory()
const DIGITS = 6

/** Writes a log whose events have a number and so many more characters. */
function logOf(name: string, events: number, length: number): string {
  const file = join(directory, name)
  const lines = Array.from(
    { length: events },
    (_, at) =>
      `2026-01-31 10:00:00 INFO event ${String(at).padStart(DIGITS, '0')} ${'x'.repeat(length)}\n`,
  )
  writeFileSync(file, lines.join(''))
  return file
}

/** Returns the numbers of the events at an end of a file, and whether they are all. */
async function shown(file: string, end: 'head' | 'tail') {
  const preview = await previewFiles([file], { read: {}, timestampField: undefined, end })
  const numbers = preview?.rows.map(({ cells }) =>
    Number(/event (\d+)/.exec(cells.get('message') ?? '')?.[1]),
  )
  return { numbers, isWhole: preview?.isWhole }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

it('has all events of a short file', async () => {
  const file = logOf('short.log', 30, 10)
  expect(await shown(file, 'head')).toEqual({ numbers: range(0, 30), isWhole: true })
  expect(await shown(file, 'tail')).toEqual({ numbers: range(0, 30), isWhole: true })
})

it.each([
  ['short lines', 20_000, 10],
  ['lines of which few fit into a block', 3_000, 3_000],
])('has consecutive events at each end of a long file: %s', async (name, events, length) => {
  const file = logOf(`${name}.log`, events, length)
  const head = await shown(file, 'head')
  const count = head.numbers!.length
  expect(count).toBeGreaterThan(60)
  expect(head).toEqual({ numbers: range(0, count), isWhole: false })
  const tail = await shown(file, 'tail')
  const first = tail.numbers![0]!
  expect(tail).toEqual({ numbers: range(first, events), isWhole: false })
})

it('leaves a named pipe alone', async () => {
  const pipe = join(directory, 'events')
  execFileSync('mkfifo', [pipe])
  expect(await shown(pipe, 'head')).toEqual({ numbers: undefined, isWhole: undefined })
})

it('has the last line of a file that is being written', async () => {
  const file = logOf('written.log', 5_000, 10)
  appendFileSync(file, '2026-01-31 10:00:01 INFO event 5000 is ha')
  const { numbers } = await shown(file, 'tail')
  expect(numbers?.at(-1)).toBe(5_000)
})

it('has the places of events in their files, as far as they are known', async () => {
  const [short, long] = [logOf('first.log', 2, 10), logOf('second.log', 20_000, 10)]
  const places = async (end: 'head' | 'tail') => {
    const read = { hasSourceFields: true }
    const preview = await previewFiles([short, long], { read, timestampField: undefined, end })
    return preview!.rows.map(({ cells }) =>
      ['_file', '_line', '_offset'].map((name) => cells.get(name)),
    )
  }
  const head = await places('head')
  expect(head[0]).toEqual([JSON.stringify(short), '1', '0'])
  expect(head.at(-1)?.[0]).toBe(JSON.stringify(long))
  const tail = await places('tail')
  expect(tail.at(-1)).toEqual([JSON.stringify(long), undefined, undefined])
})
