import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openStore, type Store } from '../../../src/engine/store.js'
import { temporaryDirectory } from '../../support/temporary.js'

const NOW = 1_767_268_800_000_000_000n

it.each([
  ['an empty file', () => Buffer.alloc(0)],
  ['a truncated file', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
  ['a file of zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
])('damaged definitions stop only their datasets: %s', async (_, damaged) => {
  const directory = temporaryDirectory()
  const store = await openStore({ directory, now: () => NOW })
  for (const dataset of ['kept', 'lost', 'lost-too']) {
    await store.create(dataset)
    await store.starredQueries.put({ id: dataset, body: '{}' })
  }
  await store.close()
  const metadata = join(directory, 'engine/metadata')
  for (const name of ['datasets/lost', 'datasets/lost%2Dtoo', 'datasets', 'evq']) {
    const path = join(metadata, `${name}.sql`)
    await writeFile(path, damaged(await readFile(path)))
  }
  const warnings: string[] = []
  const reopened = await opened(directory, warnings)
  expect(reopened.schema.datasets).toEqual(['kept'])
  expect(await reopened.starredQueries.list()).toHaveLength(3)
  const moved = ['lost', 'lost%2Dtoo'].map(
    (name) =>
      `The damaged file \`${join(metadata, 'datasets', name)}.sql\` was moved to \`${join(directory, `damaged/datasets.${name}.sql`)}\`.`,
  )
  expect(warnings).toEqual(expect.arrayContaining(moved))
  expect(warnings).toHaveLength(4)
})

it('a database without tables whose definition is empty is created again', async () => {
  const directory = temporaryDirectory()
  const store = await openStore({ directory, now: () => NOW })
  await store.starredQueries.put({ id: 'kept', body: '{}' })
  await store.close()
  // A disk that becomes full while a data directory is created leaves this state.
  const metadata = join(directory, 'engine/metadata')
  await expect(access(join(metadata, 'datasets'))).rejects.toThrow('ENOENT')
  await writeFile(join(metadata, 'datasets.sql'), '')
  const warnings: string[] = []
  const reopened = await opened(directory, warnings)
  await reopened.create('new')
  expect(reopened.schema.datasets).toEqual(['new'])
  expect(await reopened.starredQueries.list()).toHaveLength(1)
  const [from, to] = [join(metadata, 'datasets.sql'), join(directory, 'damaged/datasets.sql')]
  expect(warnings).toEqual([`The damaged file \`${from}\` was moved to \`${to}\`.`])
})

async function opened(directory: string, warnings: string[]): Promise<Store> {
  const warn = (message: string) => warnings.push(message)
  const store = await openStore({ directory, now: () => NOW, warn })
  onTestFinished(async () => void (await store.close()))
  return store
}
