import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { countLines } from '../../../src/engine/ingest/line-counts.js'
import { temporaryDirectory } from '../../support/temporary.js'

const EVENT = '{"a":1}'

it.each([
  ['no lines', '', [0, 0]],
  ['an empty line', '\n', [1, 0]],
  ['only CR', '\r', [1, 0]],
  ['only spaces', '  \n\t\n', [2, 0]],
  ['events and empty lines', `${EVENT}\n\n\r\n${EVENT}\r\n${EVENT}`, [5, 3]],
  ['lines that are not events', `${EVENT}\nx\r\n \n\n\r${EVENT}\n`, [5, 3]],
  ['a byte-order mark alone', '\ufeff', [1, 0]],
  ['a byte-order mark before a blank line', '\ufeff \nx', [2, 1]],
  ['a byte-order mark in the second line', '\n\ufeff\n', [2, 1]],
  [
    'lines longer than the chunks of a file',
    `${'x'.repeat(1_500_000)}\n${' '.repeat(1_500_000)}`,
    [2, 1],
  ],
])('counts %s', async (_, text, [lines, events]) => {
  const bytes = Buffer.from(text)
  const path = join(temporaryDirectory(), 'lines')
  await writeFile(path, bytes)
  const counts = { bytes: bytes.length, lines, events }
  expect(await countLines({ kind: 'bytes', bytes })).toEqual(counts)
  expect(await countLines({ kind: 'file', path })).toEqual(counts)
})
