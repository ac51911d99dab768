import { type Sql, sql, text } from '../sql.js'
import { typedPart } from '../type/json-path.js'
import { once, type Value } from '../value.js'
import { onlyGroup, partsOf } from './parts.js'
import { present, presentOrNull } from './present.js'

// RFC 3986, appendix B, with the authority split up: the engine's own functions find no host after
// `user:password@`. Scheme, user, password, host, port, path, query, fragment.
const URL_PARTS =
  '(?s)^(?:(?:([A-Za-z][A-Za-z0-9+.-]*):)?//(?:([^/?#@:]*)(?::([^/?#]*))?@)?(\\[[^\\]]*\\]|[^/?#:]*)(?::([0-9]*))?)?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?$'

const AUTHORITY = '^(?:[A-Za-z][A-Za-z0-9+.-]*:)?//'

/** `parse_url(url)`: the parts verbatim, not decoded. */
export function parseUrl(source: Value): Value {
  const parts = partsOf(source, URL_PARTS, (group) => ({
    scheme: group(1),
    host: group(4),
    port: group(5),
    path: group(6),
    username: group(2),
    password: group(3),
    query: group(7),
    fragment: group(8),
  }))
  const part = (of: (url: Sql) => Sql) => present('string', [source], (url) => of(url!)).sql
  const afterHost = (regex: string) =>
    part((url) => sql`extract(${withoutBrackets(url)}, ${text(regex)})`)
  const texts = {
    ...parts.texts,
    scheme: part((url) => sql`extract(${url}, '^([A-Za-z][A-Za-z0-9+.-]*)://')`),
    host: part(hostOf),
    path: part(pathOf),
    query: afterHost('^[^?#]*\\?([^#]*)'),
    fragment: afterHost('(?s)^[^#]*#(.*)'),
  }
  return { ...parts, texts }
}

/** Hosts without a user and brackets are found by a regex that the engine runs ten times as fast. */
function hostOf(url: Sql): Sql {
  const authority = authorityOf(url)
  const isPlain = sql`position(${authority}, '@') = 0 AND NOT startsWith(${authority}, '[')`
  const anyHost = `${AUTHORITY}(?:[^/?#@:]*(?::[^/?#]*)?@)?(\\[[^\\]]*\\]|[^/?#:]*)`
  return sql`if(${isPlain}, substringIndex(${authority}, ':', 1), extract(${url}, ${text(anyHost)}))`
}

/** Same as `hostOf`, for paths without an authority, or after a host that only a port follows. */
function pathOf(url: Sql): Sql {
  const isPlain = sql`match(${authorityOf(url)}, ${text('^[^@:\\[]+(?::[0-9]*)?$')})`
  const afterHost = sql`extract(${url}, ${text(`${AUTHORITY}[^/?#]*(/[^?#]*)?`)})`
  const anyPath = sql`extract(${url}, ${text(onlyGroup(6, URL_PARTS))})`
  return sql`multiIf(position(${url}, '//') = 0, extract(${url}, '^([^?#]*)'), ${isPlain}, ${afterHost}, ${anyPath})`
}

/** Without a host in brackets, the first `?` or `#` ends the path: an expression for it takes a tenth of the time. */
function withoutBrackets(url: Sql): Sql {
  const host = `${AUTHORITY}(?:[^/?#@:]*(?::[^/?#]*)?@)?\\[[^\\]]*\\]`
  return sql`if(position(${url}, '[') = 0, ${url}, replaceRegexpOne(${url}, ${text(host)}, ''))`
}

function authorityOf(url: Sql): Sql {
  return sql`extract(${url}, ${text(`${AUTHORITY}([^/?#]*)`)})`
}

/** `parse_urlquery(query)`: a name without `=` has an empty value. */
export function parseUrlQuery(source: Sql): Sql {
  const query = sql`replaceRegexpOne(${source}, '^[?]', '')`
  const pieces = sql`arrayFilter(piece -> piece != '', splitByChar('&', ${query}))`
  const name = sql`decodeURLFormComponent(extract(piece, '^([^=]*)'))`
  const value = sql`decodeURLFormComponent(replaceRegexpOne(piece, '(?s)^[^=]*=?', ''))`
  const member = sql`(toJSONString(${name}), toJSONString(${value}))`
  return once(sql`arrayMap(piece -> ${member}, ${pieces})`, (members) => {
    const names = sql`arrayMap(m -> m.1, ${members})`
    const firsts = sql`arrayFilter((m, n) -> n = 1, ${members}, arrayEnumerateUniq(${names}))`
    const written = sql`arrayMap(m -> concat(m.1, ':', m.2), ${firsts})`
    return sql`concat('{', arrayStringConcat(${written}, ','), '}')`
  })
}

/** `format_url(parts)`: `user` can also be spelled `username`, as in the result of `parse_url`. */
export function formatUrl(parts: Value): Value {
  return presentOrNull('string', [parts], (whole) =>
    once(whole!, (d) => sql`if(startsWith(${d}, '{'), ${urlOf(d)}, NULL)`),
  )
}

function urlOf(document: Sql): Sql {
  const own = (name: string) => {
    const value = typedPart({ document, path: [text(name)] }, 'string').sql
    return sql`ifNull(${value}, '')`
  }
  const user = sql`if(${own('user')} = '', ${own('username')}, ${own('user')})`
  const password = prefixed(':', own('password'))
  const login = once(user, (u) => sql`if(${u} = '', '', concat(${u}, ${password}, '@'))`)
  const scheme = once(own('scheme'), (s) => sql`if(${s} = '', '', concat(${s}, ':'))`)
  const host = sql`concat(${login}, ${own('host')}, ${prefixed(':', own('port'))})`
  const authority = once(host, (h) => sql`if(${h} = '', '', concat('//', ${h}))`)
  const slash = sql`if(${own('host')} = '' OR ${own('path')} = '' OR startsWith(${own('path')}, '/'), '', '/')`
  const query = prefixed('?', queryOf(document, own('query')))
  return sql`concat(${scheme}, ${authority}, ${slash}, ${own('path')}, ${query}, ${prefixed('#', own('fragment'))})`
}

function prefixed(sign: string, value: Sql): Sql {
  return once(value, (v) => sql`if(${v} = '', '', concat(${text(sign)}, ${v}))`)
}

/** A query is a string, or an object of parameters. */
function queryOf(document: Sql, written: Sql): Sql {
  const raw = sql`JSONExtractRaw(${document}, 'query')`
  const value = sql`JSONExtractString(m.2)`
  const parameters = sql`arrayMap(m -> concat(encodeURLComponent(m.1), '=', encodeURLComponent(${value})), JSONExtractKeysAndValuesRaw(${document}, 'query'))`
  return sql`if(startsWith(${raw}, '{'), arrayStringConcat(${parameters}, '&'), ${written})`
}
