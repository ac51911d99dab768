import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { evq } from '../../support/evq.js'
import { temporaryDirectory } from '../../support/temporary.js'

const ROUNDS = Number(process.env.EVQ_HAND_OVERS ?? 1)

const scratch = temporaryDirectory()

/** The commands of a round; each changes or reads something that no other one changes. */
function commands(round: number): readonly (readonly string[])[] {
  const save = (name: string) => ['starred', 'create', '--name', name, '--apl', 'kept | count']
  return [
    ...['1', '2', '3', '4', '5', '6'].map((name) => save(`query ${round} ${name}`)),
    ...['1', '2', '3'].map((name) => ['token', 'create', `t${round}-${name}`, '--query', 'kept']),
    ['dataset', 'rename', `a${round}`, `renamed${round}`],
    ['dataset', 'delete', `b${round}`, '--yes'],
    ['dataset', 'trim', `c${round}`, '--before', '2026-01-01T00:00:01Z', '--yes'],
    ['dataset', 'retain', `c${round}`, '99999d'],
    ['ingest', `d${round}`],
    ['ingest', `e${round}`],
    ['query', 'kept | count', '--since', '2025-01-01'],
    ['page', 'kept'],
    ['dataset', 'list'],
    ['dataset', 'show', 'kept'],
    ['starred', 'list'],
  ]
}

const EVENTS = '{"_time":"2026-01-01T00:00:00Z","n":1}\n{"_time":"2026-01-01T00:00:02Z","n":2}\n'

it('commands that share a data directory all succeed, while each of them may be the one that serves it', {
  timeout: 240_000 + ROUNDS * 60_000,
}, async () => {
  const directory = join(scratch, 'data')
  await mkdir(directory)
  const run = (args: readonly string[]) => evq([...args], { directory, stdin: EVENTS })
  const done = async (args: readonly string[]) => {
    const { status, stderr, stdout } = await run(args)
    expect([args, status, stderr]).toEqual([args, 0, expect.anything()])
    return stdout
  }
  await done(['ingest', 'kept'])
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ['a', 'b', 'c']) await done(['ingest', `${name}${round}`])
    const all = commands(round)
    const ended = await Promise.all(all.map(run))
    const failed = ended.flatMap(({ status, stderr }, i) =>
      status === 0 ? [] : [{ args: all[i], status, stderr }],
    )
    expect([round, failed]).toEqual([round, []])
  }
  const saved = await done(['starred', 'list', '-o', 'csv'])
  expect(saved.match(/query \d+ \d/g)).toHaveLength(6 * ROUNDS)
  const tokens = await done(['token', 'list', '-o', 'csv'])
  expect(tokens.match(/^.*t\d+-\d/gm)).toHaveLength(3 * ROUNDS)
  const datasets = (await done(['dataset', 'list', '-o', 'csv']))
    .split('\n')
    .map((line) => line.split(',').slice(0, 2).join(' '))
  const expected = Array.from({ length: ROUNDS }, (_, round) => [
    ...[`renamed${round} 2`, `c${round} 1`, `d${round} 2`, `e${round} 2`],
  ]).flat()
  expect(datasets).toEqual(expect.arrayContaining(expected))
  expect(datasets.some((line) => /^[ab]\d/.test(line))).toBe(false)
})
