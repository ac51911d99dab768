import { utf8AsLatin1 } from '../../text/bytes.js'

/**
 * The spaces between the columns of a table that is aligned for reading, between each column and the next one. A value ends at
 * the last space there: values on the left may be longer than their names, and values on the right too.
 */
export interface AlignedColumns {
  /** For each column but the first: the characters of the header from the end of the name in front to the beginning of its name. */
  readonly gaps: readonly Gap[]
  /** Between the columns of tables with lines. */
  readonly separator: ' ' | '|' | '│'
  /** The line with the types of the columns, as DuckDB prints it. */
  readonly types?: string
}

interface Gap {
  readonly from: number
  readonly to: number
}

interface AlignedTable {
  readonly columns: readonly string[]
  readonly aligned: AlignedColumns
}

/** A table of this many columns with a header of names in capitals. */
const LEAST_COLUMNS = 3
const COMPARED_ROWS = 50
/** The lines in front of a header that has a line below it. */
const MAX_BANNER = 8
const NAME = '[A-Z%][A-Z0-9_%()/.:-]*'
const CAPITALS = new RegExp(`^${NAME}(?: +${NAME})* *$`)
const WIDE_GAPS = /\S {2,}\S.*\S {2,}\S/
/** Names that begin with a capital, each after a wide gap, as snap and multipass print them; a name may have several words. */
const TITLES = /^[A-Z][\w-]*(?: [\w-]+)*(?: {2,}[A-Z][\w-]*(?: [\w-]+)*){3,} *$/
/** Hyphens below each name of a header, or equals signs, as `tasklist` of Windows prints them. */
const RULE = /^ *(?:(?:-+ +)+-{2,}|(?:=+ +)+={2,}) *$/
const FRAME = /^[ +]?-+(?:\+-+)+\+?$/
const ROW_COUNT = /^(?:\(\d+ rows?\)|\d+ rows? in set.*|\d+ entries were displayed\.)$/
/** A line of a frame in UTF-8, in latin1. */
const BOX = /^ *(?:\xe2[\x94\x95][\x80-\xbf]){3,} *$/
/** The headers of df, ss, netstat, ps, top and systemctl, which may follow a banner. */
const KNOWN_HEADER =
  /^ *(?:Filesystem +\S.* Mounted on|(?:Netid +)?State +Recv-Q .*|Proto +Recv-Q .*|PID +TTY +TIME CMD|PID +USER +PR +NI .*|UNIT +LOAD +ACTIVE +SUB .*) *$/
/** A name in such a header. ss pads the port in front of a name that touches it. */
const KNOWN_NAME =
  /Peer Address:Port ?|(?:Local|Foreign) Address(?::Port)?|Mounted on|PID\/Program name|\S+/g
/** The values of a row of programs for tables that stand for a missing value. */
export const MISSING: readonly string[] = ['', '-', '<none>', '<unknown>', '<unset>', 'NULL']

/**
 * Returns the columns of lines, in latin1, that are a table as kubectl, docker, ps, psql, mysql, sqlite3, DuckDB and PowerShell print it;
 * undefined for other lines.
 */
export function alignedTable(lines: readonly string[]): AlignedTable | undefined {
  const filled = lines.filter((line) => line.trim() !== '')
  const rule = filled
    .slice(0, MAX_BANNER)
    .findIndex((line) => RULE.test(line) || FRAME.test(line) || BOX.test(line))
  if (rule !== -1) return ruledTable(filled, rule)
  const known = lines.slice(0, MAX_BANNER).findIndex((line) => KNOWN_HEADER.test(line))
  if (known !== -1) return knownTable(lines, known)
  const [header = '', ...rest] = filled
  const rows = rest.slice(0, COMPARED_ROWS)
  if (TITLES.test(header)) return titledTable(header, rows)
  if (!CAPITALS.test(header) || !WIDE_GAPS.test(header)) return undefined
  return withLongNames(tableOf(header, header, ' '), rows, header)
}

/**
 * Returns a table in whose rows each value begins after a space, below the beginning of its name; undefined when the messages are in a
 * last column without a name, as `log show` of macOS prints them.
 */
function titledTable(header: string, rows: readonly string[]): AlignedTable | undefined {
  const names = [...header.matchAll(/\S+(?: \S+)*/g)]
  const gaps = names.slice(1).map(({ index: to }) => ({ from: to - 1, to }))
  const table = tableWith(header, { gaps, separator: ' ' })
  const last = gaps.at(-1)!.to
  const unnamed = rows.filter((row) => /\S {2,}\S/.test(charactersOf(row).slice(last)))
  if (unnamed.length * 2 > rows.length) return undefined
  return rows.length > 1 && isNamed(table) && areRows(rows, table) ? table : undefined
}

/** Returns the table with a known header; undefined when a table with another header follows it. */
function knownTable(lines: readonly string[], at: number): AlignedTable | undefined {
  const header = lines[at]!
  const below = lines.slice(at + 1)
  const end = below.findIndex((line) => line.trim() === '')
  const [rows, rest] = end === -1 ? [below, []] : [below.slice(0, end), below.slice(end)]
  const isOther = (line: string) =>
    line !== header && (KNOWN_HEADER.test(line) || (CAPITALS.test(line) && WIDE_GAPS.test(line)))
  if (rest.some(isOther)) return undefined
  const names = [...header.matchAll(KNOWN_NAME)]
  const gaps = names.slice(1).map(({ index }, at) => {
    const from = names[at]!.index + names[at]![0].length
    return { from, to: Math.max(index, from + 1) }
  })
  const aligned = { gaps, separator: ' ' as const }
  const table = { columns: names.map(([name]) => name.trim()), aligned }
  return areRows(rows.slice(0, COMPARED_ROWS), table) ? table : undefined
}

