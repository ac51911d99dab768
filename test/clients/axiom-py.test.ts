import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../support/needs.js'
import { servedClients } from './served-clients.js'

const python = process.env.EVQ_TEST_PYTHON ?? 'python3'
const hasSdk = spawnSync(python, ['-c', 'import axiom_py']).status === 0

describe('the Python SDK', needs(hasSdk, 'axiom-py'), () => {
  const service = servedClients()
  let results: Readonly<Record<string, unknown>>

  beforeAll(async () => {
    results = await service.run(python, [join(import.meta.dirname, 'axiom-py.py')])
  })

  it('ingests events, directly and at the edge', async () => {
    expect(results).toMatchObject({ 'ingest events': [2, 0], 'ingest at the edge': [2, 0] })
    const events = { _time: ['2026-01-01T10:00:00Z', '2026-01-01T10:05:00Z'], n: [1, 2] }
    for (const dataset of ['py', 'py-edge']) {
      const apl = `['${dataset}'] | project _time, n | sort by n asc`
      expect(await service.ask(apl)).toEqual(events)
    }
  })

  it('ingests JSON without compression, and CSV', async () => {
    expect(results).toMatchObject({ 'ingest uncompressed': [2, 0], 'ingest CSV': [1, 0] })
    expect(await service.ask("['py-csv'] | project _time, n")).toEqual({
      _time: ['2026-01-01T10:00:00Z'],
      n: [3],
    })
  })

  it('gets the number of rejected events', () => {
    expect(results['rejected events']).toEqual([1, 1])
  })

  it('sends the records of `logging`', async () => {
    expect(results.log).toBe(null)
    const apl = "['py-log'] | project msg, levelname, name, args"
    expect(await service.ask(apl)).toEqual({
      msg: ['disk %s'],
      levelname: ['WARNING'],
      name: ['driver'],
      args: [['full']],
    })
  })

  it('runs queries, directly and at the edge', () => {
    expect(results).toMatchObject({
      query: { n: [1, 2] },
      'query at the edge': { sum_n: [3] },
      'query a range': { n: [2] },
      pages: [[1], [2], [1]],
      timespan: { since: ['11h30m0s'] },
      messages: ['default_limit_warning'],
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

  it('manages datasets', () => {
    expect(results).toMatchObject({
      'create a dataset': ['py-made'],
      exists: expect.stringMatching(/^AxiomError: API error 409: .*`py-made`/),
      'get a dataset': 'by the SDK',
      'update a dataset': 'changed',
      'list datasets': ['py', 'py-csv', 'py-edge', 'py-log', 'py-made', 'py-many', 'py-raw'],
      'trim a dataset': null,
      'delete a dataset': null,
      'current user': true,
    })
  })

  it('reports refusals', () => {
    expect(results).toMatchObject({
      problem: 'AxiomError: API error 400: There is no field `nn` at this point of the query.',
      'unknown token': expect.stringMatching(/^AxiomError: API error 403: /),
    })
  })
})
