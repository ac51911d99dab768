import { describe, expect, it } from 'vitest'
import { AdmissionControl } from '../../../src/service/ingest/admission.js'
import { DEFAULT_LIMITS } from '../../../src/service/limits.js'
import { run } from '../running.js'

const admissionOf = (limits: { waitingRequests?: number; waitingBytes?: number }) =>
  new AdmissionControl({ ...DEFAULT_LIMITS, ...limits })

const MESSAGE = /Too many events are waiting/

describe('AdmissionControl', () => {
  it('admits requests up to the limits on their number and bytes', () => {
    const admission = admissionOf({ waitingRequests: 3, waitingBytes: 100 })
    const first = admission.admit(60)
    expect(() => admission.admit(50)).toThrow(MESSAGE)
    admission.admit(40)
    admission.admit(0)
    expect(() => admission.admit(0)).toThrow(MESSAGE)
    first.release()
    expect([admission.requests, admission.bytes]).toEqual([2, 40])
    admission.admit(60)
  })

  it('counts bytes beyond the declared length', () => {
    const admission = admissionOf({ waitingBytes: 100 })
    const first = admission.admit(0)
    const second = admission.admit(10)
    first.grow(50)
    first.grow(80)
    second.grow(10)
    expect(admission.bytes).toBe(90)
    expect(() => second.grow(30)).toThrow(MESSAGE)
    expect(() => first.grow(91)).toThrow(MESSAGE)
    second.release()
    first.grow(91)
    first.release()
    expect([admission.requests, admission.bytes]).toEqual([0, 0])
  })

  it('never refuses a single request, whatever its size', () => {
    const admission = admissionOf({ waitingBytes: 100 })
    admission.admit(500).release()
    admission.admit(0).grow(500)
    expect(admission.bytes).toBe(500)
  })
})

it('refuses a chunked body when other requests use up the limit', async () => {
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
    expect([second.status, second.headers['retry-after']]).toEqual([503, '1'])
    goOn()
    expect((await first).body.ingested).toBe(1)
    expect((await send({ path, headers, body: ['{"a":1}\n'] })).body.ingested).toBe(1)
  } finally {
    await service.close()
  }
})
