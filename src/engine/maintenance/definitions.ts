import { mkdir, readdir, readFile, readlink, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { replaceFile } from '../../text/replace-file.js'

/** The definition of a table as the engine writes it. A crash or a disk may leave it empty, truncated, or full of zeros. */
const TABLE =
  /^ATTACH TABLE _ UUID '[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}'\n\([^\0]+\)\nENGINE = [^\0]+\n$/

const DATABASE = /^ATTACH DATABASE _ UUID '[^\0]+'\nENGINE = Atomic\n$/

/**
 * Finds the damaged definitions in a data directory whose engine can't start: one of them prevents it. Writes the
 * definitions of databases again, and moves the definitions of tables out of the engine's folder, which makes their tables lost.
 * A database is linked when its first table is created; the definition of one without tables is moved as well. Resolves with a
 * message for each file.
 */
export async function repairDefinitions(directory: string): Promise<readonly string[]> {
  const metadata = join(directory, 'engine/metadata')
  const done: string[] = []
  const moveIfDamaged = async (path: string, definition: RegExp, name: string) => {
    if (definition.test(await readFile(path, 'utf8'))) return
    const to = join(directory, 'damaged', name)
    await mkdir(join(directory, 'damaged'), { recursive: true, mode: 0o700 })
    await rename(path, to)
    done.push(`The damaged file \`${path}\` was moved to \`${to}\`.`)
  }
  const names = await namesIn(metadata, '')
  for (const file of names.filter((name) => name.endsWith('.sql'))) {
    if (names.includes(basename(file, '.sql'))) continue
    await moveIfDamaged(join(metadata, file), DATABASE, file)
  }
  for (const name of names) {
    const folder = await readlink(join(metadata, name)).catch(() => undefined)
    if (folder === undefined) continue
    const definition = `ATTACH DATABASE _ UUID '${basename(folder)}'\nENGINE = Atomic\n`
    const path = join(metadata, `${name}.sql`)
    if ((await readFile(path, 'utf8').catch(() => definition)) !== definition) {
      await replaceFile(path, definition, { mode: 0o600 })
      done.push(`The damaged file \`${path}\` was written again.`)
    }
    for (const table of await namesIn(join(metadata, name), '.sql')) {
      await moveIfDamaged(join(metadata, name, table), TABLE, `${name}.${table}`)
    }
  }
  return done
}

async function namesIn(folder: string, suffix: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith(suffix))
}
