import { type AplWords, formatName } from '../../apl/language.js'
import type { Connection } from '../../client/connection.js'
import { query } from '../../client/query.js'
import { columnOf } from '../../wire/http/tabular-result.js'
import { insideQuotes, quotedName, quotedWith } from './quoted-name.js'
import { type RemoteSchema, remoteSchema } from './remote-schema.js'

/** The names of datasets and fields of a deployment. */
export interface Names {
  datasets(): Promise<readonly string[]>
  fields(dataset: string): Promise<readonly string[]>
  /** The dataset of a query that begins with an operator. */
  readonly input?: string
  /** Returns the values of a field that begin with a text, the most frequent first. */
  values?(dataset: string, field: string, prefix: string): Promise<readonly string[]>
}

/** Completions of the end of a text. Each candidate replaces `written`. */
export interface Completions {
  readonly candidates: readonly string[]
  readonly written: string
}

interface PromptWords extends AplWords {
  readonly commands: readonly string[]
  readonly formats?: readonly string[]
}

const LAST_WORD = /[\p{L}_][\p{L}\p{N}\p{M}_.-]*$/u
const ASSIGNED = /(?<![\p{L}\p{N}\p{M}_])([\p{L}_][\p{L}\p{N}\p{M}_]*)\s*=(?![=~])/gu

const BEGINNING = /(?:^|;|\(|\bunion\b[^|]*[\s,])\s*$/

/** Matches after a key of `sort`, `order` or `top`, before its direction. */
const SORT_KEY = /(?:^|\|)\s*(?:(?:sort|order)\s+by\s|top\s[^|]*\bby\s)[^|]*[\w\])]\s+$/

const DIRECTIONS = ['asc', 'desc', 'nulls first', 'nulls last']

/** A comment; or a string, perhaps an unfinished one, in which `//` begins no comment. */
const COMMENT_OR_STRING =
  /\/\/[^\n]*|@"[^"\n]*"?|@'[^'\n]*'?|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/g

/** Completes the last word of a query, but nothing in a comment. `typed` consists of all lines up to the cursor. */
export async function completionsOf(
  typed: string,
  words: PromptWords,
  names: Names,
): Promise<Completions> {
  const cursor = '|'
  const code = (typed + cursor).replace(COMMENT_OR_STRING, (part) =>
    part.startsWith('//') ? '' : part,
  )
  if (!code.endsWith(cursor)) return { written: '', candidates: [] }
  return await completionsOfCode(code.slice(0, -cursor.length), words, names)
}

