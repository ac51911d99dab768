import { expect, it } from 'vitest'
import { EngineMissingError, loadChdb, prepareChdb } from '../../../src/engine/clickhouse/chdb.js'

it('reports that the library is missing when it is used, not when it is prepared', async () => {
  process.env.CHDB_LIBCHDB_PATH = '/nonexistent/libchdb.so'
  prepareChdb()
  await new Promise((resolve) => setImmediate(resolve))
  await expect(loadChdb()).rejects.toThrow(EngineMissingError)
})
