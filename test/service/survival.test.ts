import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningService, serve } from '../../src/local/serve.js'
import { evq } from '../support/evq.js'
import { needsRoot } from '../support/needs.js'
import { removeDirectory } from '../support/remove-directory.js'
import { until } from '../support/until.js'

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
  if (existsSync(directory)) chmodSync(directory, 0o700)
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

describe('damaged events', () => {
  it('are missing from results that say so, when their file was truncated', async () => {
    await twoBatches()
    writeFileSync(lastPart(), '')
    for (const _ of ['first', 'second']) {
      warned = []
      await serving(async (service) => {
        const { body } = await post(service, '/v1/datasets/_apl?format=tabular', {
          apl: 'logs | summarize count() by batch',
        })
        expect(body.tables[0].columns).toEqual([[1], [3_000]])
        const message =
          'Files of the dataset `logs` are damaged: 3,000 of its events are missing. `evq dataset show logs` names them, `evq dataset accept-loss logs` accepts the loss.'
        expect(body.status).toMatchObject({
          isPartial: true,
          messages: [{ priority: 'warn', code: 'damaged_data', count: 1, msg: message }],
        })
        expect(warned).toEqual([message])
        const ready = await fetch(`${service.url}/readyz`)
        expect([ready.status, await ready.json()]).toEqual([503, { code: 503, message }])
      })
    }
    await serving(async (service) => {
      expect((await post(service, '/v1/ingest/logs', [{ batch: 3 }])).status).toBe(200)
      expect(await ask(service, 'logs | where batch == 3 | count')).toEqual([[1]])
    })
  })

  it('make the exit code of commands 3 until their loss is accepted', async () => {
    await twoBatches()
    writeFileSync(lastPart(), '')
    const damaged = await evq(['query', 'logs | count', '-q'], { directory })
    expect([damaged.status, damaged.stdout]).toEqual([3, '{"Count":3000}\n'])
    expect(damaged.stderr).toMatch(/^Files of the dataset `logs` are damaged: 3,000 of its events/)
    const page = await evq(['page', 'logs | project i'], { directory })
    expect([page.status, page.stdout.split('\n')]).toEqual([
      3,
      expect.objectContaining({ length: 3_001 }),
    ])
    expect(page.stderr).toContain('Files of the dataset `logs` are damaged')
    expect(page.stderr).toContain('The export is partial')
    const show = await evq(['dataset', 'show', 'logs'], { directory })
    expect(show.stderr).toContain(
      'logs: part `all_2_2_0` is damaged: 3,000 events missing from all results\n`evq dataset accept-loss logs` accepts the loss',
    )
    const refused = await evq(['dataset', 'accept-loss', 'logs'], { directory })
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringContaining('requires `--yes` when there is no terminal'),
    ])
    const accepted = await evq(['dataset', 'accept-loss', 'logs', '--yes'], { directory })
    const folder = join(directory, 'damaged', 'datasets.logs')
    expect([accepted.status, accepted.stderr]).toEqual([
      0,
      `logs: loss of 3,000 events in 1 damaged part of \`logs\` accepted; the damaged files are in \`${folder}\`\n`,
    ])
    expect(readdirSync(folder)).toEqual(['broken-on-start_all_2_2_0'])
    for (const args of [
      ['query', 'logs | count'],
      ['page', 'logs'],
    ]) {
      const { status, stderr } = await evq(args, { directory })
      expect([args, status, stderr]).toEqual([args, 0, expect.not.stringContaining('damaged')])
    }
    const again = await evq(['dataset', 'accept-loss', 'logs', '--yes'], { directory })
    expect([again.status, again.stderr]).toEqual([0, 'logs: nothing is damaged\n'])
    const unknown = await evq(['dataset', 'accept-loss', 'other', '--yes'], { directory })
    expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining('`other`')])
  })

  it('fail the queries that read them, and are named then, when their bytes changed', async () => {
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
        /^Stored events that the query reads are damaged on disk\. Query a different time range, or fewer fields; `evq dataset show` names the damaged files\. Quote request id/,
      )
      expect((await fetch(`${service.url}/readyz`)).status).toBe(503)
      const show = async () => {
        const headers = { authorization: `Bearer ${token}` }
        const response = await fetch(`${service.url}/v1/datasets/logs/info`, { headers })
        const { damage = [] } = (await response.json()) as { damage?: readonly unknown[] }
        return damage.length > 0 && damage
      }
      expect(await until(show, () => 'the check of the dataset')).toEqual([
        { name: 'all_2_2_0', state: 'unreadable', events: 3_000 },
      ])
    })
    const { status, stderr } = await evq(['dataset', 'accept-loss', 'logs', '--yes'], { directory })
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining('loss of 3,000 events in 1 damaged part'),
    ])
    const left = await evq(['query', 'logs | summarize max(batch)', '-q'], { directory })
    expect([left.status, left.stdout]).toEqual([0, '{"max_batch":1}\n'])
  })
})

