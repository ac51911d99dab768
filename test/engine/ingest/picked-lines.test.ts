import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pickLines as pick } from '../../../src/engine/ingest/picked-lines.js'
import { temporaryDirectory } from '../../support/temporary.js'

const path = join(temporaryDirectory(), 'lines')
// Longer than the chunks in which files are read.
const LONG = 'é'.repeat(1_500_000)
const LINES = ['first', '', LONG, 'third', `${LONG}!`, 'last']

/** Picks lines from a file, and from memory with the same result. */
async function pickLines(file: string, step: number) {
  const picked = await pick({ kind: 'file', path: file }, step)
  expect(await pick({ kind: 'bytes', bytes: readFileSync(file) }, step)).toEqual(picked)
  return picked
}

it.each([
  ['ended by a line feed', '\n'],
  ['that is the last one', ''],
])('picks every line, also one %s', async (_, end) => {
  writeFileSync(path, `\ufeff${LINES.join('\n')}${end}`)
  for (const step of [1, 2, 5]) {
    const picked = LINES.filter((_, i) => i % step === 0)
    expect((await pickLines(path, step)).map((line) => line?.length)).toEqual(
      picked.map(({ length }) => length),
    )
  }
  expect((await pickLines(path, 3)).join()).toBe('first,third')
})

it('has no text for a line that is not UTF-8', async () => {
  writeFileSync(path, Buffer.from('a\n\xff\n\xef\xbb\xbfc', 'latin1'))
  expect(await pickLines(path, 1)).toEqual(['a', undefined, '\ufeffc'])
})
