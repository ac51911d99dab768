import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { openEmbedded } from '../../src/engine/clickhouse/embedded.js'
import { KIND } from '../../src/wire/json/kinds.js'
import { evq, start } from '../support/evq.js'
import { createLayout1 } from '../support/layout-1.js'
import { temporaryDirectory } from '../support/temporary.js'
import { upgradeSteps } from './upgrade-steps.js'

// The upgrade changes the tables one by one: the process is killed as soon as a number of its steps can be seen in the files
// with the definitions of the tables.

const DATASETS = 12
/** The columns of a table are compressed, then it gets its indexes. */
const STEPS = 2 * DATASETS
const KILLS = [1, 8, 15, 22]
const KILLING = `--import ${pathToFileURL(join(import.meta.dirname, 'upgrade-kill.js'))}`

const EVENTS = [
  '{"id":0,"status":200,"user":{"name":"ada"},"mixed":1}',
  '{"id":1,"status":404,"user":{"name":"b\\nob"},"mixed":"two","rare":[1]}',
  '{"id":2,"status":9223372036854775807,"mixed":null,"rare":{"a":"5"}}',
]
/** `id`, `status`, `user.name`, `mixed`, `rare` and `rare.a` of each. */
const ROWS = [
  [0, '200', 'ada', 1, null, null],
  [1, '404', 'b\nob', 'two', [1], null],
  [2, '9223372036854775807', null, null, null, '5'],
]
const FIELDS = "id, s = tostring(status), ['user.name'], mixed, rare, ['rare.a']"

const names = Array.from({ length: DATASETS }, (_, i) => `logs-${i}`)

it('reads all events of layout 1 exactly after the upgrade was killed several times', async () => {
  const directory = join(temporaryDirectory(), 'data')
  const tables = await createDatasets(directory)
  const steps: number[] = []
  for (const kill of KILLS) {
    const env = { NODE_OPTIONS: KILLING, UPGRADE_TABLES: tables, UPGRADE_STEPS: String(kill) }
    const { signal, stderr } = await start(['serve', '--listen', '127.0.0.1:0'], { directory, env })
      .ended
    expect(signal, stderr).toBe('SIGKILL')
    steps.push(upgradeSteps(tables))
  }
  process.stderr.write(`killed after ${steps.join(', ')} of ${STEPS} steps\n`)
  // Each was killed later than the one before, and the first ones while it was in progress.
  for (const [i, kill] of KILLS.entries()) expect(steps[i]).toBeGreaterThanOrEqual(kill)
  expect(steps[1]).toBeLessThan(STEPS)
  const all = names.map((name) => `['${name}']`).join(', ')
  const apl = `union withsource=name ${all} | sort by name asc, id asc | project name, ${FIELDS}`
  const args = ['query', apl, '--since', '2000-01-01', '-o', 'json']
  const { stdout, stderr, status } = await evq(args, { directory })
  expect({ status, stderr }).toMatchObject({ status: 0 })
  expect(JSON.parse(stdout).map(Object.values)).toEqual(
    names.toSorted().flatMap((name) => ROWS.map((row) => [name, ...row])),
  )
  expect(upgradeSteps(tables)).toBe(STEPS)
})

/** Creates the datasets as the previous version did; returns the folder with the definitions of their tables. */
async function createDatasets(directory: string): Promise<string> {
  mkdirSync(directory, { mode: 0o700 })
  const engine = await openEmbedded({ directory: join(directory, 'engine') })
  for (const name of names) {
    await createLayout1(engine, {
      name,
      columns: [
        { name: 'id:int', type: 'Int64', path: ['id'] },
        { name: 'status:int', type: 'Int64', path: ['status'] },
        { name: 'user.name:string', type: 'String', path: ['user', 'name'] },
        { name: 'mixed:int', type: 'Int64', path: ['mixed'], isRetired: true },
      ],
      paths: [
        [['id'], KIND.int],
        [['status'], KIND.int | KIND.long],
        [['user', 'name'], KIND.string],
        [['mixed'], KIND.int | KIND.string],
        [['rare'], 0],
        [['rare', 'a'], 0],
      ],
      events: EVENTS,
    })
  }
  await engine.close()
  return join(directory, 'engine', 'metadata', 'datasets')
}
