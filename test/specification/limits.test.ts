import { request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { specifiedService } from './service.js'

const service = specifiedService({ rows: 1100 })
const RANGE = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' }

beforeAll(async () => {
  const start = Date.parse(RANGE.startTime)
  const events = Array.from({ length: 1_200 }, (_, n) => ({
    _time: new Date(start + n * 1_000).toISOString(),
    n,
  }))
  await service.ingest('logs', events)
})

/** The number of rows of both kinds of query, and their messages. */
async function apl(query: string, defaultLimit?: number) {
  const { body } = await service.query({ apl: `logs${query}`, defaultLimit, ...RANGE })
  return { rows: body.tables[0].columns[0].length, codes: codesOf(body.status) }
}

async function legacy(limit?: number) {
  const { body } = await service.legacy('logs', { ...RANGE, ...(limit && { limit }) })
  return { rows: body.matches.length, codes: codesOf(body.status) }
}

function codesOf({ messages }: { readonly messages?: readonly { readonly code: string }[] }) {
  return (messages ?? []).map(({ code }) => code)
}

describe('Limits', () => {
  it('Default page size for queries when neither query nor request gives a limit: 1,000 events', async () => {
    expect((await apl('')).rows).toBe(1_000)
    expect((await legacy()).rows).toBe(1_000)
  })

  it.each([
    ['the limit in the APL query', ' | limit 10', 20, 10],
    ['the limit in the request', ' | limit 20', 10, 10],
    ['the limit in the APL query alone', ' | limit 1050', undefined, 1_050],
    ['the limit in the request alone', '', 1_050, 1_050],
    ['the service’s internal server-side limit', ' | limit 1150', 1_150, 1_100],
    ['the service’s internal server-side limit', ' | limit 1150', undefined, 1_100],
    ['the service’s internal server-side limit', '', 1_150, 1_100],
  ])('The limit in effect is the lowest: %s (%s, %s)', async (_, query, limit, expected) => {
    expect((await apl(query, limit)).rows).toBe(expected)
  })

  it('The limit in effect is the lowest, also of the older query', async () => {
    expect((await legacy(10)).rows).toBe(10)
    expect((await legacy(1_050)).rows).toBe(1_050)
    expect((await legacy(1_150)).rows).toBe(1_100)
  })

  it('For datasets larger than 1,000 events, give the same limit in the request and in the APL query to avoid contradictory limits.', async () => {
    expect(await apl(' | limit 1080', 1_080)).toEqual({ rows: 1_080, codes: [] })
  })
})

describe('Where the specification says not shown: limits', () => {
  it('`messages: [{priority, code, count, msg}]` may be in `status`', async () => {
    const { body } = await service.query({ apl: 'logs' })
    expect(body.status.messages).toEqual([
      {
        priority: expect.any(String),
        code: 'default_limit_warning',
        count: expect.any(Number),
        msg: expect.stringContaining('1,000'),
      },
    ])
  })

  it('A cut by the default of 1,000 puts `default_limit_warning` into `status.messages`; a cut by the server’s own limit a message of its own.', async () => {
    expect((await apl('')).codes).toEqual(['default_limit_warning'])
    expect((await legacy()).codes).toEqual(['default_limit_warning'])
    const [code, ...more] = (await apl('', 1_150)).codes
    expect(more).toEqual([])
    expect(code).not.toBe('default_limit_warning')
    expect((await legacy(1_150)).codes).toEqual([code])
  })

  it('nothing is said where nothing was cut', async () => {
    expect((await apl(' | where n < 1000')).codes).toEqual([])
    expect((await apl(' | limit 10')).codes).toEqual([])
    expect((await apl('', 10)).codes).toEqual([])
  })

  it('a `top` of the query is its limit', async () => {
    expect(await apl(' | top 1050 by n')).toEqual({ rows: 1_050, codes: [] })
  })

  it('The local service accepts bodies up to 64 MiB uncompressed; above: 413', async () => {
    const headOf = (length: number) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request(`${service.address()}/v1/ingest/big`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'content-length': length,
            authorization: `Bearer ${service.firstToken()}`,
          },
        })
        sent.on('response', ({ statusCode }) => {
          resolve(statusCode)
          sent.destroy()
        })
        sent.on('error', reject)
        sent.flushHeaders()
      })
    expect(await headOf(64 * 1024 * 1024 + 1)).toBe(413)
  })
})
