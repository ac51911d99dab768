import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCatalog } from '../../../src/engine/catalog/catalog.js'
import {
  createDocuments,
  type Document,
  type Documents,
  documents,
} from '../../../src/engine/catalog/documents.js'
import type { Engine } from '../../../src/engine/engine.js'
import { tokenFile } from '../../../src/local/token-file.js'
import { tokenDocuments } from '../../../src/service/auth/token-documents.js'
import type { TokenRecords } from '../../../src/service/auth/token-record.js'
import { openTokens } from '../../../src/service/auth/tokens.js'
import { openTestEngine } from '../../support/engine.js'
import { removeDirectory } from '../../support/remove-directory.js'

let root: string
let engine: Engine

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'evq-tokens-'))
  engine = await openTestEngine()
  await createCatalog(engine)
  await createDocuments(engine)
})

afterAll(async () => {
  await engine.close()
  await removeDirectory(root)
})

function inMemory(): Documents {
  const kept = new Map<string, Document>()
  return {
    get: async (id) => kept.get(id),
    list: async () => [...kept.values()],
    put: async (...all) => {
      for (const document of all) kept.set(document.id, document)
    },
    remove: async (id) => {
      kept.delete(id)
    },
  }
}

/** A clock that stands still while anything runs. */
class Clock {
  private ms = 0
  private readonly sleepers: { readonly at: number; wake(): void }[] = []

  now(): number {
    return this.ms
  }

  wait(ms: number): Promise<void> {
    return new Promise((wake) => this.sleepers.push({ at: this.ms + ms, wake }))
  }

