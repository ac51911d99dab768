import { decodeTabularResult } from '../../wire/decode-result.js'
import type { Pieces } from '../../wire/pieces.js'
import type { TabularResult } from '../../wire/query.js'
import { type AnswerMemory, answerMemory, type Places, type Scanned } from './answer-memory.js'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const LETTER_N = 0x6e

/** The answer to a query, with the values of its tables left where they are in its bytes. */
export interface ScannedAnswer extends Scanned {
  /** The answer without the values. */
  readonly result: TabularResult
}

/**
 * Reads an answer of `_apl?format=tabular` without making anything of its values; nothing when it
 * is out of the ordinary, which then `decodeTabularResult` reads, or tells what is wrong with it.
 */
export function scanAnswer(body: Pieces): ScannedAnswer | undefined {
  const memory = answerMemory()
  if (!memory.hold(body)) return undefined
  const places: Places[] = []
  const kept: string[] = []
  let keptTo = 0
  try {
    const reader = new ByteReader(memory)
    reader.answer((from) => {
      const found = from === undefined ? undefined : memory.scan(from)
      if (from !== undefined && found === undefined) throw new OddAnswer()
      places.push(found ?? NO_PLACES)
      if (from === undefined || found === undefined) return 0
      kept.push(memory.answer.toString('utf8', keptTo, from), '[]')
      keptTo = found.end
      return found.end
    })
  } catch (error) {
    if (error instanceof OddAnswer) return undefined
    throw error
  }
  kept.push(memory.answer.toString('utf8', keptTo))
  const result = decodeTabularResult(kept.join(''))
  const isSound = result.tables.every(({ fields }, index) => {
    const { columns } = places[index]!
    return columns === 0 || columns === fields.length
  })
  return isSound ? { body, result, places } : undefined
}

/** The bytes of one value, as they stand in the answer. */
export function cellOf(
  answer: ScannedAnswer,
  cell: { readonly table: number; readonly column: number; readonly row: number },
): Buffer {
  return answerMemory().value(answer, cell)
}

const NO_PLACES: Places = { columns: 0, rows: 0, start: 0, end: 0, address: 0 }

class OddAnswer extends Error {}

/** Walks the parts of an answer around the values, which are few. */
class ByteReader {
  private readonly memory: AnswerMemory
  private body: Buffer
  private at = 0

  constructor(memory: AnswerMemory) {
    this.memory = memory
    this.body = memory.answer
  }

  /**
   * Hands over where the columns of each table begin, and goes on where it is told that they end;
   * a table without columns is handed over without a place.
   */
  answer(columns: (from: number | undefined) => number): void {
    this.object('tables', () => {
      if (!this.takeNull()) this.array(() => this.table(columns))
    })
    this.skipSpace()
    if (this.at !== this.body.length) throw new OddAnswer()
  }

  private table(columns: (from: number | undefined) => number): void {
    let isFound = false
    this.object('columns', () => {
      if (this.takeNull()) return
      isFound = true
      this.skipSpace()
      this.at = columns(this.at)
      this.body = this.memory.answer
    })
    if (!isFound) columns(undefined)
  }

  /** An object, of which the member of one name matters; there may be one of it. */
  private object(name: string, member: () => void): void {
    let isRead = false
    this.expect(OPEN_OBJECT)
    if (this.take(CLOSE_OBJECT)) return
    do {
      this.skipSpace()
      const from = this.at
      if (this.body[from] !== QUOTE) throw new OddAnswer()
      this.skipString()
      const key = this.body.toString('latin1', from + 1, this.at - 1)
      this.expect(COLON)
      if (key.includes('\\')) throw new OddAnswer()
      if (key !== name) this.skipValue()
      else {
        if (isRead) throw new OddAnswer()
        isRead = true
        member()
      }
    } while (this.take(COMMA))
    this.expect(CLOSE_OBJECT)
  }

  private array(element: () => void): void {
    this.expect(OPEN_ARRAY)
    if (this.take(CLOSE_ARRAY)) return
    do element()
    while (this.take(COMMA))
    this.expect(CLOSE_ARRAY)
  }

  private skipValue(): void {
    this.skipSpace()
    let depth = 0
    do {
      const byte = this.body[this.at]
      const isStray = depth === 0 && (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT)
      if (byte === undefined || isStray) throw new OddAnswer()
      if (byte === QUOTE) this.skipString()
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        depth += 1
        this.at += 1
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        depth -= 1
        this.at += 1
      } else if (depth === 0) this.skipWord()
      else this.at += 1
    } while (depth > 0)
  }

  private skipString(): void {
    let end = this.at
    for (;;) {
      end = this.body.indexOf(QUOTE, end + 1)
      if (end === -1) throw new OddAnswer()
      let before = end
      while (this.body[before - 1] === BACKSLASH) before -= 1
      if ((end - before) % 2 === 0) break
    }
    this.at = end + 1
  }

  private skipWord(): void {
    const from = this.at
    while (/[0-9a-zE+.-]/.test(String.fromCharCode(this.body[this.at] ?? 0))) this.at += 1
    if (this.at === from) throw new OddAnswer()
  }

  private takeNull(): boolean {
    this.skipSpace()
    if (this.body[this.at] !== LETTER_N) return false
    if (this.body.toString('latin1', this.at, this.at + 4) !== 'null') throw new OddAnswer()
    this.at += 4
    return true
  }

  private expect(byte: number): void {
    if (!this.take(byte)) throw new OddAnswer()
  }

  private take(byte: number): boolean {
    this.skipSpace()
    if (this.body[this.at] !== byte) return false
    this.at += 1
    return true
  }

  private skipSpace(): void {
    for (;;) {
      const byte = this.body[this.at]
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return
      this.at += 1
    }
  }
}
