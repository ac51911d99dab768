import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { openEmbedded } from '../../../src/engine/clickhouse/embedded.js'
import {
  pageReleases,
  releasePages,
  unchangedRanges,
} from '../../../src/engine/clickhouse/library-pages.js'
import type { Engine } from '../../../src/engine/engine.js'
import { sql } from '../../../src/sql/sql.js'
import { needsLinux } from '../../support/needs.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { until } from '../../support/until.js'

const MAPS = `10000-18000 r--p 00000000 fe:00 42 /opt/engine/libchdb.so
18000-30000 r-xp 00008000 fe:00 42 /opt/engine/libchdb.so
30000-31000 r--p 00020000 fe:00 42 /opt/engine/libchdb.so
31000-32000 rw-p 00021000 fe:00 42 /opt/engine/libchdb.so
32000-33000 rw-p 00000000 00:00 0
40000-41000 r-xp 00000000 fe:00 43 /opt/engine/other.so
`

/** The megabytes of the code of a library that are in the memory of this process. */
async function residentCode(library: string): Promise<number> {
  const all = await readFile('/proc/self/smaps', 'utf8')
  const mapping = new RegExp(String.raw`r-xp .*/${library}\nSize:.*\n(?:.*\n)*?Rss: +(\d+) kB`)
  return Number(mapping.exec(all)?.[1]) / 1024
}

/** Runs statements until their code is in memory, and returns its megabytes. The pages may leave memory soon after the engine has started. */
async function usedCode(engine: Engine): Promise<number> {
  return await until(async () => {
    await engine.ask(sql`SELECT count() AS n FROM system.tables`)
    const used = await residentCode('libchdb.so')
    return used > 15 && used
  }, 'more than 15 MB of code in memory')
}

describe('the pages of a library', () => {
  it('that equal its file are its code and its first constants', () => {
    expect(unchangedRanges(MAPS, 'libchdb.so')).toEqual([
      { start: 0x10000, end: 0x18000 },
      { start: 0x18000, end: 0x30000 },
    ])
    expect(unchangedRanges(MAPS, 'chdb.so')).toEqual([])
  })

  it(
    'leave memory soon after the engine has started, which uses 100 MB of them',
    needsLinux,
    async () => {
      const engine = await openEmbedded({ directory: temporaryDirectory() })
      await until(async () => (await residentCode('libchdb.so')) < 50, 'less than 50 MB in memory')
      await engine.close()
    },
  )

  it('leave memory and return when they are used', needsLinux, async () => {
    const engine = await openEmbedded({ directory: temporaryDirectory() })
    const used = await usedCode(engine)
    await releasePages('libchdb.so')
    expect(await residentCode('libchdb.so')).toBeLessThan(used / 2)
    const { columns } = await engine.ask(sql`SELECT sum(number) AS n FROM numbers(10)`)
    expect(columns.get('n')).toBe('[45]')
    await engine.close()
  })

  it(
    'leave memory again after they were used, while the process uses much memory',
    needsLinux,
    async () => {
      const engine = await openEmbedded({ directory: temporaryDirectory() })
      await until(async () => (await residentCode('libchdb.so')) < 50, 'less than 50 MB in memory')
      const used = await usedCode(engine)
      const release = pageReleases('libchdb.so')
      const large = Buffer.alloc(300_000_000, 1)
      await until(async () => {
        release()
        return (await residentCode('libchdb.so')) < used / 2
      }, 'fewer pages in memory')
      expect(large.at(-1)).toBe(1)
      await engine.close()
    },
  )
})
