import { QUOTE } from '../../text/bytes.js'
import { compileWasm, growMemory } from '../../wire/bytes/wasm-module.js'
import { findMember, type Member, valueEnd, whole } from '../../wire/json/json-bytes.js'
import type { LevelSource } from './level-source.js'

/** Changes of lines that take less time than the edits of an editor. */
export interface LineRule {
  readonly level?: LevelRule
  readonly time?: TimeRule
}

/** Times in front of the other members. */
export interface TimeRule {
  /** The keys of the one or two fields that form the time, in latin1. */
  readonly fields: readonly string[]
  /** Returns the time in the texts of the fields, with a space between them; undefined when they form no time. */
  read(text: string): string | undefined
}

/** Levels that events have in a member. */
export interface LevelRule {
  /** The keys that lead to the member, one in the other, in latin1. */
  readonly path: readonly string[]
  /** True when the level is replaced; otherwise a normalized one is inserted. */
  readonly isOwn: boolean
  /** The level of events without the member that have another one. */
  readonly absent: LevelSource['absent']
  /** Levels as they are written, and the JSON that is written for them; undefined for a level that is not changed. */
  readonly known: ReadonlyMap<string, string | undefined>
}

interface RewrittenLines {
  /** Valid until the next call. */
  readonly bytes: Buffer
  readonly end: number
  /** For each line, the number of the value of `valuesOf` that was changed, from 1, or 0; and `TIMED` or `INVALID`. */
  readonly marks: Buffer
  /** True when the next line is for the editor of events. */
  readonly isStopped: boolean
}

interface Global {
  readonly value: number
}

/** The functions of `assembly/`, where they are described. */
interface LinesCode {
  readonly memory: WebAssembly.Memory
  begin(
    path: number,
    pathLength: number,
    isOwn: boolean,
    hasDefault: boolean,
    values: number,
    count: number,
  ): void
  setTime(fields: number, count: number, text: number): void
  setOutput(start: number, bytes: number, marks: number): void
  rewrite(start: number, end: number): number
  readonly stop: Global
  readonly outputEnd: Global
  readonly lines: Global
}

/** The values of `stop`, as in `assembly/index.ts`. */
const INCOMPLETE = 0
const OTHER = 2

/** The bit of a mark for a line with a time in front of its first member. */
const TIMED = 0x80
/** The bit of a mark for a line whose fields have another text than a time. */
export const INVALID = 0x40
const INVALID_LENGTH = 0xffff_ffff
const VALUE_BYTES = 20
const KEY_BYTES = 8
const UNCHANGED = 0xffff_ffff
/** Longer levels and names of fields are left to the editor. The member with a time is shorter. */
const MOST_TEXT = 128
const MOST_VALUES = 60
const PATH_ADDRESS = 4096
const PATH_BYTES = 64
const PATH_TEXT = 1024
const TIME_ADDRESS = PATH_ADDRESS + PATH_BYTES
const TIME_KEYS = TIME_ADDRESS + MOST_TEXT
const VALUES_ADDRESS = TIME_KEYS + 2 * (KEY_BYTES + MOST_TEXT)
const TEXTS_ADDRESS = VALUES_ADDRESS + MOST_VALUES * VALUE_BYTES
const OUTPUT_ADDRESS = TEXTS_ADDRESS + 2 * MOST_VALUES * MOST_TEXT + PATH_TEXT
const OUTPUT_BYTES = 1 << 19
const WINDOW_BYTES = 1 << 18
/** Bytes after some memory that may be read, too. */
const SPARE_BYTES = 64
const INPUT_ADDRESS = OUTPUT_ADDRESS + OUTPUT_BYTES + SPARE_BYTES
const MARKS_ADDRESS = INPUT_ADDRESS + WINDOW_BYTES + SPARE_BYTES

/** Returns the member with a time. */
export function timeMember(time: string): string {
  return `"_time":"${time}"`
}

