import { join } from 'node:path'
import { openEmbedded } from '../../dist/engine/clickhouse/embedded.js'

/** Merges all parts of the dataset `logs`; returns the bytes of its files. */
export async function mergedBytes({ EVQ_DATA_DIR }) {
  const engine = await openEmbedded({ directory: join(EVQ_DATA_DIR, 'engine') })
  await engine.run({ kind: 'sql', text: 'OPTIMIZE TABLE datasets.logs FINAL' })
  const result = await engine.ask({
    kind: 'sql',
    text: "SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = 'datasets' AND table = 'logs'",
  })
  await engine.close()
  return Number(JSON.parse(result.columns.get('bytes'))[0])
}
