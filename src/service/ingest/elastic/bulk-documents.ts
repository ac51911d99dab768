import { CLOSE_BRACE, isSpace, LINE_FEED, OPEN_BRACE } from '../../../text/bytes.js'
import { formatInteger } from '../../../text/integer.js'
import { ByteWriter } from '../../../wire/bytes/byte-writer.js'
import { datasetNameError, isDatasetName } from '../../../wire/http/dataset-name.js'
import { invalidRequest, RefusedError } from '../../refused-error.js'
import type { BatchPiece, DecodedBatch } from '../protocol.js'
import { type Action, malformedAction, parseAction } from './action.js'
import { BulkItems, type Item, type ItemError } from './bulk-items.js'

/** The maximum number of actions in a request: the response has an item for each. */
const MAX_ACTIONS = 200_000

/** The maximum number of indices that the actions of a request may name. */
const MAX_INDICES = 1_000

const MAX_ACTION_BYTES = 64 * 1024

const BYTE_ORDER_MARK = /^\ufeff/
const NOTHING = Buffer.alloc(0)
const LINE_END = Buffer.from('\n')
const MIN_WRITER_BYTES = 4096

const NO_DOCUMENT: ItemError = {
  status: 400,
  type: 'document_parsing_exception',
  reason: 'The document is empty.',
}

const UNSUPPORTED: Readonly<Record<'update' | 'delete', ItemError>> = {
  update: unsupported('update'),
  delete: unsupported('delete'),
}

interface DocumentOptions {
  /** Returns the dataset of an action's index; throws a `RefusedError` when an action without an index has no dataset. */
  datasetOf(index: string | undefined): string
  batchFor(dataset: string): DecodedBatch
}

/** The documents of a bulk request for one dataset. */
interface Target {
  readonly batch: DecodedBatch
  /** The documents in the current piece of the body. */
  writer: ByteWriter | undefined
  bodyBytes: number
}

/** An action whose document comes next. An action without a target is rejected. */
interface Announced {
  readonly action: Action
  readonly target?: Target
  /** The item of the response, unless the document is empty. */
  readonly item: Item
}

/**
 * Separates the actions of a bulk request from its documents, which become lines of the batches of their datasets. Documents
 * are copied without being parsed.
 */
export class BulkDocuments {
  readonly items = new BulkItems()
  /** The batches with documents, in the order of their first pieces. */
  readonly batches = new Set<DecodedBatch>()
  private readonly options: DocumentOptions
  private readonly targets = new Map<string, Target>()
  /** The indices of all actions, including rejected ones. */
  private readonly indices = new Set<string | undefined>()
  private pieceBytes = 0
  private line = 1
  /** The beginning of an action's line that continues in the next piece. */
  private begun: Buffer[] = []
  private begunBytes = 0
  /** The last action, and its line with the line feed: actions are often repeated. */
  private last: { readonly line: Buffer; readonly announced: Announced } | undefined
  /** The action whose document is being read. */
  private announced: Announced | undefined
  /** The part of the document read so far: only blanks, an opening brace after which the id was inserted, or more. */
  private read: 'blanks' | 'brace' | 'more' = 'blanks'

  constructor(options: DocumentOptions) {
    this.options = options
  }

  /** Reads the next bytes of the body, and returns the documents in them. */
  push(bytes: Buffer): readonly BatchPiece[] {
    this.pieceBytes = bytes.length
    for (let at = 0; at < bytes.length; ) {
      const repeated = this.announced === undefined ? this.repeatedAction(bytes, at) : undefined
      if (repeated !== undefined) {
        this.announceDocument(repeated.announced, repeated.line.length)
        this.line += 1
        at += repeated.line.length
        continue
      }
      const lineFeed = bytes.indexOf(LINE_FEED, at)
      const end = lineFeed === -1 ? bytes.length : lineFeed
      const isWhole = lineFeed !== -1
      if (this.announced === undefined) {
        if (isWhole) this.readAction(bytes, at, end)
        else this.beginAction(bytes.subarray(at))
      } else {
        this.readDocument(bytes, at, end)
        if (isWhole) this.endDocument()
      }
      if (isWhole) this.line += 1
      at = end + 1
    }
    return this.pieces()
  }

  /** True after an action, until its document begins. */
  get expectsDocument(): boolean {
    return this.announced !== undefined && this.read === 'blanks'
  }

  /** Returns the last documents. Throws a `RefusedError` when the body ends before a document, or has no actions. */
  end(): readonly BatchPiece[] {
    this.pieceBytes = 0
    if (this.begunBytes > 0) this.readAction(NOTHING, 0, 0)
    if (this.expectsDocument) throw malformedAction(this.line, 'a document expected')
    if (this.announced !== undefined) this.endDocument()
    if (this.items.count === 0) throw invalidRequest('The request body has no actions.')
    return this.pieces()
  }

  private beginAction(bytes: Buffer): void {
    this.begun.push(bytes)
    this.begunBytes += bytes.length
    if (this.begunBytes > MAX_ACTION_BYTES) throw this.tooLong()
  }

  private readAction(bytes: Buffer, start: number, end: number): void {
    if (this.begunBytes > 0) {
      const whole = Buffer.concat([...this.begun, bytes.subarray(start, end)])
      this.begun = []
      this.begunBytes = 0
      this.readAction(whole, 0, whole.length)
      return
    }
    if (end - start > MAX_ACTION_BYTES) throw this.tooLong()
    const announced = this.announcement(bytes, start, end)
    if (announced !== undefined) this.announceDocument(announced, end + 1 - start)
  }

