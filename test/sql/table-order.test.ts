import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.js'
import { type Sql, sql } from '../../src/sql/sql.js'
import { type AskOptions, compiled, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine, TEST_ENGINE } from '../support/engine.js'
import { needs } from '../support/needs.js'

// Fast queries: filters on time use the table's sort order, and the newest
// events are read from its end.
// Distributed tables have no plan that shows this.
const hasShards = TEST_ENGINE === 'replicas'
const needsPlan = needs(!hasShards, 'an engine other than a cluster')

describe('queries in the order of the table', needsPlan, () => {
  let engine: Engine
  let world: World

  beforeAll(async () => {
    engine = await openTestEngine()
    const event = '{"_time":"2026-01-01T00:00:00Z","status":200,"cold":[1]}'
    const dataset = await layOut(engine, { table: 't', events: [event], hot: true })
    // One row per second: 100,000 rows are thirteen granules.
    await engine.run(
      sql`INSERT INTO t (_time, _sysTime, _seq, _batch, line) SELECT toDateTime64('2026-01-01 00:00:00', 9, 'UTC') + number AS time, time, number + 2, '', '{"status":200}' FROM numbers(100000)`,
    )
    await engine.run(sql`OPTIMIZE TABLE t FINAL`)
    world = { engine, datasets: new Map([['t', dataset]]), now: 1_767_312_000_000_000_000n } // a day later
  })

  afterAll(() => engine.close())

  function statementOf(apl: string, range = {}, cursors?: AskOptions['cursors']): Sql {
    const result = compiled(world, apl, { range, ...(cursors && { cursors }) })
    if ('problems' in result) throw new Error(result.problems[0]!.message)
    return result.query.statement
  }

  async function explained(settings: Sql, statement: Sql): Promise<string> {
    const { columns } = await engine.ask(sql`EXPLAIN ${settings} ${statement}`)
    const lines: string[] = JSON.parse(columns.get('explain')!)
    return lines.join('\n')
  }

  async function granulesRead(statement: Sql): Promise<string | undefined> {
    const plan = await explained(sql`indexes = 1`, statement)
    return /Granules: (\d+\/\d+)/.exec(plan)?.[1]
  }

  it.each([
    'where _time >= datetime(2026-01-02T00:00:00Z) | count',
    'where status == 200 and _time >= datetime(2026-01-02T00:00:00Z) | count',
    'extend late = _time | where late >= now() | count',
    'where _time >= ago(1h) + 1h and status > 0 | summarize count() by bin(_time, 1m)',
    'where _time between (datetime(2026-01-02) .. datetime(2026-01-03)) | project cold',
    'extend x = status * 2 | where _time > datetime(2026-01-02) and x > 1 | project x, cold',
  ])('read only the granules of the filtered time: %s', async (pipeline) => {
    const [read, all] = (await granulesRead(statementOf(`t | ${pipeline}`)))!.split('/').map(Number)
    expect(all).toBeGreaterThanOrEqual(12)
    expect(read).toBeLessThanOrEqual(3)
  })

  it('read only the granules of the requested time range', async () => {
    const range = { start: 1_767_312_000_000_000_000n, end: 1_767_312_060_000_000_000n }
    expect(await granulesRead(statementOf('t | summarize count() by status', range))).toMatch(
      /^[12]\//,
    )
  })

  it.each([
    't',
    't | where status >= 200 | project status',
    't | limit 5',
    't | sort by _time asc',
  ])('read in the order of the table: %s', async (apl) => {
    expect(await explained(sql`actions = 1`, statementOf(apl))).toMatch(
      /Read type: In(Reverse)?Order/,
    )
  })

  it.each([
    ['t | limit 100', true],
    ['t | sort by _time asc | limit 100', false],
    ['t | where status == 200 | project cold | limit 100', true],
  ])('read only the granules after a cursor, in order: %s', async (apl, isNewestFirst) => {
    // Ten minutes from the end that the page approaches.
    const time = isNewestFirst ? 1_767_226_200_000_000_000n : 1_767_325_000_000_000_000n
    const from = { cursor: { time, seq: 5n, dataset: 't' }, isIncluded: false }
    const statement = statementOf(apl, {}, { from })
    const [read, all] = (await granulesRead(statement))!.split('/').map(Number)
    expect(all).toBeGreaterThanOrEqual(12)
    expect(read).toBeLessThanOrEqual(2)
    expect(await explained(sql`actions = 1`, statement)).toMatch(/Read type: In(Reverse)?Order/)
  })
})
