import { expect, it } from 'vitest'
import { mappingRewriter, objectMapping } from '../../../src/input/mapping/detect-mapping.js'
import { objectsIn } from '../../../src/input/mapping/sample.js'
import { rewrittenText } from './rewritten-text.js'

const EVENT = '{"instant":{"epochSecond":1795168800,"nanoOfSecond":58781453},"level":"info"}'
const NOW = 1_795_168_900_000_000_000n

it("reads the seconds and the nanoseconds of log4j's `instant`", () => {
  const mapping = objectMapping(objectsIn([EVENT]), { now: NOW })
  expect(mapping.timestampField).toBe('instant')
  const rewrite = mappingRewriter(mapping, { times: {} })
  expect(JSON.parse(rewrittenText(EVENT, rewrite))._time).toBe('2026-11-20T10:00:00.058781453Z')
})
