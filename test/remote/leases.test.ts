import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Batch } from '../../src/engine/batch.js'
import { openRemote } from '../../src/engine/clickhouse/open-address.js'
import { createLeases, Leases } from '../../src/engine/cluster/leases.js'
import { type Engine, EngineError } from '../../src/engine/engine.js'
import { openStore, type Store } from '../../src/engine/store.js'
import { raw } from '../../src/sql/sql.js'
import { type ClickHouseServers, needsServers, startServers } from '../support/clickhouse-server.js'
import { wrapped } from '../support/engine.js'
import { temporaryDirectory } from '../support/temporary.js'
import { unrenewedLeases } from '../support/unrenewed-leases.js'
import { until } from '../support/until.js'

const scratch = temporaryDirectory()
const ASLEEP_MS = 180_000
const LIMITS = { timeoutMs: 120_000, memoryBytes: 1_000_000_000 }
const now = () => BigInt(Date.now()) * 1_000_000n

describe('a lease', needsServers, () => {
  let servers: ClickHouseServers
  let engine: Engine

  beforeAll(async () => {
    servers = await startServers(1)
    engine = await openRemote({ url: servers.servers[0]!.url })
    await engine.run(raw('CREATE DATABASE IF NOT EXISTS evq ENGINE = Atomic'))
    await createLeases(engine)
  })

  afterAll(async () => {
    await engine.close()
    await servers.stop()
  })

  async function value(query: string): Promise<number> {
    const { columns } = await engine.read(raw(query), LIMITS)
    return Number(JSON.parse(columns.get('v') ?? '[]')[0])
  }

  /** Ages all leases as if they had not been renewed. */
  const age = (ms: number) =>
    engine.run(
      raw(
        `ALTER TABLE evq.lease UPDATE at = at - INTERVAL ${ms} MILLISECOND WHERE true SETTINGS mutations_sync = 2`,
      ),
    )

  it('renews a lease in front of a write when it is too old', async () => {
    let ms = 0
    const leases = unrenewedLeases(engine, { clock: () => ms })
    const lease = await leases.acquire('renewed')
    const written = "SELECT toInt64(count()) AS v FROM evq.lease WHERE name = 'renewed'"
    ms += 24_999
    await lease.confirm()
    expect(await value(written)).toBe(1)
    ms += 1
    await lease.confirm()
    expect(await value(written)).toBe(2)
    await leases.close()
  })

  it('tries again to release a lease that it has held for long', async () => {
    let ms = 0
    let isDown = false
    const failing = wrapped(engine, {
      isShared: true,
      async run(statement) {
        if (isDown) throw new EngineError('NETWORK_ERROR', 'down')
        await engine.run(statement)
      },
    })
    const leases = unrenewedLeases(failing, { clock: () => ms })
    const others = new Leases(engine)
    const lease = await leases.acquire('held')
    ms += 100_000
    await lease.confirm()
    ms += 100_000
    isDown = true
    lease.release()
    expect(await others.tryAcquire('held')).toBeUndefined()
    isDown = false
    await until(async () => (await others.tryAcquire('held')) !== undefined, 'the lease is free')
    await leases.close()
    await others.close()
  })

  it('loses a lease when its process was suspended, whether or not another one has acquired it', async () => {
    let ms = 0
    const warnings: string[] = []
    const leases = new Leases(engine, {
      clock: () => ms,
      warn: (message) => warnings.push(message),
    })
    const others = new Leases(engine)
    const lease = await leases.acquire('slept')
    ms += ASLEEP_MS
    await age(ASLEEP_MS)
    await expect(lease.confirm()).rejects.toThrow('the lease on `slept` was not renewed in time')
    expect(warnings).toEqual([
      'The lease on `slept` could not be renewed for 145 s: the service was suspended or disconnected from ClickHouse. Its writes under this lease are rejected.',
    ])
    // A lost lease is not renewed: another process can acquire it.
    expect(await others.tryAcquire('slept')).toBeDefined()
    await leases.close()
    await others.close()
  })

  describe('shared by two services', () => {
    let sleeper: Store
    let other: Store
    let ms = 0
    let pause:
      | { readonly before: string; reached(): void; readonly over: Promise<void> }
      | undefined

    beforeAll(async () => {
      const own = await openRemote({ url: servers.servers[0]!.url })
      const paused = wrapped(own, {
        isShared: true,
        async ask(query) {
          const result = await own.ask(query)
          await pauseAt(query.text)
          return result
        },
      })
      sleeper = await openStore({
        directory: join(scratch, 'a'),
        engine: paused,
        now,
        clock: () => ms,
      })
      const engine = await openRemote({ url: servers.servers[0]!.url })
      other = await openStore({ directory: join(scratch, 'b'), engine, now })
    })

    afterAll(async () => {
      await sleeper.close()
      await other.close()
    })

    async function pauseAt(what: string): Promise<void> {
      if (pause === undefined || !what.includes(pause.before)) return
      pause.reached()
      await pause.over
    }

    async function ingest(
      store: Store,
      text: string,
      options: Partial<Batch> = {},
    ): Promise<number> {
      const { ingested } = await store.ingest({
        dataset: 'logs',
        lines: { kind: 'bytes', bytes: Buffer.from(text) },
        arrivedAt: now(),
        timestampField: '_time',
        ...options,
      })
      return ingested
    }

    /** Starts work, suspends its process during a statement, and resumes it after the others have run. */
    async function asleep(
      before: string,
      { work, meanwhile }: { work(): Promise<unknown>; meanwhile(): Promise<unknown> },
    ): Promise<unknown> {
      let isReached = false
      let wake = (): void => {}
      const over = new Promise<void>((resolve) => {
        wake = resolve
      })
      pause = {
        before,
        over,
        reached: () => {
          isReached = true
        },
      }
      const outcome = work().catch((error: unknown) => error)
      await until(() => isReached, 'the work is paused')
      pause = undefined
      ms += ASLEEP_MS
      await age(ASLEEP_MS)
      await meanwhile()
      wake()
      return await outcome
    }

    const LOST = {
      reason: 'unavailable',
      message:
        'The service was suspended or disconnected from ClickHouse for so long that another service may have taken over: none of these events were stored. Send the same events again.',
    }

    it('stores no batch twice after a suspension', async () => {
      await ingest(sleeper, '{"n":0}\n')
      const batch = { batchId: 'once' }
      const outcome = await asleep('evq.batch', {
        work: () => ingest(sleeper, '{"n":1}\n', batch),
        meanwhile: () => ingest(other, '{"n":1}\n', batch),
      })
      expect(outcome).toMatchObject(LOST)
      expect(await ingest(sleeper, '{"n":1}\n', batch)).toBe(1)
      expect(await value('SELECT toInt64(count()) AS v FROM datasets.logs')).toBe(2)
      expect(await value('SELECT toInt64(uniqExact(_seq)) AS v FROM datasets.logs')).toBe(2)
    })

    it('changes no dataset after a suspension', async () => {
      const outcome = await asleep('NOT BETWEEN', {
        // In the middle of the change, the service asks if the column of integers can hold this.
        work: () => ingest(sleeper, '{"late":true,"n":0.5}\n'),
        meanwhile: () => ingest(other, '{"late":"text"}\n'),
      })
      expect(outcome).toMatchObject(LOST)
      expect(await value('SELECT toInt64(count()) AS v FROM datasets.logs')).toBe(3)
      await sleeper.refresh()
      const field = sleeper.layout('logs')?.fields.find(({ name }) => name === 'late')
      expect(field).toMatchObject({ type: 'string' })
      expect(await ingest(sleeper, '{"late":"more"}\n')).toBe(1)
    })

    it('issues sequence numbers only under a valid lease', async () => {
      ms += ASLEEP_MS
      await age(ASLEEP_MS)
      expect(await ingest(sleeper, '{"n":2}\n')).toBe(1)
      const held = `
        SELECT toInt64(count()) AS v FROM (
          SELECT name FROM evq.lease WHERE startsWith(name, 'worker ')
          GROUP BY name, holder HAVING min(state) >= 0 AND max(at) > now64(3) - INTERVAL 150 SECOND
        ) WHERE name = (SELECT concat('worker ', toString(argMax(_seq, _sysTime) % 1024)) FROM datasets.logs)`
      expect(await value(held)).toBe(1)
    })
  })
})
