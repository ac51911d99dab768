import { type Sql, sql, text } from '../sql.js'
import { json } from '../type/convert.js'
import { isColumn, nullable, once, type Value } from '../value.js'
import { formatBytes, parseBytes } from './bytes.js'
import { partsOf } from './parts.js'
import { present } from './present.js'
import type { FunctionRow } from './row.js'
import { formatUrl, parseUrl, parseUrlQuery } from './url.js'

export const PARSE_SQL = {
  format_bytes: formatBytes,
  format_url: ([parts]) => formatUrl(parts!),
  parse_bytes: parseBytes,
  parse_csv: (values) => present('dynamic', values, (s) => csvValues(s!)),
  parse_json: ([source]) => parsed(source!, json),
  parse_path: ([source]) => partsOf(source!, PATH, pathParts),
  parse_url: ([source]) => parseUrl(source!),
  parse_urlquery: (values) => present('dynamic', values, (s) => parseUrlQuery(s!)),
} satisfies Record<string, FunctionRow>

/** Normalizes JSON text to the canonical form of dynamic values. */
function parsed({ sql: source }: Value, ofInvalid: (text: Sql) => Sql): Value {
  // The engine's JSON functions do not accept columns with a dictionary of their strings.
  const text = sql`CAST(${source}, 'Nullable(String)')`
  const value = (s: Sql) =>
    sql`if(isValidJSON(${s}), nullIf(JSONExtractRaw(${s}), 'null'), ${ofInvalid(s)})`
  const whole = { text, isColumn: isColumn(source) }
  return { ...nullable('dynamic', once(text, value)), parsed: whole }
}

// A comma is added in front of the first value, so that no match is empty. Characters after
// closing quotes belong to the value, and so do quotes that are never closed.
const CSV_VALUE = ',(?:"((?:[^"]|"")*)"([^,]*)|([^,]*))'

function csvValues(source: Sql): Sql {
  const unquoted = sql`replaceAll(m[1], '""', '"')`
  const values = sql`arrayMap(m -> concat(${unquoted}, m[2], m[3]), extractAllGroupsVertical(concat(',', ${source}), ${text(CSV_VALUE)}))`
  return sql`toJSONString(${values})`
}

// The groups are the scheme, the directory, its root, the file name and the alternate data stream.
const PATH =
  '(?s)^(?:([A-Za-z][A-Za-z0-9+.-]*)://)?(?:(([A-Za-z]:)?.*)[/\\\\])?([^/\\\\:]*)(?::([^/\\\\]*))?$'

function pathParts(group: (number: number) => Sql): Readonly<Record<string, Sql>> {
  return {
    Scheme: group(1),
    RootPath: group(3),
    DirectoryPath: group(2),
    DirectoryName: sql`extract(${group(2)}, ${text('([^/\\\\:]*)$')})`,
    Filename: group(4),
    Extension: sql`extract(${group(4)}, ${text('[^.]\\.([^.]+)$')})`,
    AlternateDataStreamName: group(5),
  }
}

/** `todynamic(text)`: like `parse_json`, but invalid JSON is null. */
export const toDynamic: FunctionRow = ([source]) => parsed(source!, () => sql`NULL`)
