import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { sql, text } from '../../sql/sql.js'
import { engineReason, type StatementOptions, startEngine } from './engine-process.js'

/** Settings that keep values exact: numbers as numbers, times in RFC 3339. */
const SETTINGS = sql`SETTINGS max_threads = 1, session_timezone = 'UTC', date_time_output_format = 'iso', output_format_json_quote_64bit_integers = 0, output_format_json_quote_decimals = 0, output_format_json_validate_utf8 = 1`

interface ReadOptions extends Pick<StatementOptions, 'signal'> {
  /** A directory for the engine and a link. */
  readonly directory: string
  fail(reason: string): Error
}

/** Returns the rows of a Parquet file as NDJSON, in the order of the file. Throws an `EngineMissingError`. */
export function readParquet(path: string, { directory, fail, signal }: ReadOptions): Readable {
  // The engine takes `*` and braces in a path as a pattern.
  const link = join(directory, 'input.parquet')
  symlinkSync(resolve(path), link)
  const engine = startEngine(join(directory, 'engine'))
  const { output, ended } = engine.run(
    sql`SELECT * FROM file(${text(link)}, Parquet) FORMAT JSONEachRow ${SETTINGS}`,
    { writesFile: false, signal },
  )
  const lines = new PassThrough()
  output.on('error', () => {})
  output.pipe(lines, { end: false })
  lines.on('close', () => void engine.close())
  void ended.then((failure) => {
    if (failure === undefined || signal?.aborted) lines.end()
    else lines.destroy(fail(engineReason(failure)))
  })
  return lines
}
