import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { parseExactJson } from '../../../wire/json/exact-json.js'
import { isJsonObject } from '../../../wire/json/json-object.js'
import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import { systemWords } from '../../error/system-error.js'
import { UsageError } from '../../error/usage-error.js'
import type { StarredDraft } from './edit.js'

/** The record in a file or on standard input; nothing where neither is meant. */
export async function readDraft(
  file: string | undefined,
  { io }: Pick<Context, 'io'>,
  { mayPipe }: { readonly mayPipe: boolean },
): Promise<StarredDraft | undefined> {
  if (file !== undefined && file !== '-') return draftOf(await textOf(file), `\`${file}\``)
  if (file === undefined && (io.stdin.isTTY || !mayPipe)) return undefined
  return draftOf((await buffer(io.stdin)).toString('utf8'), 'standard input')
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandError(
      `The record in \`${file}\` can't be read: ${systemWords(error) ?? error}.`,
    )
  }
}

function draftOf(text: string, origin: string): StarredDraft {
  if (text.trim() === '') {
    throw new UsageError(`There is no record in ${origin}: it is an object of JSON.`)
  }
  let value: unknown
  try {
    value = parseExactJson(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`The record in ${origin} is not JSON: ${why}.`)
  }
  if (isJsonObject(value)) {
    // A record that was read has its id, which the address says already.
    const { id: _, ...record } = value
    return record
  }
  throw new UsageError(`The record in ${origin} is not an object.`)
}