  /** Advances until the work is done. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    while (!isDone) {
      // All that does not wait for the clock gets ready.
      await new Promise((resolve) => setImmediate(resolve))
      const next = this.sleepers.sort((a, b) => a.at - b.at).shift()
      if (next === undefined) continue
      this.ms = Math.max(this.ms, next.at)
      next.wake()
    }
    return await done
  }
}

const NOON = 1_767_268_800_000_000_000n
const now = () => NOON
const ALL = { name: 'all', personal: true }
const SOME = {
  name: 'some',
  personal: false,
  ingest: ['logs'],
  query: ['*'],
  starred: ['read', 'update'] as const,
}

/** Each storage, opened again with every call as by another process. */
const places: readonly [string, (place: number) => TokenRecords][] = [
  ['a file', (place) => tokenFile(join(root, `data-${place}`))],
  ['the engine', (place) => tokenDocuments(documents(engine, `token-${place}`))],
]

describe.each(places)('tokens in %s', (_, open) => {
  let place = 0
  const tokens = () => openTokens(open(place), now)
  const made = async (grant: Parameters<ReturnType<typeof tokens>['create']>[0]) =>
    (await tokens().create(grant)) ?? expect.fail('not made')

  beforeEach(() => {
    place += 1
  })

  it('are recognized with their grants, also after reopening', async () => {
    const here = tokens()
    const [all, some] = [await here.create(ALL), await here.create(SOME)]
    for (const opened of [here, tokens()]) {
      expect(await opened.grantOf(all ?? '')).toMatchObject(ALL)
      expect(await opened.grantOf(some ?? '')).toMatchObject(SOME)
      expect(await opened.countInForce()).toBe(2)
    }
  })

  it('are recognized immediately by a service that has already read the others', async () => {
    const first = await made(ALL)
    const service = tokens()
    expect(await service.grantOf(first)).toBeDefined()
    const second = await made(SOME)
    expect(await service.grantOf(second)).toMatchObject(SOME)
  })

  it('reveal their kind by a prefix', async () => {
    expect(await made(ALL)).toMatch(/^xapt-[\w-]{32}$/)
    expect(await made(SOME)).toMatch(/^xaat-[\w-]{32}$/)
  })

  it('are unknown unless every character is right', async () => {
    expect(await tokens().grantOf('xapt-')).toBeUndefined()
    const token = await made(ALL)
    for (const text of ['', token.slice(0, -1), `${token}x`, token.toUpperCase()]) {
      expect(await tokens().grantOf(text)).toBeUndefined()
    }
  })

  it('are invalid after they are revoked by name or id', async () => {
    const kept = await made({ ...SOME, name: 'kept' })
    const [one, two] = [await made(ALL), await made(SOME)]
    const { id = '' } = (await tokens().list()).find(({ name }) => name === 'some') ?? {}
    expect(await tokens().revoke('all')).toMatchObject([{ name: 'all' }])
    expect(await tokens().revoke(id)).toMatchObject([{ id, name: 'some' }])
    expect(await tokens().revoke('all')).toEqual([])
    for (const token of [one, two]) expect(await tokens().grantOf(token)).toBeUndefined()
    expect(await tokens().grantOf(kept)).toBeDefined()
  })

  it('have unique names while they are in force', async () => {
    const first = await made(ALL)
    expect(await tokens().create({ ...SOME, name: 'all' })).toBeUndefined()
    expect(await tokens().grantOf(first)).toMatchObject(ALL)
  })

  it('are not counted after they have expired, and release their name', async () => {
    const expired = await made({ ...ALL, expires: '2026-01-01T12:00:00.000Z' })
    await made({ ...SOME, expires: '2026-01-01T12:00:00.001Z' })
    expect(await tokens().countInForce()).toBe(1)
    await made(ALL)
    expect((await tokens().list()).map(({ name }) => name).sort()).toEqual(['all', 'some'])
    expect(await tokens().grantOf(expired)).toBeUndefined()
  })

  it('are listed without secrets', async () => {
    const token = await made(SOME)
    const listed = await tokens().list()
    expect(listed).toEqual([
      { ...SOME, id: expect.stringMatching(/^[0-9a-f]{12}$/), created: '2026-01-01T12:00:00.000Z' },
    ])
    expect(JSON.stringify(listed)).not.toContain(token.slice('xaat-'.length))
  })
})

describe('tokens in a file', () => {
  const directory = () => join(root, 'file')
  const path = () => join(directory(), 'tokens.json')
  const tokens = () => openTokens(tokenFile(directory()), now)

  beforeEach(() => removeDirectory(directory()))

  it('are stored as hashes, in a file readable by the owner only', async () => {
    const token = await tokens().create(ALL)
    expect(await readFile(path(), 'utf8')).not.toContain(token?.slice('xapt-'.length))
    expect((await stat(path())).mode & 0o777).toBe(0o600)
    expect((await readdir(directory())).sort()).toEqual(['tokens.json', 'tokens.json.lock'])
  })

  it('are read once for all lookups at the same time, and again for those after a change', async () => {
    const records = tokenFile(directory())
    await tokens().create(ALL)
    const [first, second] = [records.read('now'), records.read('now')]
    expect(second).toBe(first)
    expect((await first).map(({ name }) => name)).toEqual(['all'])
    const during = records.read('now')
    await tokens().create(SOME)
    const after = records.read('now')
    await during
    expect((await after).map(({ name }) => name)).toEqual(['all', 'some'])
  })

  it('are all kept when many are created concurrently', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `token-${i}`)
    // Each waits for all before it, however long these take.
    const patient = () => openTokens(tokenFile(directory(), { lockTimeoutMs: 120_000 }), now)
    await Promise.all(names.map((name) => patient().create({ ...SOME, name })))
    const listed = (await tokens().list()).map(({ name }) => name)
    expect(listed.sort()).toEqual([...names].sort())
  })

  it('are empty without a file, and listing does not create it', async () => {
    expect(await tokens().list()).toEqual([])
    expect(await tokens().revoke('all')).toEqual([])
    await expect(stat(directory())).rejects.toThrow('ENOENT')
  })

  it('keep their grants from an older format', async () => {
    const token = (await tokens().create(ALL)) ?? ''
    const [{ id, sha256 }] = JSON.parse(await readFile(path(), 'utf8')).tokens
    const old = { id, name: 'old', personal: true, sha256 }
    await writeFile(path(), JSON.stringify({ tokens: [old] }))
    expect(await tokens().grantOf(token)).toMatchObject({ name: 'old', personal: true })
  })

