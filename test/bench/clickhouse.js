// The same events and queries in the embedded engine and in one ClickHouse server, interleaved on the processors of one machine: this
// measures the overhead of the connection.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../dist/engine/clickhouse/embedded.js'
import { openRemote } from '../../dist/engine/clickhouse/open-address.js'
import { openStore } from '../../dist/engine/store.js'
import { startServers } from '../support/clickhouse-server.js'
import { median } from './commands.js'
import { compiled, fill, NOW, PAIRS, timed } from './queries.js'

const ROUNDS = 11

export async function run(report) {
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const one = await startServers(1)
  const opened = {
    embedded: await openEmbedded({ directory: join(directory, 'engine') }),
    server: await openRemote({ url: one.servers[0].url }),
  }
  const stores = []
  try {
    const places = []
    for (const [name, engine] of Object.entries(opened)) {
      const store = await openStore({ directory: join(directory, name), now: () => NOW, engine })
      stores.push(store)
      const start = performance.now()
      await fill(store)
      places.push({ name, engine, store, fillMs: performance.now() - start })
    }
    tell({ report, what: 'storing', times: places.map(({ name, fillMs: ms }) => ({ name, ms })) })
    for (const { name: what, apl } of PAIRS) {
      const asked = places.map(({ name, engine, store }) => ({
        name,
        engine,
        statement: compiled(apl, store),
        times: [],
      }))
      for (const { engine, statement } of asked) await timed(engine, statement)
      for (let round = 0; round < ROUNDS; round++) {
        for (const { engine, statement, times } of asked) times.push(await timed(engine, statement))
      }
      const times = asked.map(({ name, times }) => ({ name, ms: median(times) }))
      tell({ report, what, times })
    }
  } finally {
    for (const store of stores) await store.close()
    await one.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** A row for each engine except the first, which is the reference. */
function tell({ report, what, times: [embedded, ...others] }) {
  for (const { name, ms } of others) {
    report({ name: `${what}, ${name}`, ms, handMs: embedded.ms, beside: 'embedded' })
  }
}
