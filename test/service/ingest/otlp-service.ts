import { PbfWriter } from 'pbf'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { Grant } from '../../../src/service/auth/grant.js'
import { type Running, run, type Send, spoolIsEmpty, type TestResponse } from '../running.js'
import { eventsOf } from '../stored.js'

export const JSON_TYPE = 'application/json'
export const PROTOBUF = 'application/x-protobuf'
/** 2026-01-01T12:00:00.000000001Z */
export const TIME = '1767268800000000001'
/** The limit on the size of a body. */
export const LIMIT = 4 * 1024 * 1024

const shipper: Grant = { name: 'shipper', personal: false, ingest: ['web'] }

export interface Post {
  readonly dataset?: string
  readonly type?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A service that receives OTLP. */
export interface OtlpService {
  readonly running: Running
  /** Sends a request of any kind. */
  send: Send
  post(body: string | Buffer, post?: Post): Promise<TestResponse>
  /** Posts an export request of logs with these records, in JSON. */
  postRecords(records: readonly object[], dataset: string): Promise<TestResponse>
  /** Returns the columns of a query as text, so that integers stay exact. */
  rows(apl: string): Promise<string>
  /** Returns the events of a dataset in the order of their times, without `_sysTime` and nulls. */
  events(dataset: string): Promise<readonly object[]>
}

/** Starts the service for all tests of a file. */
export function otlpService(): OtlpService {
  let running: Running
  let send: Send
  beforeAll(async () => {
    running = await run({ token: 'xapt-right', grants: { 'xaat-shipper': shipper } })
    send = running.limited({ bodyBytes: LIMIT })
  })
  afterEach(() => spoolIsEmpty(running.store))
  afterAll(async () => {
    await running.close()
    expect(running.reported).toEqual([])
  })
  const post = (body: string | Buffer, { dataset, type, path, headers }: Post = {}) =>
    send({
      path: path ?? '/v1/logs',
      headers: {
        'content-type': type ?? JSON_TYPE,
        ...(dataset !== undefined && { 'x-axiom-dataset': dataset }),
        ...headers,
      },
      body,
    })
  const ask = (apl: string) => {
    const [startTime, endTime] = ['1950-01-01T00:00:00Z', '2250-01-01T00:00:00Z']
    const body = JSON.stringify({ apl, startTime, endTime })
    return running.send({ path: '/v1/datasets/_apl?format=tabular', body })
  }
  return {
    get running() {
      return running
    },
    send: (request) => send(request),
    post,
    postRecords: (records, dataset) =>
      post(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] }), {
        dataset,
      }),
    async rows(apl) {
      const { text, status } = await ask(apl)
      expect(status, text).toBe(200)
      const [, columns = text] = /"columns":(\[.*?\])\}\]/s.exec(text) ?? []
      return columns.replaceAll(', ', ',')
    },
    events: (dataset) => eventsOf(running, dataset),
  }
}

export const attribute = (key: string, value: unknown) => ({ key, value })

/** Returns a request with one record, or several of the same kind, in protobuf. */
export function logsMessage(record: (writer: PbfWriter) => void, count = 1): Buffer {
  const writer = new PbfWriter()
  writer.writeMessage(
    1,
    (_, group) =>
      group.writeMessage(
        2,
        (_, scope) => {
          for (let i = 0; i < count; i++) scope.writeMessage(2, (_, one) => record(one), null)
        },
        null,
      ),
    null,
  )
  return Buffer.from(writer.finish())
}