/** True for the text of fields that are missing, empty or null. */
export function isNoText(text: string): boolean {
  return /^(?:null|\s)*$/.test(text)
}

/** True for a rule that a `LineRewriter` can apply. */
export function isShort({ fields }: TimeRule): boolean {
  return fields.every((key) => key.length <= MOST_TEXT)
}

/** Rewrites lines of NDJSON by a rule. */
export class LineRewriter {
  private readonly code: LinesCode
  private readonly memory: Buffer
  private rule: LineRule | undefined
  private bytes: Buffer = Buffer.alloc(0)
  /** The part of the bytes that is in the memory. */
  private windowStart = 0
  private windowEnd = 0
  /** The number of values of the rule that were written to the memory. */
  private values = 0

  constructor() {
    const host = {
      hostTime: (date: number, dateEnd: number, time: number, timeEnd: number) =>
        this.writeTime(this.timeText(date, dateEnd, time, timeEnd)),
    }
    const { exports } = new WebAssembly.Instance(compileWasm('line-rewriter.wasm'), { host })
    this.code = exports as unknown as LinesCode
    growMemory(this.code.memory, MARKS_ADDRESS + WINDOW_BYTES)
    this.memory = Buffer.from(this.code.memory.buffer)
    this.code.setOutput(OUTPUT_ADDRESS, OUTPUT_BYTES, MARKS_ADDRESS)
  }

  begin(rule: LineRule, bytes: Buffer): this {
    if (rule !== this.rule) this.setRule(rule)
    this.bytes = bytes
    this.windowStart = this.windowEnd = 0
    return this
  }

  /** Rewrites complete lines from a position on. */
  rewrite(start: number): RewrittenLines {
    const { level } = this.rule ?? {}
    if (level !== undefined && level.known.size !== this.values) this.setLevel(level)
    if (start >= this.windowEnd) this.moveWindow(start)
    const { code, memory, windowStart, windowEnd } = this
    const offset = INPUT_ADDRESS - windowStart
    const end = code.rewrite(start + offset, windowEnd + offset) - offset
    const isCut = code.stop.value === INCOMPLETE && windowEnd < this.bytes.length
    // A line that is longer than a window is left to the editor.
    const isLong = isCut && end === windowStart
    if (isCut && !isLong) this.moveWindow(end)
    const isLast = code.stop.value === INCOMPLETE && !isCut
    return {
      bytes: memory.subarray(OUTPUT_ADDRESS, code.outputEnd.value),
      end,
      marks: memory.subarray(MARKS_ADDRESS, MARKS_ADDRESS + code.lines.value),
      // The last line may lack its line feed.
      isStopped: code.stop.value === OTHER || isLong || isLast,
    }
  }

  private moveWindow(start: number): void {
    this.windowStart = start
    this.windowEnd = Math.min(start + WINDOW_BYTES, this.bytes.length)
    this.bytes.copy(this.memory, INPUT_ADDRESS, start, this.windowEnd)
  }

  private setRule(rule: LineRule): void {
    const { level, time } = rule
    if (level !== undefined) this.setLevel(level)
    else this.code.begin(PATH_ADDRESS, 0, false, false, VALUES_ADDRESS, 0)
    const put = this.textWriter(TIME_KEYS + 2 * KEY_BYTES)
    const fields = time?.fields ?? []
    this.writeNumbers(TIME_KEYS, fields.flatMap(put))
    this.code.setTime(TIME_KEYS, fields.length, TIME_ADDRESS)
    this.rule = rule
  }

  private setLevel(level: LevelRule): void {
    const { path, isOwn, absent, known } = level
    const put = this.textWriter(TEXTS_ADDRESS)
    const values = valuesOf(level).map(({ written, output, hasText }) => {
      const changed = output === undefined ? [0, UNCHANGED] : put(output)
      return [...put(written), ...changed, hasText ? 1 : 0]
    })
    this.writeNumbers(VALUES_ADDRESS, values.flat())
    const keys = [...path, 'level', 'severity_text', absent?.with ?? '']
    this.writeNumbers(PATH_ADDRESS, keys.flatMap(put))
    this.values = known.size
    const hasDefault = absent !== undefined
    this.code.begin(PATH_ADDRESS, path.length, isOwn, hasDefault, VALUES_ADDRESS, values.length)
  }

