import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { evq, start } from '../support/evq.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'
import { numbersFrom } from './random.js'
import { KillableService } from './service.js'

/** `EVQ_KILLS=100` is the long run; `EVQ_KILL_SEED` repeats a failed seed. */
const ROUNDS = Number(process.env.EVQ_KILLS ?? 1)
const FIRST_SEED = Number(process.env.EVQ_KILL_SEED ?? 1)
const EVENTS = process.env.EVQ_KILLS === undefined ? 20_000 : 60_000
const MOST_RUNS = 100

const scratch = temporaryDirectory()
/** A few hundred events of each time; the export takes many pages. */
const LINES = Array.from(
  { length: EVENTS },
  (_, n) =>
    `{"_time":${1_767_225_600 + Math.floor(n / 300)},"n":${n},"pad":"${'x'.repeat(100)}"}\n`,
).join('')

it(
  'an export has each row once, whether itself or the service is killed',
  async () => {
    const local = join(scratch, 'local')
    const service = await KillableService.start(join(scratch, 'served'))
    try {
      const places = [
        { directory: local, ways: [[], ['--direction', 'asc']] },
        {
          ...{ directory: join(scratch, 'unused'), env: service.env },
          ways: [
            ['--by', 'cursor'],
            ['--parallel', '3'],
          ],
        },
      ]
      for (const place of places) {
        expect(await evq(['ingest', 'logs'], { ...place, stdin: LINES })).toMatchObject({
          status: 0,
        })
      }
      for (let seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
        const random = numbersFrom(seed)
        for (const place of places) {
          const folder = join(scratch, `${seed}`)
          mkdirSync(folder)
          const out = join(folder, 'out.csv')
          const way = place.ways[seed % 2]!
          const range = ['--until', '2026-02-01', '--page-size', String(EVENTS / 20)]
          const args = ['page', "['logs']", '--columns', 'n', ...range, ...way, '-O', out]
          const whole = await evq([...args, '--checkpoint', join(folder, 'whole')], place)
          expect(whole, whole.stderr).toMatchObject({ status: 0 })
          const expected = readFileSync(out, 'utf8')
          expect(new Set(expected.split('\n')).size).toBe(EVENTS + 2)
          rmSync(out)
          const state = join(folder, 'state')
          const resumable = [...args, '--checkpoint', state]
          let status: number | null = null
          for (let run = 0; status !== 0 && run < MOST_RUNS; run++) {
            const exporting = start(resumable, place)
            const end = rowsIn(state) + random() * 0.5 * EVENTS
            const isOver = () => exporting.child.exitCode !== null
            // Some runs end before they get there.
            await until(() => isOver() || rowsIn(state) > end, 'the export got there')
            if ('env' in place && run % 2 === 0) await service.killAndRestart(random() * 100)
            else exporting.child.kill('SIGKILL')
            status = (await exporting.ended).status
          }
          expect({ seed, way, isSame: readFileSync(out, 'utf8') === expected }).toEqual({
            ...{ seed, way },
            isSame: true,
          })
          rmSync(folder, { recursive: true })
        }
      }
    } finally {
      await service.stop()
    }
  },
  ROUNDS * 300_000,
)

/** Returns the number of rows in a checkpoint. */
function rowsIn(checkpoint: string): number {
  return existsSync(checkpoint) ? JSON.parse(readFileSync(checkpoint, 'utf8')).progress.rows : 0
}
