import { afterAll, beforeAll, expect, it } from 'vitest'
import { FOREIGN_APIS } from '../../../src/service/ingest/foreign-apis.js'
import { matchingRoutes } from '../../../src/service/routes.js'
import { hostileBodies } from '../../hostile/bodies.js'
import { type Running, run } from '../running.js'

const TOKEN = 'xaat-shipper'

let service: Running

beforeAll(async () => {
  const grant = { name: 'shipper', personal: false, ingest: ['*'] }
  service = await run({ grants: { [TOKEN]: grant } })
})

afterAll(() => service.close())

async function storedEvents(): Promise<number> {
  const { body } = await service.send({
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({ apl: 'union * | count', startTime: '2025-01-01T00:00:00Z' }),
  })
  // Without datasets, the query is a mistake.
  return body.tables?.[0].columns[0][0] ?? 0
}

/** Bodies of ordinary events, one for each kind of requests, among those that `test/hostile/protocols.test.ts` measures. */
const BODIES = hostileBodies('own').filter(({ name }) => name === 'one letter, short')

it.each(FOREIGN_APIS)('stores the events of clients, with their token: $name', async (api) => {
  const { scheme = 'Bearer', tokenHeader = 'authorization' } = api
  const token = tokenHeader === 'authorization' ? `${scheme} ${TOKEN}` : TOKEN
  const bodies = BODIES.filter(({ path }) => matchingRoutes(pathOf(path), api.routes).length > 0)
  expect(bodies).not.toEqual([])
  for (const { path, type, make } of bodies) {
    const before = await storedEvents()
    const headers = { 'content-type': type, [tokenHeader]: token }
    const request = { headers, body: make(1000), trusted: false }
    const { status } = await service.send({ path, ...request })
    expect(status, path).toBeOneOf([200, 204])
    expect(await storedEvents(), path).toBeGreaterThan(before)
    // Clients append the path to an address that may end in a slash.
    const loose = await service.send({ path: `http://localhost/${path}`, ...request })
    expect(loose.status, path).toBe(status)
  }
})

const pathOf = (address: string): string => address.split('?')[0]!