  /** Returns a function that writes texts one after the other into the memory, and returns their addresses and lengths. */
  private textWriter(start: number): (text: string) => readonly [address: number, length: number] {
    let at = start
    return (text) => {
      const from = at
      at += this.memory.write(text, from, 'latin1')
      return [from, at - from]
    }
  }

  /** Returns the texts of the fields that form the time. */
  private timeText(date: number, dateEnd: number, time: number, timeEnd: number): string {
    const text = this.textAt(date, dateEnd)
    return this.rule!.time!.fields.length === 1 ? text : `${text} ${this.textAt(time, timeEnd)}`
  }

  /** Returns the text of a field without its quotes; empty when it is missing. */
  private textAt(from: number, to: number): string {
    const quote = this.memory[from] === QUOTE ? 1 : 0
    return from === 0 ? '' : this.memory.toString('latin1', from + quote, to - quote)
  }

  /** Writes the member with the time of a text into the memory, with a comma; returns its length, as `hostTime` does. */
  private writeTime(text: string): number {
    const time = this.rule!.time!.read(text)
    if (time === undefined) return isNoText(text) ? 0 : INVALID_LENGTH
    return this.memory.write(`${timeMember(time)},`, TIME_ADDRESS, 'latin1')
  }

  private writeNumbers(address: number, numbers: readonly number[]): void {
    for (const [i, number] of numbers.entries()) this.memory.writeUInt32LE(number, address + i * 4)
  }
}

/** A level as it is written, and what is written for it: in its place, or in front of the first member. */
interface LevelValue {
  readonly written: string
  /** Undefined for a level that is not changed. */
  readonly output: string | undefined
  /** True when the output has a second member. */
  readonly hasText: boolean
}

/** Returns the values that are known, after the one of events without a level. Further ones are added at the end. */
function valuesOf({ known, isOwn, absent }: LevelRule): readonly LevelValue[] {
  const first = absent === undefined ? [] : [['', `"${absent.level}"`] as const]
  return [...first, ...known].slice(0, MOST_VALUES).flatMap(([written, text]) => {
    const output = isOwn || text === undefined ? text : `"level":${text},`
    const isLong = Math.max(written.length, output?.length ?? 0) > MOST_TEXT
    return isLong ? [] : [{ written, output, hasText: text?.includes(',') === true }]
  })
}

/** The place of a change in a rewritten line, and the text that was there. */
interface Change extends Member {
  readonly text: string
}

/** Returns a line that has a mark as it was before it was rewritten. */
export function unchanged({ level }: LineRule, line: Buffer, mark: number): Buffer {
  const isTimed = mark >= TIMED
  // The time is the first member, and is a string.
  const rest = isTimed ? line.subarray(valueEnd(line, 1) + 1) : line
  const timeless = isTimed ? Buffer.concat([line.subarray(0, 1), rest]) : line
  const number = mark % INVALID
  if (level === undefined || number === 0) return timeless
  const { from, to, text } = changeOf(level, timeless, number)
  const parts = [timeless.subarray(0, from), Buffer.from(text, 'latin1'), timeless.subarray(to)]
  return Buffer.concat(parts)
}

/** Returns the change of a line by the value with a number. */
function changeOf(rule: LevelRule, line: Buffer, number: number): Change {
  const { written, output = '' } = valuesOf(rule)[number - 1]!
  if (!rule.isOwn) return { from: 1, to: 1 + output.length, text: '' }
  const { from } = findMember(line, 'level', whole(line))!
  return { from, to: from + output.length, text: written }
}
