import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { type Sql, sql, text } from '../../sql/sql.js'
import { engineReason, type StatementOptions, startEngine } from './engine-process.js'

/** Settings that keep values exact: numbers as numbers, times in RFC 3339. */
const SETTINGS = sql`SETTINGS max_threads = 1, session_timezone = 'UTC', date_time_output_format = 'iso', output_format_json_quote_64bit_integers = 0, output_format_json_quote_decimals = 0, output_format_json_validate_utf8 = 1`

/** The engine reads a time of day as a time of 1970: its text without the date. */
const TIME = sql`substring(toString({0}), 12) AS {0}`
/** The engine reads an interval as three numbers of four bytes: months, days and milliseconds. */
const INTERVAL = sql`concat(
  'P', toString(reinterpretAsUInt32(substring({0}, 1, 4))), 'M',
  toString(reinterpretAsUInt32(substring({0}, 5, 4))), 'DT',
  toString(reinterpretAsUInt32(substring({0}, 9, 4)) / 1000), 'S') AS {0}`

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
  const source = sql` FROM file(${text(link)}, Parquet) FORMAT JSONEachRow ${SETTINGS}`
  const composer = composerOf(link, source)
  const { output, ended } = engine.run(sql`SELECT *${source}`, {
    writesFile: false,
    composer,
    signal,
  })
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

/** Returns the statement that composes the one that reads the rows, with texts for times of day and intervals. */
function composerOf(path: string, source: Sql): Sql {
  return sql`SELECT concat('SELECT *', if(empty(texts), '', concat(' REPLACE (', arrayStringConcat(texts, ', '), ')')), ${text(source.text)})
    FROM (
      SELECT groupArray(if(type = 'Interval', format(${text(INTERVAL.text)}, quoted), format(${text(TIME.text)}, quoted))) AS texts
      FROM (
        SELECT
          arrayJoin(columns) AS column, column.logical_type AS type,
          concat('\`', replaceRegexpAll(column.name, ${text('[`\\\\]')}, ${text('\\\\\\0')}), '\`') AS quoted
        FROM file(${text(path)}, ParquetMetadata)
        WHERE column.name = column.path AND (type = 'Interval' OR startsWith(type, 'Time('))
      )
    )`
}
