import { isTimeName } from '../../mapping/time-name.js'
import { isRule } from '../aligned-columns.js'
import type { EventText } from '../event-text.js'
import { normalLevel } from '../level.js'
import { beginsWithTime } from '../multiline/event-start.js'
import type { LineFormat } from './line-format.js'

/** The format of events of several lines, each with a key and its value. */
export const BLOCKS: LineFormat = {
  name: 'blocks',
  title:
    'a key and its value in each line: MinIO, wevtutil, Format-List of PowerShell, rows of psql, mysql and ClickHouse',
  example:
    'API: SYSTEM()\nTime: 10:00:00 UTC 01/20/2026\nError: disk not found\n\nAPI: SYSTEM()\nTime: 10:00:01 UTC 01/20/2026\nError: disk not found',
  patterns: ['%{PAIRS:=}'],
  // The first key of the blocks is known only after lines of the log have been compared.
  start: '(?!)',
}

/** The sign after a key: a colon, or an equals sign in its column as `racadm lclog view` writes it. */
const SIGN = '[ \\t]{0,40}:(?:[ \\t]|$)|[ \\t]{2,40}= '
/** A line with a key: its indentation, the key, a number as in `Event[0]`, and the value. */
const KEY_LINE = new RegExp(
  `^([ \\t]{0,16})([A-Za-z][\\w./#-]{0,40}(?: [\\w./#-]{1,40}){0,3})(?:\\[(\\d{1,9})\\])?(?:${SIGN})(.*)$`,
)
/** The line in front of a row whose columns have a line each: psql, mysql, ClickHouse. */
const ROW =
  '(?:-\\[ RECORD \\d{1,9} \\]|\\*{9,40} \\d{1,9}\\. row \\*{9,40}|Row \\d{1,9}:)[-+]{0,1000}(?:\\n|$)'
const ROW_LINE = new RegExp(`^${ROW}`)
/** A column of such a row: psql aligns a bar, mysql the end of the names, and ClickHouse the values. */
const COLUMN_LINE = /^ {0,64}([^\s:|][^:|]{0,63}?) {0,64}(?::|\|)(?: +(.*))?$/
const TIME_KEY =
  /^(?:time|date|date\/time|timestamp|time ?created|time ?generated|time ?written|date and time|event time)$/i
const LEVEL_KEY = /^(?:level|level ?display ?name|severity|entry ?type)$/i
const MESSAGE_KEY = /^(?:message|description|error)$/i
const ERROR_KEY = /^error$/i

/** A key of a block and its value, which may have several lines. */
interface BlockField {
  readonly key: string
  readonly value: string
}