async function completionsOfCode(
  text: string,
  words: PromptWords,
  names: Names,
): Promise<Completions> {
  const [command] = /^\\\w*$/.exec(text) ?? []
  if (command !== undefined) return startingWith(command, words.commands)
  const [, name, argument = ''] = /^\s*\\(\w+)\s+(\S*)$/.exec(text) ?? []
  if (name === 'd') return startingWith(argument, await names.datasets())
  if (name === 'h') return startingWith(argument, [...words.operators, ...words.calls])
  if (name !== undefined) return startingWith(argument, name === 'o' ? (words.formats ?? []) : [])
  const value = openValue(text)
  if (value !== undefined) return await completeValue(text, value, names)
  const [quoted] = /\[\s*['"][^'"\]]*$/.exec(text) ?? []
  const written = quoted ?? LAST_WORD.exec(text)?.[0] ?? ''
  const before = text.slice(0, text.length - written.length)
  if (quoted !== undefined) {
    const found = BEGINNING.test(before) ? await names.datasets() : await fieldsOf(before, names)
    return startingWith(written, found.map(quotedWith(written)))
  }
  if (/\|\s*$/.test(before)) return startingWith(written, words.operators.map(spaced))
  if (BEGINNING.test(before) && !isCall(before)) {
    const datasets = (await names.datasets()).filter((name) => name.startsWith(written))
    const first = names.input === undefined ? [] : words.operators
    const { candidates } = startingWith(written, [...words.beginnings, ...first].map(spaced))
    return { written, candidates: [...datasets.map(quotedWith("['")), ...candidates] }
  }
  if (SORT_KEY.test(before)) return startingWith(written, DIRECTIONS)
  const own = Array.from(before.matchAll(ASSIGNED), ([, name = '']) => name)
  const known = [...(await fieldsOf(before, names)), ...own]
  // A name that needs quotes is also found when it is typed without quotes.
  const fields = known.filter((name) => name.startsWith(written)).map(asField)
  if (written === '') return { written, candidates: sorted(fields) }
  const others = [...words.calls.map((name) => `${name}(`), ...words.between.map(spaced)]
  const { candidates } = startingWith(written, others)
  return { written, candidates: sorted([...fields, ...candidates]) }
}

async function completeValue(
  text: string,
  { field, written, quote, prefix }: OpenValue,
  names: Names,
): Promise<Completions> {
  for (const dataset of await datasetsOf(text, names)) {
    if (!(await names.fields(dataset)).includes(field)) continue
    const values = (await names.values?.(dataset, field, prefix)) ?? []
    return { written, candidates: quotedValues(values, quote) }
  }
  return { written, candidates: [] }
}

/** True inside the parentheses of a function or aggregation call. */
function isCall(before: string): boolean {
  return /[\w)]\s*\(\s*$/.test(before) && !/\b(?:in~?|union|join|lookup|on)\s*\(\s*$/.test(before)
}

const SOURCE =
  /(?:^|[;(,]|\bunion\b)\s*(?:\[\s*(?:'([^']+)'|"([^"]+)")\s*\]|([A-Za-z][\w.-]*)(?=\s*[|,)]))/g

async function fieldsOf(text: string, names: Names): Promise<readonly string[]> {
  const datasets = await datasetsOf(text, names)
  return (await Promise.all(datasets.map((name) => names.fields(name)))).flat()
}

/** Matches when the last statement begins with an operator, a word without a `|` after it, as in `where level == "error"`. */
const OPERATOR_FIRST =
  /(?:^|;)\s*(?!let\b|union\b|range\b|print\b|datatable\b)[a-z][a-z-]*\s(?!\s*\|)[^;]*$/

/** Returns the datasets that a text names, even when the service does not list its datasets. */
async function datasetsOf(text: string, names: Names): Promise<readonly string[]> {
  const named = Array.from(text.matchAll(SOURCE), ([, a, b, bare]) => a ?? b ?? bare ?? '')
  const known = await names.datasets()
  if (names.input !== undefined && OPERATOR_FIRST.test(text)) named.push(names.input)
  return named.filter((name) => known.length === 0 || known.includes(name))
}

function startingWith(written: string, all: readonly string[]): Completions {
  return { written, candidates: sorted(all.filter((one) => one.startsWith(written))) }
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort()
}

function spaced(word: string): string {
  return `${word} `
}

function asField(name: string): string {
  const isPlain = name.split('.').every((part) => formatName(part) === part)
  return isPlain ? name : quotedName(name)
}

/** A string that is being typed as the value of a field. */
interface OpenValue {
  readonly field: string
  /** The quote and the text after it. */
  readonly written: string
  readonly quote: string
  readonly prefix: string
}

const FIELD = String.raw`(?:\[\s*'(?<single>[^'\n]+)'\s*\]|\[\s*"(?<double>[^"\n]+)"\s*\]|(?<bare>[\p{L}_][\p{L}\p{N}_.]*))`
const STRING = String.raw`(?:"[^"\n]*"|'[^'\n]*')`
const BETWEEN = '(?:==|!=|=~|!~|!?(?:contains|startswith|endswith|has|hasprefix|hassuffix)(?:_cs)?)'
const LIST = String.raw`!?in~?\s*\((?:\s*${STRING}\s*,)*`
const OPEN_VALUE = new RegExp(
  String.raw`${FIELD}\s*(?:${BETWEEN}|${LIST})\s*(?<written>(?<quote>["'])(?<prefix>[^"'\\\n]*))$`,
  'u',
)

/** Returns the unfinished string at the end of a text, if it is compared with a field; undefined otherwise. */
function openValue(text: string): OpenValue | undefined {
  const found = OPEN_VALUE.exec(text)?.groups
  if (found === undefined) return undefined
  const { single, double, bare, written = '', quote = '"', prefix = '' } = found
  return { field: single ?? double ?? bare ?? '', written, quote, prefix }
}

/** The maximum length of a value that is offered. */
const MAX_LENGTH = 100

/** Returns values as strings of APL in this quote, in the same order, without long values and values with control characters. */
function quotedValues(values: readonly string[], quote: string): readonly string[] {
  const isTyped = (value: string) => value.length <= MAX_LENGTH && !/\p{Cc}/u.test(value)
  return values.filter(isTyped).map((value) => quote + insideQuotes(value, quote) + quote)
}

/** The time limit of a completion. */
const TIMEOUT_MS = 2_000

/** Returns names from the service, cached until `forget` is called. After an error, the names are empty, and are not cached. */
export function cachedNames(connection: Connection) {
  const schema = remoteSchema(connection, { timeoutMs: TIMEOUT_MS })
  return {
    ...namesOf(schema, connection),
    forget: schema.forget,
  }
}

/** Returns the names of a schema and the values of its fields, which are empty after an error. */
export function namesOf(schema: RemoteSchema, connection: Connection) {
  return {
    datasets: () => schema.datasets().catch(() => []),
    fields: async (dataset) => {
      const fields = await schema.fields(dataset).catch(() => [])
      return fields.map(({ name }) => name)
    },
    values: (dataset, field, prefix) =>
      schema
        .cached(JSON.stringify([dataset, field, prefix]), (signal) =>
          fetchValues({ dataset, field, prefix }, connection, signal),
        )
        .catch(() => []),
  } satisfies Names
}

/** The number of values that a completion offers. */
const MAX_VALUES = 50

async function fetchValues(
  { dataset, field, prefix }: { dataset: string; field: string; prefix: string },
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const value = `tostring(${quotedName(field)})`
  const apl = `${quotedName(dataset)} | where isnotempty(${value}) and ${value} startswith_cs "${prefix}" | summarize n = count() by value = ${value} | sort by n desc, value asc | take ${MAX_VALUES}`
  const { tables } = await query(connection, { apl }, { signal })
  return (columnOf(tables[0], 'value') ?? []).map((cell) => String(JSON.parse(cell)))
}
