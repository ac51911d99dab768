import { type BigIntStats, fstatSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Io } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { isDescriptor } from '../output/file.js'

/** The files that a command writes, by the flags that name them. */
export type Outputs = Readonly<Record<string, string | undefined>>

/**
 * Throws a `UsageError` when an output is a file that the command reads, or another of its outputs, even by another name or through a
 * link: writing it would destroy the other file. A directory among the inputs stands for all files in it, including future ones.
 */
export async function spareInputs(
  outputs: Outputs,
  inputs: Iterable<string | undefined> | AsyncIterable<string | undefined>,
  { stdin }: Pick<Io, 'stdin'>,
): Promise<void> {
  const written: Written[] = []
  for (const [flag, path] of Object.entries(outputs)) {
    const id = path === undefined || path === '-' ? undefined : await idOf(path)
    if (path === undefined || id === undefined) continue
    // Several outputs may be written to the same descriptor, one after the other.
    const other = isDescriptor(path) ? undefined : written.find((one) => one.id === id)
    if (other !== undefined) {
      throw refusal({ flag, path }, `also the file of \`${other.flag}\``)
    }
    written.push({ flag, path, id })
  }
  if (written.length === 0) return
  for await (const input of inputs) {
    if (input === undefined) continue
    const id = input === '-' ? idOfDescriptor(stdin.fd) : await idOf(input)
    for (const output of written) {
      if (output.id === id) throw refusal(output, inputName(output, input))
      if (id !== undefined && output.id.startsWith(id + sep))
        throw refusal(output, `in the input directory \`${input}\``)
    }
  }
}

interface Written {
  readonly flag: string
  readonly path: string
  readonly id: string
}

function refusal({ flag, path }: Pick<Written, 'flag' | 'path'>, what: string): UsageError {
  return new UsageError(`\`${flag}\` names \`${path}\`, which is ${what}. Write to another file.`)
}

function inputName({ path }: Written, input: string): string {
  if (input === '-') return 'the file on standard input'
  return input === path ? 'an input file' : `the input file \`${input}\``
}

/**
 * Returns a string that identifies a file under all its names: device and inode, or the real path for directories and files that do
 * not exist. Returns undefined for pipes and devices, which have no content to keep.
 */
async function idOf(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path, { bigint: true })
    return found.isDirectory() ? await realpath(path) : idOfFile(found)
  } catch {
    const directory = await realpath(dirname(path)).catch(() => resolve(dirname(path)))
    return join(directory, basename(path))
  }
}

function idOfFile(stats: BigIntStats): string | undefined {
  return stats.isFile() ? `${stats.dev}:${stats.ino}` : undefined
}

function idOfDescriptor(descriptor: number | undefined): string | undefined {
  if (descriptor === undefined) return undefined
  try {
    return idOfFile(fstatSync(descriptor, { bigint: true }))
  } catch {
    // The descriptor was closed before the start.
    return undefined
  }
}
