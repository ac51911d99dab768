import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  directoryId,
  fileOfClickHouse,
  serviceName,
  setInClickHouse,
} from '../../src/local/directory-id.js'
import { openDataDirectory } from '../../src/local/open-directory.js'
import { temporaryDirectory } from '../support/temporary.js'

const root = temporaryDirectory()

/** A new data directory that holds these files. */
function directoryWith(files: Readonly<Record<string, string>> = {}): string {
  const directory = join(root, randomUUID())
  mkdirSync(directory)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return directory
}

const fileOf = (directory: string, name: string) => readFileSync(join(directory, name), 'utf8')

describe('the id of a data directory', () => {
  it('is created with the directory and stays the same', async () => {
    const directory = join(root, 'new', 'data')
    const id = await directoryId(directory)
    expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    expect(await directoryId(directory)).toBe(id)
    expect(readdirSync(directory)).toEqual(['id'])
  })

  it('is different after the directory was deleted', async () => {
    const directory = directoryWith()
    const id = await directoryId(directory)
    rmSync(directory, { recursive: true })
    expect(await directoryId(directory)).not.toBe(id)
  })

  it('is the same for all that ask at once', async () => {
    const directory = directoryWith()
    const ids = await Promise.all(Array.from({ length: 20 }, () => directoryId(directory)))
    expect(new Set(ids).size).toBe(1)
    expect(readdirSync(directory)).toEqual(['id'])
  })

  it('is read from a file that holds the id alone', async () => {
    expect(await directoryId(directoryWith({ id: 'a-b' }))).toBe('a-b')
  })

  it('replaces one that a power failure left empty', async () => {
    const directory = directoryWith({ id: '' })
    const id = await directoryId(directory)
    expect(id).not.toBe('')
    expect(await directoryId(directory)).toBe(id)
  })
})

describe('a service on ClickHouse', () => {
  it('has a name that follows from the id of its directory', async () => {
    const directory = directoryWith()
    const name = await serviceName(directory)
    expect(name).toMatch(/^[\da-f]{32}$/)
    expect(await serviceName(directory)).toBe(name)
    expect(await serviceName(directoryWith({ id: fileOf(directory, 'id') }))).toBe(name)
    expect(await serviceName(directoryWith())).not.toBe(name)
  })

  it('records in the file of the id where the data is kept', async () => {
    const directory = directoryWith()
    const id = await directoryId(directory)
    const name = await serviceName(directory)
    expect(await fileOfClickHouse(directory)).toBeUndefined()
    await setInClickHouse(directory)
    await setInClickHouse(directory)
    expect(fileOf(directory, 'id')).toBe(`${id}\nclickhouse\n`)
    expect(readdirSync(directory)).toEqual(['id'])
    expect(await fileOfClickHouse(directory)).toBe('id')
    expect(await directoryId(directory)).toBe(id)
    expect(await serviceName(directory)).toBe(name)
  })

  it('does not hide the events of a directory', async () => {
    const directory = directoryWith({ id: 'a-b\nclickhouse\n', engine: '' })
    expect(await fileOfClickHouse(directory)).toBeUndefined()
  })

  it('prevents its directory from being opened without ClickHouse', async () => {
    const directory = directoryWith({ id: 'a-b\nclickhouse\n' })
    await expect(openDataDirectory({ directory, now: () => 0n })).rejects.toThrow(
      `The service on \`${directory}\` keeps its data in ClickHouse, and is not running. Start it with \`evq serve --clickhouse\`, choose another directory with \`--data-dir\`, or delete its file \`id\` to store data in the directory.`,
    )
  })
})
