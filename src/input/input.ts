import type { Position } from './batch.js'
import { type ByteSource, withHead } from './byte-source.js'
import { tellsPacking, unpacked } from './compression.js'
import { CsvScanner, csvLayout } from './csv.js'
import { InputError, shown } from './error.js'
import { type Format, type FoundFormat, findFormat } from './format.js'
import { jsonArrayLayout, jsonSequenceLayout } from './json.js'
import { Lookahead } from './lookahead.js'
import { ndjsonLayout } from './ndjson.js'
import type { Opened } from './open.js'
import type { Layout } from './scanner.js'

/** An input that is known well enough to be cut into batches. */
export interface Input {
  readonly name: string
  /** From the first event on. */
  readonly bytes: ByteSource
  readonly layout: Layout
  /** Where the first event begins. */
  readonly start: Position
  readonly isLive: boolean
}

const NEWLINE = 0x0a
const OPENING_BRACKET = 0x5b
const UTF8_MARK = 'efbbbf'

/** Looks at an input's beginning: unpacks it, finds its format, and passes over what comes before the events. */
export async function beginInput(opened: Opened, asked: Format | 'auto'): Promise<Input> {
  const { name, isLive } = opened
  const packed = new Lookahead(opened.bytes)
  await packed.until(tellsPacking)
  const source = unpacked(packed.head, withHead(packed.head, opened.bytes), name)
  const beginning = new Lookahead(source)
  const mark = await passMark(beginning, name)
  const found = await settleFormat(beginning, { asked, mark, name })
  const { layout, skip } = await LAYOUTS[found](beginning, { mark, name })
  const before = beginning.head.subarray(0, skip)
  const line = 1 + before.reduce((lines, byte) => lines + (byte === NEWLINE ? 1 : 0), 0)
  return {
    name,
    bytes: withHead(beginning.head.subarray(skip), source),
    layout,
    start: { line, event: 0, offset: skip },
    isLive,
  }
}

/** The length of the byte-order mark. */
async function passMark(beginning: Lookahead, name: string): Promise<number> {
  await beginning.until((head) => head.length > 0 && !UTF8_MARK.startsWith(head.toString('hex')))
  const hex = beginning.head.subarray(0, 3).toString('hex')
  if (hex.startsWith('fffe') || hex.startsWith('feff')) {
    throw new InputError(
      `${shown(name)} is in UTF-16. \`iconv -f UTF-16 -t UTF-8\` turns it into UTF-8.`,
    )
  }
  return hex === UTF8_MARK ? UTF8_MARK.length / 2 : 0
}

interface Start {
  readonly mark: number
  readonly name: string
}

async function settleFormat(
  beginning: Lookahead,
  { asked, mark, name }: Start & { readonly asked: Format | 'auto' },
): Promise<FoundFormat> {
  let found: FoundFormat | undefined
  await beginning.until((bytes, isWhole) => {
    found = findFormat(asked, { name, head: bytes.subarray(mark), isWhole })
    return found !== undefined
  })
  return found ?? 'ndjson'
}

interface Begun {
  readonly layout: Layout
  /** Bytes of the beginning that are not events. */
  readonly skip: number
}

const LAYOUTS: Readonly<
  Record<FoundFormat, (beginning: Lookahead, start: Start) => Begun | Promise<Begun>>
> = {
  ndjson: (_, { mark }) => ({ layout: ndjsonLayout(), skip: mark }),
  'json sequence': (_, { mark }) => ({ layout: jsonSequenceLayout(), skip: mark }),
  'json array': ({ head }) => ({
    layout: jsonArrayLayout(),
    skip: head.indexOf(OPENING_BRACKET) + 1,
  }),
  csv: csvHeader,
}

async function csvHeader(beginning: Lookahead, { mark, name }: Start): Promise<Begun> {
  let end = -1
  await beginning.until((bytes, isWhole) => {
    end = new CsvScanner().scan(bytes, { from: mark, to: bytes.length, most: 1 }).end
    const isFound = end !== -1 && !isOnlyLineEnds(bytes.subarray(mark, end))
    if (!isFound && isWhole) end = bytes.length
    return isFound
  })
  if (beginning.isTooLong) {
    throw new InputError(
      `The CSV header of ${shown(name)} has no end within 1 MiB: a quote in it may never be closed.`,
    )
  }
  // The mark stays behind: a header is repeated in each body, and a mark belongs at a file's beginning.
  return { layout: csvLayout(Buffer.from(beginning.head.subarray(mark, end))), skip: end }
}

function isOnlyLineEnds(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === NEWLINE || byte === 0x0d)
}
