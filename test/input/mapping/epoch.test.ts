import { expect, it } from 'vitest'
import { mappingRewriter, objectMapping } from '../../../src/input/mapping/detect-mapping.js'
import { objectsIn } from '../../../src/input/mapping/sample.js'
import { rewrittenText } from './rewritten-text.js'

const NOW = 1_795_168_900_000_000_000n
/** 10:00 on 20 November 2026 in steps of 100 ns since 1601: 1,795,168,800 + 11,644,473,600 seconds. */
const COUNT = '134396424000000000'

it.each([
  ['', '2026-11-20T10:00:00Z'],
  ['.25', '2026-11-20T10:00:00.000000025Z'],
  // The digits below a nanosecond are dropped.
  [`.5${'9'.repeat(1_000_000)}`, '2026-11-20T10:00:00.000000059Z'],
])('reads counts of Windows with a fraction', (fraction, expected) => {
  const event = (text: string) => `{"filetime":${text},"level":"info"}`
  const mapping = objectMapping(objectsIn([event(COUNT)]), { now: NOW })
  expect(mapping.timestampField).toBe('filetime')
  const rewrite = mappingRewriter(mapping, { times: {} })
  expect(JSON.parse(rewrittenText(event(COUNT + fraction), rewrite))._time).toBe(expected)
})
