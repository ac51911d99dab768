import { describe, expect, it } from 'vitest'
import { OpenScans, type Scan } from '../../../src/service/query/open-scans.js'
import { until } from '../../support/until.js'

const LONG_MS = 600_000

/** A scan that records whether it was ended. */
function scan(): Scan & { isEnded: boolean } {
  return {
    isEnded: false,
    next: async () => undefined,
    end() {
      this.isEnded = true
    },
  }
}

describe('the open scans', () => {
  it('return a scan to one page only', () => {
    const scans = new OpenScans({ idleMs: LONG_MS })
    const kept = scan()
    scans.keep('a', kept)
    expect([scans.take('b'), scans.take('a'), scans.take('a')]).toEqual([
      undefined,
      kept,
      undefined,
    ])
    expect(kept.isEnded).toBe(false)
  })

  it('end the oldest scan when there are too many, and a scan that another one replaces', () => {
    const scans = new OpenScans({ idleMs: LONG_MS })
    const kept = [scan(), scan(), scan(), scan()]
    for (const [i, key] of ['a', 'b', 'c', 'c'].entries()) scans.keep(key, kept[i]!)
    expect(kept.map(({ isEnded }) => isEnded)).toEqual([true, false, true, false])
    expect([scans.take('a'), scans.take('b'), scans.take('c')]).toEqual([
      undefined,
      kept[1],
      kept[3],
    ])
  })

  it('end a scan whose next page is not requested in time', async () => {
    const scans = new OpenScans({ idleMs: 5 })
    const kept = scan()
    scans.keep('a', kept)
    await until(() => kept.isEnded, 'the scan ended')
    expect(scans.take('a')).toBeUndefined()
  })
})
