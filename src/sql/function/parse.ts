import type { PARSE_FUNCTIONS } from '../../apl/function/parse.js'
import { type Sql, sql, text } from '../sql.js'
import { json } from '../type/convert.js'
import { objectOfTexts } from '../type/json-object.js'
import { nullable, once } from '../value.js'
import { formatBytes, parseBytes } from './bytes.js'
import { present } from './present.js'
import type { FunctionRow } from './row.js'
import { formatUrl, parseUrl, parseUrlQuery } from './url.js'

/** Functions that read the notation of sizes, lists, paths and addresses, and write it, in SQL. */
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

/** A JSON text in the one form that dynamic values have; what is no JSON is a string. */
function parsed(source: Sql): Sql {
  const value = sql`nullIf(JSONExtractRaw(${source}), 'null')`
  return sql`if(isValidJSON(${source}), ${value}, ${json(source)})`
}

// A comma before the first value as before the others, so that no match is empty. What stands behind
// closing quotes belongs to the value, and quotes that nobody closes are part of it.
const CSV_VALUE = ',(?:"((?:[^"]|"")*)"([^,]*)|([^,]*))'

function csvValues(source: Sql): Sql {
  const unquoted = sql`replaceAll(m[1], '""', '"')`
  const values = sql`arrayMap(m -> concat(${unquoted}, m[2], m[3]), extractAllGroupsVertical(concat(',', ${source}), ${text(CSV_VALUE)}))`
  return sql`toJSONString(${values})`
}

// Scheme, directory, root, file name, alternate data stream.
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

/** `todynamic(text)`: as `parse_json`, but what is no JSON is null. */
export const toDynamic: FunctionRow = ([source]) => {
  const value = (s: Sql) => sql`if(isValidJSON(${s}), nullIf(JSONExtractRaw(${s}), 'null'), NULL)`
  return nullable('dynamic', once(source!.sql, value))
}
