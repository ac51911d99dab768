import { describe, expect, it } from 'vitest'
import { detectInput } from '../../../src/input/input.js'
import { inPieces } from '../support.js'

const PIECE = 64 * 1024
const TIME = '2026-11-20T10:00:00Z'

describe('the fields of the first event', () => {
  // Longer than the part in which formats are detected.
  const long = 'x'.repeat(3 * 1024 * 1024)

  it.each([
    ['ndjson', `{"msg":"${long}","time":"${TIME}"}\n{"msg":"b","time":"${TIME}"}\n`],
    ['json', `[{"msg":"${long}","time":"${TIME}"},\n{"msg":"b","time":"${TIME}"}]`],
    ['csv', `msg,time\n${long},${TIME}\nb,${TIME}\n`],
  ] as const)('are read although it has megabytes: %s', async (format, text) => {
    const bytes = inPieces(Buffer.from(text), PIECE)
    const opened = { name: 'input', bytes, isLive: false }
    const { mapping } = await detectInput(opened, { format, findsTimeField: true })
    expect(mapping.timestampField).toBe('time')
  })

  it('are read after a header that is repeated in the first row', async () => {
    const text = `time,n\ntime,n\n${`${TIME},1\n`.repeat(50_000)}`
    const opened = { name: 'input', bytes: inPieces(Buffer.from(text), PIECE), isLive: false }
    const { mapping } = await detectInput(opened, { format: 'csv', findsTimeField: true })
    expect(mapping.timestampField).toBe('time')
  })

  it('are read in all parts of the beginning', async () => {
    const text = `{"msg":"a"}\n`.repeat(600) + `{"msg":"b","severity":"WARNING"}\n`.repeat(400)
    const opened = { name: 'input', bytes: inPieces(Buffer.from(text), PIECE), isLive: false }
    const { mapping } = await detectInput(opened, { format: 'ndjson' })
    expect(mapping.levelSource).toBe('severity')
  })
})