describe('a dataset whose definition is gone', () => {
  it('makes the results of patterns that match its name partial, and is shown', async () => {
    const other = `other_${'long_'.repeat(12)}name`
    await twoBatches()
    await serving((service) => post(service, `/v1/ingest/${other}`, [{ n: 1 }]))
    const store = join(directory, 'engine/store')
    const files = readdirSync(store, { recursive: true, encoding: 'utf8' })
    rmSync(join(store, files.find((file) => file.endsWith(`/${other}.sql`))!))
    const { status, stdout, stderr } = await evq(['query', 'union * | count'], { directory })
    expect([status, stdout, stderr]).toEqual([
      3,
      '{"Count":6000}\n',
      expect.stringContaining(`Files of the dataset \`${other}\` are damaged: 1 of its events`),
    ])
    const shown = await evq(['dataset', 'show', other], { directory })
    expect([shown.status, shown.stderr]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^${other}: part \`.*\` is damaged: 1 event missing from all results$`, 'm'),
      ),
    ])
    const named = await evq(['query', `${other} | count`], { directory })
    expect([named.status, named.stdout, named.stderr]).toEqual([
      2,
      '',
      expect.stringContaining(`Files of the dataset \`${other}\` are damaged: 1 of its events`),
    ])
    const others = await evq(['query', 'union l* | count'], { directory })
    expect([others.status, others.stderr]).toEqual([0, expect.not.stringContaining('damaged')])
  })
})

describe('damaged metadata', () => {
  it('makes results partial until its loss is accepted', async () => {
    await twoBatches()
    const metadata = readFileSync(join(directory, 'engine/metadata/evq/path.sql'), 'utf8')
    const [, id = ''] = /UUID '([0-9a-f-]+)'/.exec(metadata) ?? []
    const table = join(directory, 'engine/store', id.slice(0, 3), id)
    for (const part of readdirSync(table).filter((name) => name.startsWith('all_'))) {
      rmSync(join(table, part), { recursive: true })
    }
    const damaged = await evq(['query', 'logs | count'], { directory })
    expect([damaged.status, damaged.stderr]).toEqual([
      3,
      expect.stringContaining('Metadata files are damaged'),
    ])
    const { status, stderr } = await evq(['dataset', 'accept-loss', '--metadata', '--yes'], {
      directory,
    })
    expect([status, stderr]).toEqual([0, expect.stringContaining('metadata: loss of')])
    const left = await evq(['query', 'logs | count', '-q'], { directory })
    expect([left.status, left.stdout, left.stderr]).toEqual([0, '{"Count":6000}\n', ''])
  })
})

describe('a directory that is deleted under a running service', () => {
  it('makes it refuse requests as unavailable, so that clients keep their events', async () => {
    await serving(async (service) => {
      await post(service, '/v1/ingest/logs', [{ n: 1 }])
      rmSync(directory, { recursive: true })
      for (const isReplaced of [false, true]) {
        if (isReplaced) mkdirSync(join(directory, 'engine'), { recursive: true })
        const ready = await fetch(`${service.url}/readyz`)
        expect([ready.status, await ready.text()]).toEqual([
          503,
          expect.stringContaining('The data directory of the service was deleted'),
        ])
        for (const path of [
          '/v1/ingest/logs',
          '/v1/datasets/_apl',
          '/loki/api/v1/push',
          '/_bulk',
        ]) {
          const { status } = await fetch(`${service.url}${path}`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: '[{"n":2}]',
          })
          expect([path, status]).toEqual([path, 503])
        }
        expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
      }
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
