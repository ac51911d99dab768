import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'
import { servedClients } from './served-clients.js'

const MODULE = 'github.com/axiomhq/axiom-go'
const VERSION = 'v0.25.0'

/** Only modules that are on the machine are used. */
const env = { ...process.env, GOPROXY: 'off', GOSUMDB: 'off', GOFLAGS: '-mod=mod' }

/** Makes the driver's module in a directory. */
function writeModule(directory: string): void {
  copyFileSync(join(import.meta.dirname, 'axiom-go.go'), join(directory, 'main.go'))
  const module = `module driver\n\ngo 1.23.0\n\nrequire ${MODULE} ${VERSION}\n`
  writeFileSync(join(directory, 'go.mod'), module)
}

/** Tells whether the module cache has each module that the driver imports, directly or not. */
function hasModules(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'evq-go-'))
  try {
    writeModule(directory)
    return spawnSync('go', ['list', '-deps', '.'], { cwd: directory, env }).status === 0
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Compiles the driver, and returns the program. */
async function driver(directory: string): Promise<string> {
  writeModule(directory)
  await promisify(execFile)('go', ['build', '-o', 'driver', '.'], { cwd: directory, env })
  return join(directory, 'driver')
}

const requirement = `${MODULE} ${VERSION} and the modules that it imports in the module cache`

describe('the Go SDK', needs(hasModules(), requirement), () => {
  const directory = temporaryDirectory()
  const service = servedClients()
  let results: Readonly<Record<string, unknown>>

  beforeAll(async () => {
    results = await service.run(await driver(directory))
  }, 600_000)

  it('validates credentials', () => {
    expect(results).toMatchObject({
      credentials: null,
      'credentials of an unknown token': 403,
    })
  })

  it('ingests events, also from a channel', async () => {
    expect(results).toMatchObject({ 'ingest events': [2, 0], 'ingest a channel': [2, 0] })
    const events = { _time: ['2026-01-01T10:00:00Z', '2026-01-01T10:05:00Z'], n: [1, 2] }
    for (const dataset of ['go', 'go-channel']) {
      const apl = `['${dataset}'] | project _time, n | sort by n asc`
      expect(await service.ask(apl)).toEqual(events)
    }
  })

  it('ingests CSV with names of columns and labels, and compressed JSON', async () => {
    expect(results).toMatchObject({
      'ingest CSV': [2, 0],
      'ingest gzip': [2, 0],
      'ingest zstd': [2, 0],
    })
    expect(await service.ask("['go-csv'] | project _time, n, host | sort by n asc")).toEqual({
      _time: ['2026-01-01T10:00:00Z', '2026-01-01T10:05:00Z'],
      n: [1, 2],
      host: ['h1', 'h1'],
    })
    expect(await service.ask("['go-zstd'] | summarize sum(n)")).toEqual({ sum_n: [3] })
  })

  it('runs queries', () => {
    expect(results).toMatchObject({
      query: { n: [1, 2] },
      'query a range': { n: [2] },
      variable: { n: [2] },
      pages: [[1], [2], [1]],
      timespan: { since: ['11h30m0s'] },
      'trace id': true,
      'legacy query': 3,
      problem: expect.stringContaining('There is no field `nn`'),
    })
  })

  it('gets the totals of intervals', () => {
    expect(results.binned).toEqual([
      [
        '0',
        [
          ['2026-01-01T10:00:00Z', '2026-01-01T10:05:00Z'],
          [1, 1],
        ],
      ],
      ['_totals', [[2]]],
    ])
  })

  it('knows the names of aggregations', () => {
    expect(results.aggregations).toEqual([
      ...['distinct', 'distinctif', 'percentiles', 'percentilesif'],
      ...['percentiles', 'percentilesif', 'argmin', 'argmax'],
      ...['makeset', 'makesetif', 'makelist', 'makelistif', 'topk', 'stdev'],
      ...['computed', 'spotlight'],
    ])
  })

  it('manages datasets', () => {
    expect(results).toMatchObject({
      'create a dataset': 'go-made',
      exists: true,
      'get a dataset': 'by the SDK',
      'update a dataset': 'changed',
      'list datasets': ['go', 'go-channel', 'go-csv', 'go-gzip', 'go-made', 'go-zstd'],
      'trim a dataset': null,
      'delete a dataset': null,
      'not found': true,
    })
  })
})
