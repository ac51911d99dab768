import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDataDirectory } from '../../src/local/open-directory.js'
import { main } from '../../src/main.js'
import { fakeIo } from '../support/fake-io.js'
import { temporaryDirectory } from '../support/temporary.js'

const directory = temporaryDirectory()
const env = { EVQ_DATA_DIR: directory, XDG_STATE_HOME: directory, XDG_CONFIG_HOME: directory }
const out = join(directory, 'out.csv')
const NOW = BigInt(Date.UTC(2026, 0, 31, 12)) * 1_000_000n

it('requests fewer rows when a page is larger than the service can return', async () => {
  const limits = { queryMemoryBytes: 64 * 1024 * 1024 }
  const service = await openDataDirectory({ directory, now: () => NOW, limits })
  try {
    const events = (from: number, count: number, text: string) =>
      [...Array(count).keys()]
        .map((i) => `{"_time":${1.7e9 + from + i},"text":"${i}${text}"}\n`)
        .join('')
    for (const stdin of [
      events(0, 1_500, 'short'),
      ...[0, 1, 2, 3].map((part) => events(1_500 + part * 1_000, 1_000, 'x'.repeat(20_000))),
    ]) {
      expect(await main(['ingest', 'logs'], fakeIo({ env, stdin }))).toBe(0)
    }
    const io = fakeIo({ env })
    const args = ['--direction', 'asc', '-O', out]
    const exitCode = await main(['page', "['logs'] | project _time, text", ...args], io)
    expect({ exitCode, err: io.err() }).toMatchObject({
      exitCode: 0,
      err: expect.stringMatching(/^5,500 rows \(all matching\)/),
    })
    expect(readFileSync(out, 'utf8').split('\n')).toHaveLength(5_502)
  } finally {
    await service?.close()
  }
})
