import type { PARSE_FUNCTIONS } from '../../apl/function/parse.js'
import { type Sql, sql, text } from '../sql.js'
import { json } from '../type/convert.js'
import { objectOfTexts } from '../type/json-object.js'
import { nullable, once } from '../value.js'
import { formatBytes, parseBytes } from './bytes.js'
import { present } from './present.js'
import type { FunctionRow } from './row.js'
import { formatUrl, parseUrl, parseUrlQuery } from './url.js'

/** Functions that parse and format sizes, lists, paths and addresses. */
export const PARSE_SQL: Readonly<Record<keyof typeof PARSE_FUNCTIONS, FunctionRow>> = {
  format_bytes: formatBytes,
  format_url: ([parts]) => formatUrl(parts!),
  parse_bytes: parseBytes,
  parse_csv: (values) => present('dynamic', values, (s) => csvValues(s!)),
  parse_json: ([source]) => nullable('dynamic', once(source!.sql, parsed)),
  parse_path: (values) => present('dynamic', values, (s) => once(pathParts(s!), pathObject)),
  parse_url: (values) => present('dynamic', values, (s) => parseUrl(s!)),
  parse_urlquery: (values) => present('dynamic', values, (s) => parseUrlQuery(s!)),
}

/** Normalizes JSON text to the canonical form of dynamic values; invalid JSON becomes a string. */
function parsed(source: Sql): Sql {
  const value = sql`nullIf(JSONExtractRaw(${source}), 'null')`
  return sql`if(isValidJSON(${source}), ${value}, ${json(source)})`
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

function pathParts(source: Sql): Sql {
  return sql`extractGroups(${source}, ${text(PATH)})`
}

function pathObject(parts: Sql): Sql {
  return objectOfTexts({
    Scheme: sql`${parts}[1]`,
    RootPath: sql`${parts}[3]`,
    DirectoryPath: sql`${parts}[2]`,
    DirectoryName: sql`extract(${parts}[2], ${text('([^/\\\\:]*)$')})`,
    Filename: sql`${parts}[4]`,
    Extension: sql`extract(${parts}[4], ${text('[^.]\\.([^.]+)$')})`,
    AlternateDataStreamName: sql`${parts}[5]`,
  })
}

/** `todynamic(text)`: like `parse_json`, but invalid JSON is null. */
export const toDynamic: FunctionRow = ([source]) => {
  const value = (s: Sql) => sql`if(isValidJSON(${s}), nullIf(JSONExtractRaw(${s}), 'null'), NULL)`
  return nullable('dynamic', once(source!.sql, value))
}
