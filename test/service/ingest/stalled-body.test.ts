import { describe, expect, it } from 'vitest'
import { RefusedError } from '../../../src/service/refused-error.js'
import { runningWith } from '../running.js'

const service = runningWith({})

/** A body that stops arriving. */
async function* stalling(...pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
  throw new RefusedError('too-slow', 'Too slow.')
}

interface Stalled {
  readonly dataset: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly pieces: readonly string[]
}

async function send({ dataset, type = 'application/x-ndjson', headers, pieces }: Stalled) {
  const { status, body } = await service.send({
    path: `/v1/ingest/${dataset}`,
    headers: { 'content-type': type, ...headers },
    body: stalling(...pieces),
  })
  return { status, message: body.message }
}

async function stored(dataset: string): Promise<unknown> {
  const { body } = await service.send({
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({ apl: `${dataset} | project n | sort by n asc` }),
  })
  return body.tables[0].columns[0]
}

describe('a body of unknown length that stops arriving', () => {
  it.each([
    ['ndjson', 'application/x-ndjson', ['{"n":1}\n{"n"', ':2}\nno event\n{"n":3']],
    ['array', 'application/json', ['[{"n":1},{"n"', ':2}, 7,{"n":3']],
    ['csv', 'text/csv', ['n\n1\n', '2\n"a\n']],
    ['row', 'text/csv', ['n,a\n1,x\n', '2,x\n3,"a\nb\n']],
  ])('has its complete events stored: %s', async (dataset, type, pieces) => {
    const { status, message } = await send({ dataset, type, pieces })
    expect(status).toBe(408)
    expect(message).toMatch(/^The request body stopped arriving\. Events before that: 2 stored, /)
    expect(await stored(dataset)).toEqual([1, 2])
  })

  it('reports the events that were rejected', async () => {
    const pieces = ['{"n":1}\n', '[]\n{"n":2}\n']
    const { message } = await send({ dataset: 'counted', pieces })
    expect(message).toContain('2 stored, 1 rejected. Send only the events after them.')
  })

  it('is refused when it has no complete event', async () => {
    expect(await send({ dataset: 'nothing', pieces: ['{"n":1'] })).toEqual({
      status: 408,
      message: 'Too slow.',
    })
  })
})

describe('a body that its client can send again', () => {
  it.each<Record<string, string>>([{ 'content-length': '1000' }, { 'x-service-batch-id': 'b1' }])(
    'is stored completely or not at all: %o',
    async (headers) => {
      const dataset = `again-${Object.keys(headers)[0]}`
      expect(await send({ dataset, headers, pieces: ['{"n":1}\n{"n":2'] })).toEqual({
        status: 408,
        message: 'Too slow.',
      })
      expect(service.store.schema.datasets).not.toContain(dataset)
    },
  )
})
