import { expect, it } from 'vitest'
import type { OutputFormat } from '../../../src/cli/output/flags.js'
import { type ListColumn, printList } from '../../../src/cli/terminal/listing.js'
import { fakeIo, silentContext } from '../../support/fake-io.js'

const COLUMNS: readonly ListColumn<number>[] = [{ name: 'size', type: 'bytes', of: (row) => row }]

async function listed(isTerminal: boolean, output?: OutputFormat): Promise<string> {
  const io = fakeIo({ isTerminal })
  const list = { rows: [1_234_567], columns: COLUMNS }
  await printList(list, { ...silentContext(), io }, output === undefined ? {} : { output })
  return io.out()
}

it('shows bytes with a unit to readers, and as an integer to programs', async () => {
  expect(await listed(true)).toContain('1.2 MB')
  expect(await listed(true, 'record')).toContain('1.2 MB')
  expect(await listed(true, 'csv')).toBe('size\n1234567\n')
  expect(await listed(false)).toBe('{"size":1234567}\n')
})