  const sound = { id: 'a', name: 'a', personal: false, sha256: '0'.repeat(64) }
  it.each([
    '',
    '{',
    '{}',
    '{"tokens": [{}]}',
    '{"tokens": [{"sha256": "00"}]}',
    ...[{ expires: 'soon' }, { ingest: '*' }, { query: [1] }, { starred: ['write'] }].map((more) =>
      JSON.stringify({ tokens: [{ ...sound, ...more }] }),
    ),
  ])('with corrupted content (%j) are an error, not an empty list', async (text) => {
    await tokens().create(ALL)
    await writeFile(path(), text)
    await expect(tokens().list()).rejects.toThrow("can't be read")
    await expect(tokens().create(SOME)).rejects.toThrow("can't be read")
    expect(await readFile(path(), 'utf8')).toBe(text)
  })
})

describe('tokens in the engine', () => {
  it('are not lost when renaming a dataset fails', async () => {
    const kept = inMemory()
    const stored = openTokens(tokenDocuments(kept), now)
    const token = (await stored.create(SOME)) ?? ''
    const put = () => Promise.reject(new Error('disk full'))
    const failing = openTokens(tokenDocuments({ ...kept, put }), now)
    await expect(failing.renameDataset('logs', 'web')).rejects.toThrow('disk full')
    expect(await stored.grantOf(token)).toMatchObject(SOME)
    await stored.renameDataset('logs', 'web')
    expect(await stored.grantOf(token)).toMatchObject({ ...SOME, ingest: ['web'] })
  })

  it('are invalid at all services within a second of being revoked at one', async () => {
    const [here, there] = [1, 2].map(() =>
      openTokens(tokenDocuments(documents(engine, 'shared')), now),
    )
    const token = (await here?.create(ALL)) ?? ''
    expect(await there?.grantOf(token)).toMatchObject(ALL)
    await here?.revoke('all')
    expect(await here?.grantOf(token)).toBeUndefined()
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    expect(await there?.grantOf(token)).toBeUndefined()
  })

  it('are read fewer than 50 times for 300 unknown ones of a client', async () => {
    const kept = inMemory()
    let reads = 0
    const list = (): ReturnType<typeof kept.list> => {
      reads += 1
      return kept.list()
    }
    const clock = new Clock()
    const asked = openTokens(tokenDocuments({ ...kept, list }, clock), now)
    const client = async (name: number): Promise<void> => {
      for (let i = 0; i < 30; i++) {
        expect(await asked.grantOf(`xaat-${name}-${i}`)).toBeUndefined()
        // The delay of the response.
        await clock.wait(i < 2 ? 0 : 2_000 - name)
      }
    }
    await clock.run(Promise.all(Array.from({ length: 10 }, (_, name) => client(name))))
    expect(reads).toBeLessThan(50)
  })

  it('are valid while others try unknown ones, new ones of another service soon', async () => {
    const kept = inMemory()
    const clock = new Clock()
    const here = openTokens(tokenDocuments(kept), now)
    const there = openTokens(tokenDocuments(kept, clock), now)
    const known = (await here.create(ALL)) ?? ''
    expect(await clock.run(there.grantOf(known))).toMatchObject(ALL)
    for (let i = 0; i < 10; i++) await clock.run(there.grantOf(`xaat-${i}`))
    const before = clock.now()
    const storm = there.grantOf('xaat-last')
    expect(await there.grantOf(known)).toMatchObject(ALL)
    expect(clock.now()).toBe(before)
    const created = (await here.create(SOME)) ?? ''
    expect(await clock.run(there.grantOf(created))).toMatchObject(SOME)
    expect(clock.now() - before).toBeLessThanOrEqual(3_000)
    expect(await clock.run(storm)).toBeUndefined()
  })

  it('are valid immediately when another service has created them', async () => {
    const [here, there] = [1, 2].map(() =>
      openTokens(tokenDocuments(documents(engine, 'made')), now),
    )
    expect(await there?.grantOf('xaat-unknown')).toBeUndefined()
    const token = (await here?.create(ALL)) ?? ''
    expect(await there?.grantOf(token)).toMatchObject(ALL)
  })
})