  /** Returns the last action when its line is repeated at a position. */
  private repeatedAction(bytes: Buffer, start: number): typeof this.last {
    const { last } = this
    if (last === undefined || this.begunBytes > 0) return undefined
    const { line } = last
    for (let i = 0; i < line.length; i++) if (bytes[start + i] !== line[i]) return undefined
    return last
  }

  private announceDocument(announced: Announced, lineBytes: number): void {
    if (this.items.count === MAX_ACTIONS) throw tooManyActions()
    if (announced.target !== undefined) announced.target.bodyBytes += lineBytes
    this.announced = announced
    this.read = 'blanks'
    if (announced.action.name === 'delete') this.endDocument()
  }

  /** Returns the action that a line announces; undefined for a blank line. */
  private announcement(bytes: Buffer, start: number, end: number): Announced | undefined {
    const text = bytes.toString('utf8', start, end).replace(BYTE_ORDER_MARK, '')
    if (text.trim() === '') return undefined
    const announced = this.announce(parseAction(text, this.line))
    this.last = { line: Buffer.concat([bytes.subarray(start, end), LINE_END]), announced }
    return announced
  }

  private announce(action: Action): Announced {
    const { name, id } = action
    this.indices.add(action.index)
    if (this.indices.size > MAX_INDICES) throw tooManyIndices()
    if (name === 'update' || name === 'delete') {
      const error = UNSUPPORTED[name]
      return { action, item: { action: name, index: action.index ?? '', id, error } }
    }
    const dataset = this.options.datasetOf(action.index)
    const index = action.index ?? dataset
    if (!isDatasetName(dataset)) {
      return { action, item: { action: name, index, id, error: invalidIndex(dataset) } }
    }
    const target = this.targetOf(dataset)
    return { action, target, item: { action: name, index, id, batch: target.batch } }
  }

  private targetOf(dataset: string): Target {
    const target = this.targets.get(dataset) ?? {
      batch: this.options.batchFor(dataset),
      writer: undefined,
      bodyBytes: 0,
    }
    this.targets.set(dataset, target)
    return target
  }

  /** Copies bytes of a document, and inserts the id of the action, which documents of Elasticsearch don't contain. */
  private readDocument(bytes: Buffer, start: number, end: number): void {
    const { target, action } = this.announced ?? {}
    if (target === undefined) {
      if (nonBlank(bytes, start, end) < end) this.read = 'more'
      return
    }
    target.bodyBytes += end + 1 - start
    let at = this.read === 'more' ? start : nonBlank(bytes, start, end)
    if (at === end) return
    if (this.read === 'blanks') {
      const isObject = bytes[at] === OPEN_BRACE
      this.read = isObject && action?.id !== undefined ? 'brace' : 'more'
      if (this.read === 'brace') {
        this.writerOf(target).addText(`{"_id":${JSON.stringify(action?.id)}`)
        at = nonBlank(bytes, at + 1, end)
        if (at === end) return
      }
    }
    if (this.read === 'brace') {
      if (bytes[at] !== CLOSE_BRACE) this.writerOf(target).addText(',')
      this.read = 'more'
    }
    this.writerOf(target).addBytes(bytes, at, end)
  }

  private endDocument(): void {
    const { target, item } = this.announced as Announced
    this.announced = undefined
    if (target !== undefined && this.read === 'blanks') {
      const { action, index, id } = item
      this.items.add({ action, index, id, error: NO_DOCUMENT })
      return
    }
    if (target !== undefined) this.writerOf(target).addLineFeed()
    this.items.add(item)
  }

  private writerOf(target: Target): ByteWriter {
    target.writer ??= new ByteWriter(
      Math.max(MIN_WRITER_BYTES, Math.ceil(this.pieceBytes / this.targets.size)),
    )
    return target.writer
  }

  private pieces(): readonly BatchPiece[] {
    const pieces: BatchPiece[] = []
    for (const target of this.targets.values()) {
      const { batch, writer, bodyBytes } = target
      if (writer === undefined) continue
      this.batches.add(batch)
      pieces.push({ batch, lines: writer.written, bodyBytes })
      target.writer = undefined
      target.bodyBytes = 0
    }
    return pieces
  }

  private tooLong(): RefusedError {
    return malformedAction(this.line, `it has more than ${formatInteger(MAX_ACTION_BYTES)} bytes`)
  }
}

/** Returns the position of the next byte that is not white space, or `end`. */
function nonBlank(bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && isSpace(bytes[at]!)) at += 1
  return at
}

function invalidIndex(name: string): ItemError {
  return { status: 400, type: 'invalid_index_name_exception', reason: datasetNameError(name) }
}

function unsupported(action: string): ItemError {
  const reason = `\`${action}\` is not supported: stored events don't change. Use \`index\` or \`create\`.`
  return { status: 400, type: 'illegal_argument_exception', reason }
}

function tooManyIndices(): RefusedError {
  return new RefusedError(
    'too-large',
    `The actions of the request name more than ${formatInteger(MAX_INDICES)} indices: none of the events were stored. Send several smaller requests.`,
  )
}

function tooManyActions(): RefusedError {
  return new RefusedError(
    'too-large',
    `The request has more than ${formatInteger(MAX_ACTIONS)} actions: none of the events were stored. Send several smaller requests.`,
  )
}

/** The date at the end of indices that are created per day or month. */
const DATE = /-\d{4}\.\d{2}(?:\.\d{2})?$/

/** Returns the dataset for an index, without its date: indices per day such as `logs-2026.01.31` are one dataset, `logs`. */
export function datasetOfIndex(index: string): string {
  return index.replace(DATE, '')
}