/** Returns the table with a line of hyphens below its header, and in front of it if the line has corners. */
function ruledTable(lines: readonly string[], at: number): AlignedTable | undefined {
  const isBox = BOX.test(lines[at]!)
  const rule = isBox ? inAscii(lines[at]!) : lines[at]!
  const separator = isBox ? '│' : FRAME.test(rule) ? '|' : ' '
  const isFrame = rule.trimStart().startsWith('+')
  const [header, types] = isFrame ? lines.slice(at + 1, at + 3) : [lines[at - 1]]
  const hasTypes = isBox && isFrame && !isRule(types ?? '')
  const below = isFrame ? at + (hasTypes ? 3 : 2) : at
  if (header === undefined || !isRule(lines[below] ?? '')) return undefined
  const found = tableOf(withLightBars(header), rule, separator)
  const table = hasTypes ? { ...found, aligned: { ...found.aligned, types: types! } } : found
  const rows = lines.slice(below + 1, below + 1 + COMPARED_ROWS).filter((line) => !isRule(line))
  return areRows(rows, table) && isNamed(table) ? table : undefined
}

/** The bars of rows, and of headers of Rich, in latin1. */
const BAR = utf8AsLatin1('│')
const HEAVY_BAR = utf8AsLatin1('┃')

/** Returns a header, in latin1, with the bars that the rows have. */
export function withLightBars(header: string): string {
  return header.replaceAll(HEAVY_BAR, BAR)
}

/** Returns a line of a frame, in latin1, as mysql would print it. */
function inAscii(line: string): string {
  return charactersOf(line).replaceAll(/[─━═]/g, '-').replaceAll(/[│-╿]/g, '+')
}

/** True for a line of hyphens, or the number of rows, in a table with lines. */
export function isRule(line: string): boolean {
  return RULE.test(line) || FRAME.test(line) || BOX.test(line) || ROW_COUNT.test(line)
}

/** Returns the table whose columns begin where the words of a line, or its runs of hyphens, do. */
function tableOf(
  header: string,
  line: string,
  separator: AlignedColumns['separator'],
): AlignedTable {
  const words = [...line.matchAll(separator === ' ' ? /\S+/g : /-+/g)]
  const gaps = words.slice(1).map(({ index: to }, at) => {
    const { index, 0: word } = words[at]!
    return { from: index + word.length, to }
  })
  return tableWith(header, { gaps, separator })
}

function tableWith(header: string, aligned: AlignedColumns): AlignedTable {
  return { columns: alignedCells(header, aligned) ?? [], aligned }
}

function isNamed({ columns }: AlignedTable): boolean {
  return columns.every((name) => name !== '') && new Set(columns).size === columns.length
}

/**
 * Returns a table whose names of several words, such as `LAST SEEN`, are one column: no value begins at the second word, or every
 * value goes on there.
 */
function withLongNames(
  { aligned }: AlignedTable,
  rows: readonly string[],
  header: string,
): AlignedTable | undefined {
  const texts = rows.map(charactersOf)
  const gaps = aligned.gaps.filter(({ from, to }, at) => {
    if (to - from > 1) return true
    const end = aligned.gaps[at + 1]?.from ?? header.length
    return (
      texts.every((text) => text.length <= from || text[from] === ' ') &&
      texts.some((text) => text.slice(to, end).trim() !== '')
    )
  })
  const table = tableWith(header, { ...aligned, gaps })
  if (table.columns.length < LEAST_COLUMNS || !isNamed(table)) return undefined
  return areRows(rows, table) ? table : undefined
}

function areRows(rows: readonly string[], { aligned }: AlignedTable): boolean {
  return rows.length > 0 && rows.every((row) => alignedCells(row, aligned) !== undefined)
}

/**
 * Returns the values of a row, in latin1, without the spaces around them; undefined when a value goes on where the next column
 * begins, or the row has only one value.
 */
export function alignedCells(
  row: string,
  { gaps, separator }: AlignedColumns,
): readonly string[] | undefined {
  const text = charactersOf(row)
  const hasLines = separator !== ' '
  const inside = hasLines && text.endsWith(separator) ? text.slice(0, -1) : text
  const cells: string[] = []
  let begin = hasLines && inside.startsWith(separator) ? 1 : 0
  for (const { from, to } of gaps) {
    const end = inside.length <= from ? inside.length : inside.lastIndexOf(separator, to - 1)
    if (end < from && end < inside.length) return undefined
    cells.push(inside.slice(begin, end).trim())
    begin = Math.min(end + 1, inside.length)
  }
  cells.push(inside.slice(begin).trim())
  if (cells.filter((cell) => cell !== '').length < 2) return undefined
  return text === row ? cells : cells.map((cell) => Buffer.from(cell).toString('latin1'))
}

/** Columns are aligned by characters; a line in latin1 has a character for each byte. */
function charactersOf(line: string): string {
  return /[\x80-\xff]/.test(line) ? Buffer.from(line, 'latin1').toString() : line
}
