// Common queries: their compiled SQL compared with SQL written by hand for the same table, interleaved.
// The SQL written by hand returns the same rows, including the order of ties.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { analyze } from '../../dist/apl/analyze.js'
import { openEmbedded } from '../../dist/engine/clickhouse/embedded.js'
import { openStore } from '../../dist/engine/store.js'
import { compile } from '../../dist/sql/compile.js'
import { eventChunks } from '../support/events.js'
import { median } from './commands.js'

export const EVENTS = Number(process.env.EVQ_BENCH_EVENTS ?? 1_000_000)
const ROUNDS = 21
const TARGET = 1.2
export const NOW = BigInt(Date.UTC(2026, 0, 2)) * 1_000_000n
/** Ten minutes, because some SQL written by hand takes minutes for a hundred million events. */
const LIMITS = { timeoutMs: 600_000, memoryBytes: 2 ** 31 }

/** Every field of an event, in the order of a result. */
const FIELDS =
  '_sysTime, _time, `bytes:int`, `cached:bool`, `client.country:string`, `client.ip:string`, `duration_ms:real`, `level:string`, `message:string`, `method:string`, `path:string`, `service:string`, `status:int`, `trace_id:string`, `user_id:int`'

export const PAIRS = [
  {
    name: 'errors, counted',
    apl: 'logs | where status >= 500 | count',
    hand: 'SELECT count() FROM logs WHERE `status:int` >= 500',
  },
  {
    name: 'events a minute',
    apl: 'logs | summarize count() by bin(_time, 1m)',
    hand: 'SELECT toStartOfInterval(_time, INTERVAL 1 MINUTE) AS t, count() FROM logs GROUP BY t ORDER BY t LIMIT 1001',
  },
  {
    name: 'mean duration by service',
    apl: 'logs | summarize count(), avg(duration_ms) by service',
    hand: 'SELECT `service:string` AS s, count() AS n, avg(`duration_ms:real`) FROM logs GROUP BY s ORDER BY n DESC',
  },
  {
    name: 'share of errors a minute and service',
    apl: 'logs | summarize errors = countif(status >= 500), count() by bin(_time, 1m), service',
    hand: 'SELECT toStartOfInterval(_time, INTERVAL 1 MINUTE) AS t, `service:string` AS s, countIf(`status:int` >= 500) AS e, count() FROM logs GROUP BY t, s ORDER BY t, e DESC, s LIMIT 1001',
  },
  {
    name: '95th percentile by service',
    apl: 'logs | summarize percentile(duration_ms, 95) by service',
    hand: 'SELECT `service:string` AS s, quantileExact(0.95)(`duration_ms:real`) AS p FROM logs GROUP BY s ORDER BY p DESC',
  },
  {
    name: 'the ten most frequent paths',
    apl: 'logs | summarize n = count() by path | top 10 by n',
    hand: 'SELECT `path:string` AS p, count() AS n FROM logs GROUP BY p ORDER BY n DESC, p LIMIT 10',
  },
  {
    name: 'the newest 100 events, whole',
    apl: 'logs | limit 100',
    hand: `SELECT ${FIELDS} FROM logs ORDER BY _time DESC LIMIT 100`,
  },
  {
    name: 'a word in the messages',
    apl: 'logs | where message has "4242" | project _time, message',
    hand: "SELECT _time, `message:string` FROM logs WHERE match(`message:string`, '(?i)(?:^|[^\\\\p{L}\\\\p{N}])4242(?:$|[^\\\\p{L}\\\\p{N}])') ORDER BY _time DESC, _seq DESC LIMIT 1001",
  },
  {
    // Written by hand without letters outside ASCII, which need a second pass over each string.
    name: 'a word of ASCII in the messages',
    apl: 'logs | where message has "4242" | project _time, message',
    hand: "SELECT _time, `message:string` FROM logs WHERE hasTokenCaseInsensitive(`message:string`, '4242') ORDER BY _time DESC, _seq DESC LIMIT 1001",
    target: 1.6,
  },
  {
    // Written by hand for messages in which only decimal numbers vary.
    name: 'patterns of the messages',
    apl: 'logs | reduce by message',
    hand: "SELECT replaceRegexpAll(`message:string`, '[0-9]+', '*') AS p, count() AS n, n / sum(n) OVER () AS share, min(`message:string`) FROM logs GROUP BY p ORDER BY n DESC, p LIMIT 1001",
    target: 2,
  },
  {
    name: 'a part of the paths',
    apl: 'logs | where path contains "/items/42" | count',
    hand: "SELECT count() FROM logs WHERE positionCaseInsensitive(`path:string`, '/items/42') > 0",
  },
  {
    name: 'distinct users by country',
    apl: 'logs | summarize dcount(user_id) by client.country',
    hand: 'SELECT `client.country:string` AS c, uniqExact(`user_id:int`) AS u FROM logs GROUP BY c ORDER BY u DESC',
  },
  {
    name: 'the slowest of one service',
    apl: "logs | where service == 'api' and duration_ms > 1900 | project _time, path, duration_ms | top 50 by duration_ms",
    hand: "SELECT _time, `path:string`, `duration_ms:real` AS d FROM logs WHERE `service:string` = 'api' AND d > 1900 ORDER BY d DESC, _time DESC, _seq DESC LIMIT 50",
  },
]

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const engine = await openEmbedded({ directory: join(directory, 'engine') })
  const store = await openStore({ directory, now: () => NOW, engine })
  try {
    await fill(store)
    for (const { name, apl, hand, target = TARGET } of PAIRS) {
      const ours = compiled(apl, store)
      const theirs = { kind: 'sql', text: hand }
      await engine.read(ours, LIMITS)
      await engine.read(theirs, LIMITS)
      const times = { ours: [], theirs: [] }
      for (let round = 0; round < ROUNDS; round++) {
        times.ours.push(await timed(engine, ours))
        times.theirs.push(await timed(engine, theirs))
      }
      report({ name, ms: median(times.ours), handMs: median(times.theirs), target })
    }
  } finally {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

export async function fill(store, { first = 0, count = EVENTS } = {}) {
  let number = 0
  for (const chunk of eventChunks(count, first)) {
    const file = join(store.spool, `${number++}.ndjson`)
    writeFileSync(file, chunk)
    await store.ingest({
      dataset: 'logs',
      lines: { kind: 'file', path: file },
      arrivedAt: NOW,
      timestampField: '_time',
    })
    rmSync(file, { force: true })
  }
}

export function compiled(apl, store) {
  const analyzed = analyze(apl, { schema: store.schema, now: NOW })
  if ('problems' in analyzed) throw new Error(JSON.stringify(analyzed.problems))
  const layout = (dataset) => store.layout(dataset)
  return compile(analyzed.query, { layout, range: {}, limit: 1_001n }).statement
}

/** The duration of a statement, or of another way to run it. */
export async function timed(engine, work) {
  // The engine caches the results of filters; only the first run counts.
  await engine.run({ kind: 'sql', text: 'SYSTEM DROP QUERY CONDITION CACHE' })
  const start = performance.now()
  if (typeof work === 'function') await work()
  else await engine.read(work, LIMITS)
  return performance.now() - start
}
