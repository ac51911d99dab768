import { createReadStream } from 'node:fs'
import { QUERY_BODY_BYTES } from '../../wire/limits.js'
import type { Io } from '../context.js'
import { CommandError } from '../error/command-error.js'
import { systemErrorMessage } from '../error/system-error.js'
import { UsageError } from '../error/usage-error.js'

const EXAMPLE =
  '`evq query "[\'logs\'] | limit 10"`, or on a file, `evq query -i app.log "limit 10"`'

/** Reads the query from the argument, a file or standard input. Throws a `UsageError` with the example when there is no query. */
export async function queryText(
  { apl, file }: { readonly apl?: string | undefined; readonly file?: string | undefined },
  io: Io,
  example = EXAMPLE,
): Promise<string> {
  if (apl !== undefined && file !== undefined) {
    throw new UsageError(
      'The query is given twice: as an argument and with `--file`. Events are read with `-i`.',
    )
  }
  const text = await read(apl, file, io)
  if (text?.trim()) return text
  const problem = text === undefined ? 'There is no query' : 'The query is empty'
  throw new UsageError(`${problem}. One that works: ${example}.`)
}

/** Resolves to undefined when there is neither an argument nor a file, and standard input is a terminal. */
async function read(
  apl: string | undefined,
  file: string | undefined,
  io: Io,
): Promise<string | undefined> {
  if (apl !== undefined && apl !== '-') return apl
  if (file !== undefined && file !== '-') return readTextFile(file, 'The query')
  const isAskedFor = apl === '-' || file === '-'
  if (io.stdin.isTTY && !isAskedFor) return undefined
  return readTextStream(io.stdin, 'The query on standard input')
}

/** Reads a file with `what`, such as a query. Throws a `CommandError` when it can't be read. */
export async function readTextFile(file: string, what: string): Promise<string> {
  try {
    return await readTextStream(createReadStream(file), `${what} in \`${file}\``)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(
      `${what} in \`${file}\` can't be read: ${systemErrorMessage(error) ?? error}.`,
    )
  }
}

/** Reads a text that is part of one request; a longer one is an input that was mistaken for it, and may never end. */
async function readTextStream(stream: AsyncIterable<Uint8Array>, what: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk))
    size += chunk.length
    if (size > QUERY_BODY_BYTES) {
      const limit = QUERY_BODY_BYTES / 1_048_576
      throw new CommandError(
        `${what} is longer than ${limit} MiB. Store a long list as a dataset, and query it with \`in\`. Events are read with \`-i\`.`,
      )
    }
  }
  return Buffer.concat(chunks).toString('utf8')
}
