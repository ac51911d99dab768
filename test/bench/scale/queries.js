// Queries over HTTP, without the cache, beside SQL written by hand for the same table in the same process, interleaved. With
// `EVQ_BENCH_VICTORIALOGS`, the path of its program, searches run there as well.
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbedded } from '../../../dist/engine/clickhouse/embedded.js'
import { openStore } from '../../../dist/engine/store.js'
import { createService } from '../../../dist/service/app.js'
import { DEFAULT_LIMITS } from '../../../dist/service/limits.js'
import { listen } from '../../../dist/service/listener/listen.js'
import { median } from '../commands.js'
import { timed } from '../queries.js'
import { startOfDay } from './events.js'
import { posted } from './posted.js'

const ROUNDS = 5
const ALLOWED_MS = 5
const TARGET = 1.2
const RANGE = { startTime: '2025-12-31T00:00:00Z', endTime: '2028-01-01T00:00:00Z' }
const NOW = BigInt(Date.UTC(2028, 0, 1)) * 1_000_000n

const STRINGS = 'level service path trace_id message error.kind error.stack region'.split(' ')
const inAny = (word) =>
  [...STRINGS.map((name) => `ifNull(\`${name}:string\`, '')`), 'line']
    .map((text) => `positionCaseInsensitive(${text}, '${word}')`)
    .join(' + ')

/** An id that one event has, and one that none has. */
const queries = ({ id, missing }) => [
  { apl: 'logs | count', hand: 'count() FROM logs' },
  {
    apl: 'logs | summarize count() by service',
    hand: '`service:string` AS s, count() FROM logs GROUP BY s',
    logs: '* | stats by (service) count()',
  },
  {
    apl: 'logs | summarize count(), percentile(took, 95) by path',
    hand: '`path:string` AS p, count() AS n, quantileExact(0.95)(`took:real`) FROM logs GROUP BY p ORDER BY n DESC, p LIMIT 1001',
    logs: '* | stats by (path) count() n, quantile(0.95, took) | sort by (n desc) limit 1001',
  },
  {
    apl: 'logs | summarize count(), arg_max(_time, *) by service',
    hand: '`service:string` AS s, count() AS n, argMax(tuple(* EXCEPT (_batch)), (_time, _seq)) FROM logs GROUP BY s',
  },
  {
    apl: 'logs | summarize dcount(service), dcount(path)',
    hand: 'uniqExact(`service:string`), uniqExact(`path:string`) FROM logs',
    logs: '* | stats count_uniq(service), count_uniq(path)',
  },
  {
    apl: "logs | where ['error.kind'] == 'Timeout' | count",
    hand: "count() FROM logs WHERE `error.kind:string` = 'Timeout'",
    logs: 'error.kind:="Timeout" | count()',
  },
  {
    apl: `logs | where trace_id == '${id}'`,
    hand: `* FROM logs WHERE \`trace_id:string\` = '${id}'`,
    logs: `trace_id:="${id}"`,
  },
  {
    apl: "logs | where message has 'worker-30' | count",
    hand: "count() FROM logs WHERE positionCaseInsensitive(`message:string`, 'worker-30') > 0",
    logs: 'message:i("worker-30") | count()',
  },
  {
    apl: "logs | where message contains 'handled by worker-3' | count",
    hand: "count() FROM logs WHERE positionCaseInsensitive(`message:string`, 'handled by worker-3') > 0",
  },
  {
    apl: "logs | where tostring(tags) contains 'a' | count",
    hand: "count() FROM logs WHERE positionCaseInsensitive(JSONExtractRaw(line, 'tags'), 'a') > 0",
  },
  {
    apl: "search in (logs) 'worker-30' | count",
    hand: `count() FROM logs WHERE ${inAny('worker-30')} > 0`,
    logs: 'i("worker-30") | count()',
  },
  {
    apl: `search in (logs) '${missing}' | count`,
    hand: `count() FROM logs WHERE ${inAny(missing)} > 0`,
    logs: `i("${missing}") | count()`,
  },
  { apl: 'logs | top 100 by _time', hand: '* FROM logs ORDER BY _time DESC LIMIT 100' },
]

/** Measures queries of a data directory that no process has open. */
export async function measureQueries({ directory, victoria, report }) {
  const engine = await openEmbedded({ directory: `${directory}/engine` })
  const store = await openStore({ directory, now: () => NOW, ownEngine: engine })
  const access = { find: async () => undefined }
  const app = createService({ store, access, limits: DEFAULT_LIMITS, now: () => NOW }).app
  const listener = await listen({ app, address: { host: '127.0.0.1', port: 0 }, trusted: true })
  const ask = (apl) => {
    const body = JSON.stringify({ apl, ...RANGE, queryOptions: { disableCache: true } })
    return posted({ port: listener.address.port, path: '/v1/datasets/_apl?format=tabular' }, body)
  }
  try {
    for (const { apl, hand, logs } of queries(await ids(engine))) {
      const sql = { kind: 'sql', text: `SELECT ${hand}` }
      const times = { http: [], sql: [], peer: [] }
      for (let round = 0; round <= ROUNDS; round++) {
        times.http[round] = await timed(engine, () => ask(apl))
        times.sql[round] = await timed(engine, sql)
        if (victoria && logs) times.peer[round] = await timed(engine, () => victoria.query(logs))
      }
      const [httpMs, sqlMs, peerMs] = [times.http, times.sql, times.peer].map(warm)
      const beside = { handMs: sqlMs, beside: 'the SQL', target: TARGET }
      const name = `${apl}, less ${ALLOWED_MS} ms`
      report({ name, ms: Math.max(0, httpMs - ALLOWED_MS), ...beside })
      if (peerMs !== undefined) report({ name: '  VictoriaLogs', ms: peerMs })
    }
  } finally {
    await listener.close()
    await store.close()
  }
}

/** The first round warms the caches. */
function warm(times) {
  return median(times.slice(1))
}

/** Merges the parts in a data directory as far as the engine would in the end; merges build the indexes. */
export async function mergeParts(directory) {
  const engine = await openEmbedded({ directory: `${directory}/engine` })
  const text = `SELECT (SELECT count() FROM system.merges) AS merges, count() AS parts FROM system.parts
    WHERE active AND table = 'logs'`
  let [parts, before, merges] = [0, 0, 0]
  do {
    before = parts
    await engine.run({ kind: 'sql', text: 'OPTIMIZE TABLE datasets.logs' })
    const { columns } = await engine.ask({ kind: 'sql', text })
    ;[merges, parts] = ['merges', 'parts'].map((name) => JSON.parse(columns.get(name))[0])
    if (merges > 0) await sleep(1_000)
  } while (parts !== before || merges > 0)
  await engine.close()
}

async function ids(engine) {
  const time = `toDateTime64('${startOfDay(0).slice(0, 10)} 00:10:00', 9, 'UTC')`
  const text = `SELECT \`trace_id:string\` AS id FROM logs WHERE _time > ${time} ORDER BY _time LIMIT 1`
  const [id] = JSON.parse((await engine.ask({ kind: 'sql', text })).columns.get('id'))
  // No event has the number of a block that was not stored.
  return { id, missing: `ffff${id.slice(4)}` }
}
