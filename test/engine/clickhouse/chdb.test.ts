import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { loadChdb } from '../../../src/engine/clickhouse/chdb.js'

it("loads the engine without its package's query builder", async () => {
  await loadChdb()
  const files = Object.keys(createRequire(import.meta.url).cache)
  const loaded = files.flatMap(
    (file) => /\/chdb\/(index\.js|dist\/layer3\/.*)$/.exec(file)?.[1] ?? [],
  )
  expect(loaded.sort()).toEqual(['dist/layer3/index.js', 'index.js'])
})
