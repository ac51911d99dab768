import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../support/needs.js'
import { servedClients } from './served-clients.js'

const python = process.env.EVQ_TEST_PYTHON ?? 'python3'
const imports =
  'import opentelemetry.sdk._logs, opentelemetry.exporter.otlp.proto.http._log_exporter'
const hasSdk = spawnSync(python, ['-c', imports]).status === 0

describe("OpenTelemetry's exporters for Python", needs(hasSdk, 'opentelemetry'), () => {
  const service = servedClients()
  let results: Readonly<Record<string, unknown>>

  beforeAll(async () => {
    results = await service.run(python, [join(import.meta.dirname, 'otlp-py.py')])
  })

  it('send log records of `logging`', async () => {
    const apl = `['py-logs'] | project body, severity_text, severity_number, level, ['service.name'],
      team = ['resource.custom']['team'], free = ['attributes.custom']['free'], parts = ['attributes.custom']['parts'],
      line = ['attributes.code.line.number'] > 0, ['scope.name']`
    expect(await service.ask(apl)).toEqual({
      body: ['disk full'],
      severity_text: ['WARN'],
      severity_number: [13],
      level: ['warn'],
      'service.name': ['py'],
      team: ['payments'],
      free: [0.5],
      parts: [['a', 'b']],
      line: [true],
      'scope.name': ['driver'],
    })
  })

  it('send spans', async () => {
    const apl = `['py-spans'] | project _time, trace_id, name, kind, duration, ['status.code'], ['status.message'], error,
      ['attributes.db.system'], n = tostring(['attributes.custom']['n']), events`
    expect(await service.ask(apl)).toEqual({
      _time: ['2026-01-01T12:00:00.000000001Z'],
      trace_id: [results.trace_id],
      name: ['load'],
      kind: ['client'],
      duration: [500_000_000],
      'status.code': ['ERROR'],
      'status.message': ['gone'],
      error: [true],
      'attributes.db.system': ['mysql'],
      n: ['4611686018427387904'],
      events: [[{ timestamp: 1_767_268_800_000_000_000, name: 'retry', attributes: { count: 3 } }]],
    })
  })
})
