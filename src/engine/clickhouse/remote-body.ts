import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { LineFile } from '../file-statement.js'

const LF = 10
const LINE_FEED = Buffer.from('\n')
/** Below the longest form field that ClickHouse accepts as a parameter. */
const FIELD_CHARACTERS = 30_000

/** Returns the body of an insert over HTTP: a statement followed by the lines of files. */
export function insertBody(statement: string, files: readonly LineFile[]): Readable {
  return Readable.from(statementAndLines(statement, files), { objectMode: false })
}

async function* statementAndLines(
  statement: string,
  files: readonly LineFile[],
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${statement}\n`)
  yield* linesOf(files)
}

/** A multipart form with a statement and an external table of lines. */
interface QueryForm {
  readonly body: Readable
  readonly contentType: string
}

export function queryForm(
  statement: string,
  { table, files }: { readonly table: string; readonly files: readonly LineFile[] },
): QueryForm {
  const boundary = `evq-${randomUUID()}`
  return {
    body: Readable.from(parts({ statement, table, files, boundary }), { objectMode: false }),
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}

async function* parts(options: {
  readonly statement: string
  readonly table: string
  readonly files: readonly LineFile[]
  readonly boundary: string
}): AsyncGenerator<Buffer> {
  const { statement, table, files, boundary } = options
  const head = (disposition: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
  // The server concatenates the pieces of the statement.
  for (const piece of pieces(statement)) yield Buffer.from(`${head('name="query"')}${piece}\r\n`)
  yield Buffer.from(head(`name="${table}"; filename="${table}"`))
  yield* linesOf(files)
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

function pieces(statement: string): readonly string[] {
  const characters = [...statement]
  const count = Math.ceil(characters.length / FIELD_CHARACTERS)
  return Array.from({ length: count }, (_, i) =>
    characters.slice(i * FIELD_CHARACTERS, (i + 1) * FIELD_CHARACTERS).join(''),
  )
}

/** Yields the content of files; a line feed is added to a file that does not end in one. */
async function* linesOf(files: readonly LineFile[]): AsyncGenerator<Buffer> {
  for (const { path } of files) {
    let last = LF
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
      yield chunk
      last = chunk.at(-1)
    }
    if (last !== LF) yield LINE_FEED
  }
}
