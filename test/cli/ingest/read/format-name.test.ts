import { describe, expect, it } from 'vitest'
import {
  guessNotice,
  inputNotices,
  recordsNotice,
} from '../../../../src/cli/ingest/read/format-name.js'
import { detectInput, type Input } from '../../../../src/input/input.js'
import type { ReadOptions } from '../../../../src/input/read-options.js'
import { inPieces } from '../../../input/support.js'

describe('the message about a detected format', () => {
  it('names the columns of a table', async () => {
    expect(await message('\n"host, name",level\na,b\n')).toBe(
      'Reading `x` as CSV with the columns `host, name`, `level`; `-i` sets another format.',
    )
    expect(await message('a\tb\n1\t2\n')).toBe(
      'Reading `x` as CSV with tabs with the columns `a`, `b`; `-i` sets another format.',
    )
  })

  it('shortens long lists and long names', async () => {
    const long = 'n'.repeat(60)
    expect(await message(`${long},b,c,d,e,f,g,h,i,j\n`)).toBe(
      `Reading \`x\` as CSV with the columns \`${'n'.repeat(40)}…\`, \`b\`, \`c\`, \`d\`, \`e\`, \`f\`, \`g\`, \`h\` and 2 more; \`-i\` sets another format.`,
    )
  })

  it('names standard input as within a sentence', async () => {
    const document = await detected('{"Records":[{"a":1},{"a":2}]}')
    expect(guessNotice({ ...document, name: 'standard input' }, '-i')).toBe(
      'Reading standard input as a document with an event per element of `Records`; `--records none` reads it as one event.',
    )
  })

  it('is shown for ten inputs', async () => {
    const told: string[] = []
    const notice = inputNotices({}, { flag: '-i', tell: (text) => told.push(text) })
    notice(await detected('{"a":1}\n'))
    for (let i = 0; i < 12; i++) notice(await detected('a,b\n1,2\n'))
    const one = 'Reading `x` as CSV with the columns `a`, `b`; `-i` sets another format.'
    expect(told).toEqual([...Array(10).fill(one), 'The formats of further inputs are not shown.'])
  })
})

it.each([
  ['rows', '{"items":[{"a":1}]}', true],
  ['items.a', '{"items":[{"a":1}]}', true],
  ['items', '{"a":1}\n{"a":2}\n', true],
  ['items', '{"items":[{"a":1}]}', false],
  ['none', '{"items":[{"a":1}]}', false],
])('tells that `--records %s` names no array of %j: %s', async (records, text, isIgnored) => {
  const notice =
    '`x`: `--records` has no effect, because the input is not a document with an array at'
  expect(recordsNotice(await detected(text, { records }), { records })).toBe(
    isIgnored ? `${notice} \`${records}\`.` : undefined,
  )
})

async function detected(text: string, read?: ReadOptions): Promise<Input> {
  const bytes = inPieces(Buffer.from(text), 64 * 1024)
  return await detectInput({ name: 'x', bytes, isLive: false }, read)
}

async function message(text: string): Promise<string | undefined> {
  return guessNotice(await detected(text), '-i')
}
