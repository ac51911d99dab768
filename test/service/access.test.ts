import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTokens } from '../../src/service/access.js'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'evq-access-'))
})

afterEach(async () => {
  await rm(directory, { recursive: true })
})

describe('tokens', () => {
  it('are recognised, also when opened again', async () => {
    const tokens = await openTokens(directory)
    const first = await tokens.create({ name: 'first', personal: true })
    const second = await tokens.create({ name: 'second', personal: false })
    for (const opened of [tokens, await openTokens(directory)]) {
      expect(opened.count).toBe(2)
      expect(opened.grantOf(first)).toMatchObject({ name: 'first', personal: true })
      expect(opened.grantOf(second)).toMatchObject({ name: 'second', personal: false })
    }
  })

  it('say their kind by how they begin', async () => {
    const tokens = await openTokens(directory)
    expect(await tokens.create({ name: 'a', personal: true })).toMatch(/^xapt-[\w-]{32}$/)
    expect(await tokens.create({ name: 'b', personal: false })).toMatch(/^xaat-[\w-]{32}$/)
  })

  it('are unknown unless every character is right', async () => {
    const tokens = await openTokens(directory)
    expect(tokens.grantOf('xapt-')).toBeUndefined()
    const token = await tokens.create({ name: 'a', personal: true })
    expect(tokens.grantOf('')).toBeUndefined()
    expect(tokens.grantOf(token.slice(0, -1))).toBeUndefined()
    expect(tokens.grantOf(`${token}x`)).toBeUndefined()
    expect(tokens.grantOf(token.toUpperCase())).toBeUndefined()
  })

  it('are kept as hashes, in a file for the owner alone', async () => {
    const token = await (await openTokens(directory)).create({ name: 'a', personal: true })
    const path = join(directory, 'tokens.json')
    expect(await readFile(path, 'utf8')).not.toContain(token.slice('xapt-'.length))
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it.each(['', '{', '{}', '{"tokens": [{}]}', '{"tokens": [{"sha256": "00"}]}'])(
    'in a damaged file (%j) are an error, not none',
    async (text) => {
      await writeFile(join(directory, 'tokens.json'), text)
      await expect(openTokens(directory)).rejects.toThrow("can't be read")
    },
  )
})
