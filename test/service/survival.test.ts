import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningService, serve } from '../../src/local/serve.js'
import { evq } from '../support/evq.js'
import { needsRoot } from '../support/needs.js'
import { removeDirectory } from '../support/remove-directory.js'

// Machine failures: clocks jump, disks corrupt data, directories lose their permissions.

const NOW = 1_767_268_800_000_000_000n
const DAY = 86_400_000_000_000n

let directory: string
let clock: bigint
let warned: string[]
let token: string | undefined

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'evq-survival-'))
  clock = NOW
  warned = []
  token = undefined
})

afterEach(async () => {
  chmodSync(directory, 0o700)
  await removeDirectory(directory)
})

/** Serves the directory while a function runs. */
async function serving<T>(work: (service: RunningService) => Promise<T>): Promise<T> {
  const now = () => clock
  const warn = (message: string) => warned.push(message)
  const service = await serve({ directory, host: '127.0.0.1', port: 0, now, warn })
  token ??= service.token
  try {
    return await work(service)
  } finally {
    await service.close()
  }
}

async function post({ url }: RunningService, path: string, body: unknown) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests state their expectations
  return { status: response.status, body: (await response.json()) as any }
}

async function ask(service: RunningService, apl: string) {
  const { status, body } = await post(service, '/v1/datasets/_apl?format=tabular', { apl })
  return status === 200 ? body.tables[0].columns : [status, body.message]
}

describe('a clock that jumps', () => {
  it('loses, duplicates and reorders no events, even across restarts', async () => {
    const instants = [NOW, NOW - 400n * DAY, NOW + 3_650n * DAY, NOW, NOW - DAY, 0n]
    for (const [i, at] of instants.entries()) {
      await serving(async (service) => {
        clock = at
        const { body } = await post(service, '/v1/ingest/logs', [{ i }, { i: i + 100 }])
        expect(body).toMatchObject({ ingested: 2, failed: 0 })
        expect(await ask(service, 'logs | count')).toEqual([[2 * (i + 1)]])
      })
    }
    clock = NOW
    await serving(async (service) => {
      // Each event was stored with the time of the clock; the sort is by it.
      const [order] = await ask(service, 'logs | where i < 100 | sort by _time asc | project i')
      expect(order).toEqual([5, 1, 4, ...order.slice(3, 5), 2])
      expect(order.slice(3, 5).sort()).toEqual([0, 3])
      expect(await ask(service, 'logs | summarize dcount(i)')).toEqual([[12]])
    })
  })

  it('does not expire tokens or store a batch twice', async () => {
    await serving(async (service) => {
      const send = async () => {
        const response = await fetch(`${service.url}/v1/ingest/logs`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'x-service-batch-id': 'one',
          },
          body: '[{"a":1}]',
        })
        return response.status
      }
      expect(await send()).toBe(200)
      clock = NOW - 10n * DAY
      expect(await send()).toBe(200)
      expect(await ask(service, 'logs | count')).toEqual([[1]])
    })
  })
})

/** The files that contain the last events of the dataset. */
function lastPart(): string {
  const parts = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => /store\/.*\/all_\d+_\d+_\d+\/data\.bin$/.test(path))
    // The dataset's own table has one part per batch; metadata is far smaller.
    .map((path) => ({
      path: join(directory, path),
      size: readFileSync(join(directory, path)).length,
    }))
    .filter(({ size }) => size > 20_000)
    .sort((a, b) => a.path.localeCompare(b.path))
  return parts.at(-1)!.path
}

async function twoBatches(): Promise<void> {
  await serving(async (service) => {
    for (const batch of [1, 2]) {
      const events = Array.from({ length: 3_000 }, (_, i) => ({
        batch,
        i,
        // Incompressible, so that these files are larger than all others.
        text: ((i + 1) * 2 ** 21 * Math.PI * batch).toString(36),
      }))
      await post(service, '/v1/ingest/logs', events)
    }
  })
}

describe('corrupted events', () => {
  it('are missing with a warning when their file was truncated', async () => {
    await twoBatches()
    const file = lastPart()
    writeFileSync(file, '')
    for (const _ of ['first', 'second']) {
      warned = []
      await serving(async (service) => {
        expect(await ask(service, 'logs | summarize count() by batch')).toEqual([[1], [3_000]])
      })
      expect(warned).toHaveLength(1)
      expect(warned[0]).toMatch(
        /^Files of the dataset `logs` are corrupted: their events are missing from all results\. The files were moved to `.*\/detached\/broken-on-start_all_2_2_0`\.$/,
      )
    }
    await serving(async (service) => {
      expect((await post(service, '/v1/ingest/logs', [{ batch: 3 }])).status).toBe(200)
      expect(await ask(service, 'logs | where batch == 3 | count')).toEqual([[1]])
    })
  })

  it('are reported by the command line', async () => {
    await twoBatches()
    writeFileSync(lastPart(), '')
    const { status, stdout, stderr } = await evq(['query', 'logs | count', '-q'], { directory })
    expect([status, stdout]).toEqual([0, '{"Count":3000}\n'])
    expect(stderr).toMatch(/^Files of the dataset `logs` are corrupted: .*\n$/)
  })

  it('fail the queries that read them, with a clear message, when their bytes changed', async () => {
    await twoBatches()
    const file = lastPart()
    writeFileSync(
      file,
      readFileSync(file).map((byte, i) => (i % 64 === 40 ? byte ^ 0x55 : byte)),
    )
    await serving(async (service) => {
      const [status, message] = await ask(service, 'logs | summarize max(text)')
      expect(status).toBe(500)
      expect(message).toMatch(
        /^Stored events that the query reads are corrupted on disk\. Query a different time range, or fewer fields\. Quote request id/,
      )
    })
  })
})

describe('a directory of another account', needsRoot, () => {
  it('is reported, and not changed', async () => {
    chmodSync(directory, 0o500)
    const ended = await evq(['query', 'logs | count'], {
      directory,
      spawn: { uid: 65_534, gid: 65_534 },
      env: { XDG_STATE_HOME: join(tmpdir(), 'evq-nobody') },
    })
    expect(ended.status).toBe(1)
    expect(ended.stderr).toContain('permission denied')
    expect(ended.stderr).not.toMatch(/\n {4}at /)
  })
})
