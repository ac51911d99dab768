import { describe, expect, it } from 'vitest'
import { Gate } from '../../../src/service/ingest/admission.js'
import { DEFAULT_LIMITS } from '../../../src/service/limits.js'
import { run } from '../running.js'

const gateOf = (limits: { waitingRequests?: number; waitingBytes?: number }) =>
  new Gate({ ...DEFAULT_LIMITS, ...limits })

const MESSAGE = /More events are waiting/

describe('the gate', () => {
  it('lets in as many requests, and bytes, as there is room for', () => {
    const gate = gateOf({ waitingRequests: 3, waitingBytes: 100 })
    const first = gate.enter(60)
    expect(() => gate.enter(50)).toThrow(MESSAGE)
    gate.enter(40)
    gate.enter(0)
    expect(() => gate.enter(0)).toThrow(MESSAGE)
    first.leave()
    expect([gate.requests, gate.bytes]).toEqual([2, 40])
    gate.enter(60)
  })

  it('counts what a request did not say that it brings', () => {
    const gate = gateOf({ waitingBytes: 100 })
    const first = gate.enter(0)
    const second = gate.enter(10)
    first.brought(50)
    first.brought(80)
    second.brought(10)
    expect(gate.bytes).toBe(90)
    expect(() => second.brought(30)).toThrow(MESSAGE)
    expect(() => first.brought(91)).toThrow(MESSAGE)
    second.leave()
    first.brought(91)
    first.leave()
    expect([gate.requests, gate.bytes]).toEqual([0, 0])
  })

  it('keeps no single request out, however long', () => {
    const gate = gateOf({ waitingBytes: 100 })
    gate.enter(500).leave()
    gate.enter(0).brought(500)
    expect(gate.bytes).toBe(500)
  })
})

it('refuses a body in chunks when others have brought what there is room for', async () => {
  const service = await run({})
  try {
    const send = service.limited({ waitingBytes: 100 })
    const path = '/v1/ingest/logs'
    const headers = { 'content-type': 'application/x-ndjson' }
    let goOn = (): void => {}
    const hasGoneOn = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let began = (): void => {}
    const hasBegun = new Promise<void>((resolve) => {
      began = resolve
    })
    async function* slowly() {
      yield `{"text":"${'x'.repeat(70)}"}\n`
      began()
      await hasGoneOn
    }
    const first = send({ path, headers, body: slowly() })
    await hasBegun
    const second = await send({ path, headers, body: [`{"text":"${'y'.repeat(70)}"}\n`] })
    expect([second.status, second.headers['retry-after']]).toEqual([429, '1'])
    goOn()
    expect((await first).body.ingested).toBe(1)
    expect((await send({ path, headers, body: ['{"a":1}\n'] })).body.ingested).toBe(1)
  } finally {
    await service.close()
  }
})