/** A line of signs in front of a block. */
const SIGNS = /^[ \t]*(?:[-=*_#~] ?){10,200}$/

/** True for a blank line and for a line of signs, which separate blocks. */
export function separatesBlocks(line: string): boolean {
  return line.trim() === '' || SIGNS.test(line)
}

/** The least number of blocks, and of keys in addition to the first one that at least half of the blocks have. */
const LEAST_BLOCKS = 2
const LEAST_KEYS = 2
/** The first block is looked for in this many lines. */
const MAX_BANNER = 64

/** Properties that the blocks with the same first key share. */
interface FoundBlocks {
  /** The number of keys that at least half of the blocks have. */
  readonly keys: number
  /** The beginning of the first line, as a grok pattern. */
  readonly start: string
  /** The times as they are written. */
  readonly times: readonly string[]
}

/**
 * Returns the common properties of the blocks of a text, perhaps after a banner; undefined when the text does not consist of
 * blocks. Only blocks with times are events: YAML, addresses and lists of packages look like blocks too, and are read as
 * blocks, even a single one, only if the user chose the format.
 */
export function findBlocks(sample: string, isChosen: boolean): FoundBlocks | undefined {
  const lines = sample.split(/\r?\n/)
  const rows = blocksAfter(ROW_LINE, lines)
  if (rows.length >= LEAST_BLOCKS) return { ...commonOf('', rows), start: ROW }
  const firsts = lines.slice(0, MAX_BANNER).flatMap((line, at) => {
    const isFirst = at === 0 || separatesBlocks(lines[at - 1]!)
    const [, indent, key = ''] = (isFirst && KEY_LINE.exec(line)) || []
    return indent === '' && normalLevel(key) === undefined ? [key] : []
  })
  const keys = [...new Set(firsts)]
  for (const first of keys) {
    const blocks = blocksAfter(beginning(first), lines)
    if (blocks.length < LEAST_BLOCKS) continue
    const found = commonOf(first, blocks)
    const areEvents =
      isChosen || (found.times.length * 2 >= blocks.length && haveKeys(lines, blocks.length))
    if (found.keys > LEAST_KEYS && areEvents) return found
  }
  const [first] = keys
  return isChosen && first !== undefined
    ? commonOf(first, blocksAfter(beginning(first), lines))
    : undefined
}

/** False for the lines of a log or of a command below headings of keys, of which there are `count`. */
function haveKeys(lines: readonly string[], count: number): boolean {
  const written = lines.filter((line) => /^\S/.test(line) && !separatesBlocks(line))
  const keyed = written.filter((line) => KEY_LINE.test(line))
  return keyed.length * 2 >= written.length && written.filter(beginsWithTime).length <= count
}

/** Returns an expression for the first line of a block that begins with a key. */
function beginning(first: string): RegExp {
  return new RegExp(`^${escaped(first)}(?:\\[\\d{1,9}\\])?(?:${SIGN})`)
}

/** Returns the lines of each block, the first of which matches an expression. */
function blocksAfter(begins: RegExp, lines: readonly string[]): readonly (readonly string[])[] {
  const blocks: string[][] = []
  for (const line of lines) {
    if (begins.test(line)) blocks.push([])
    blocks.at(-1)?.push(line)
  }
  return blocks
}

function commonOf(first: string, blocks: readonly (readonly string[])[]): FoundBlocks {
  const fields = blocks.map((block) => blockFields(block.join('\n')))
  const counts = new Map<string, number>()
  for (const { key } of fields.flat()) counts.set(key, (counts.get(key) ?? 0) + 1)
  return {
    keys: [...counts.values()].filter((count) => count * 2 >= blocks.length).length,
    start: `${escaped(first)}(?:\\[\\d{1,9}\\])?(?:${SIGN}|[ \\t]{0,40}:\\n)`,
    times: fields.flatMap((block) => timeIn(block, first === '')?.value ?? []),
  }
}

/** Returns the field with the time. The columns of rows may have any name of a time. */
function timeIn(block: readonly BlockField[], isRow: boolean): BlockField | undefined {
  return block.find(({ key }) => TIME_KEY.test(key) || (isRow && isTimeName(key)))
}

function escaped(key: string): string {
  return key.replace(/[./#-]/g, '[$&]')
}

/**
 * Returns the fields of a block. A line continues the previous value if its indentation differs from the indentation of the keys, or if
 * the block already has its key.
 */
function blockFields(text: string): readonly BlockField[] {
  const lines = text.split(/\r?\n/)
  if (ROW_LINE.test(text)) return rowFields(lines.slice(1))
  lines.length = 1 + lines.findLastIndex((line) => !separatesBlocks(line))
  const [, indent = ''] = KEY_LINE.exec(lines[1] ?? '') ?? []
  const fields: { key: string; value: string }[] = []
  const keys = new Set<string>()
  for (const [at, line] of lines.entries()) {
    const [, inner, key = '', number = '', rest = ''] = KEY_LINE.exec(line) ?? []
    if ((at === 0 || inner === indent) && key !== '' && !keys.has(key)) {
      keys.add(key)
      fields.push({ key, value: rest.trim() || number })
      continue
    }
    const last = fields.at(-1)
    if (last !== undefined) last.value += `\n${line.trim()}`
  }
  return fields.map(({ key, value }) => ({ key, value: value.trim() }))
}

/** Returns the columns of a row. Other lines continue the value in front of them, except the number of rows after the last one. */
function rowFields(lines: readonly string[]): readonly BlockField[] {
  const fields: { key: string; value: string }[] = []
  for (const line of lines) {
    const [, key, value = ''] = COLUMN_LINE.exec(line) ?? []
    if (key !== undefined && fields.every((field) => field.key !== key)) fields.push({ key, value })
    else if (!isRule(line) && fields.length > 0) fields.at(-1)!.value += `\n${line}`
  }
  return fields.map(({ key, value }) => ({ key, value: value.trim() }))
}

/** Writes the fields of a block, or a banner as a message; `readTime` returns the time at the start of a text. */
export function writeBlock(
  text: string,
  event: EventText,
  readTime: (text: string) => string | undefined,
): undefined {
  const isRow = ROW_LINE.test(text)
  if (!isRow && !KEY_LINE.test(text.split('\n', 1)[0]!)) {
    event.text('message', text)
    return undefined
  }
  const fields = blockFields(text).filter(({ value }) => value !== '')
  const leveled = fields.find(({ key, value }) => LEVEL_KEY.test(key) && normalLevel(value))
  const level = leveled && normalLevel(leveled.value)
  const said = fields.find(({ key }) => MESSAGE_KEY.test(key))
  const timed = timeIn(fields, isRow)
  const time = timed && readTime(timed.value)
  if (time !== undefined) event.setTime(time)
  if (level !== undefined) event.text('level', level)
  else if (said !== undefined && ERROR_KEY.test(said.key)) event.text('level', 'error')
  if (said !== undefined) event.text('message', said.value)
  for (const field of fields) {
    if (field === said || (field === timed && time !== undefined)) continue
    if (field === leveled && level === field.value.toLowerCase()) continue
    const key = field === leveled ? 'severity_text' : field.key
    event.plain(key, field.value)
  }
}
