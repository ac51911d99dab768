import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { LineFile } from './file-statement.js'

const LF = 10
const LINE_FEED = Buffer.from('\n')
/** The longest part of a form that ClickHouse takes for a parameter, with room. */
const FIELD_CHARACTERS = 30_000

/** A statement followed by the lines of files, as an insert over HTTP has them. */
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

/** A form with a statement and a table of lines beside it, as a query over HTTP may have them. */
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
  // The pieces of the statement are put together again by the server.
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

/** The lines of files one after the other; the last line of a file ends there, whether a line feed stands behind it or not. */
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
