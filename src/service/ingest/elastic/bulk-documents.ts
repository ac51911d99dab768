import { formatInteger } from '../../../text/integer.js'
import { ByteWriter } from '../../../wire/bytes/byte-writer.js'
import { datasetNameError, isDatasetName } from '../../../wire/http/dataset-name.js'
import { RefusedError } from '../../refused-error.js'
import type { BatchPiece, DecodedBatch } from '../protocol.js'
import { type Action, malformedAction, parseAction } from './action.js'
import { BulkItems, type ItemError } from './bulk-items.js'

/** The most actions of a request: the response has an item for each. */
const MAX_ACTIONS = 1_000_000

/** The most bytes of the line of an action. */
const MAX_ACTION_BYTES = 64 * 1024

const LINE_FEED = 0x0a
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const BYTE_ORDER_MARK = /^\ufeff/
const NOTHING = Buffer.alloc(0)
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
  /** Returns the dataset of an action's index; throws a `RefusedError` when the action has none and needs one. */
  datasetOf(index: string | undefined): string
  /** Returns a new batch for a dataset. */
  batchFor(dataset: string): DecodedBatch
}

/** The documents of a bulk request for one dataset. */
interface Target {
  readonly batch: DecodedBatch
  /** The documents in the current piece of the body. */
  writer: ByteWriter | undefined
  bodyBytes: number
}

/** An action whose document comes next; without a target it is rejected. */
interface Announced {
  readonly action: Action
  readonly index: string
  readonly target?: Target
  readonly error?: ItemError
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
  private pieceBytes = 0
  private line = 1
  /** The beginning of an action's line that continues in the next piece. */
  private begun: Buffer[] = []
  private begunBytes = 0
  /** The last line of an action, which is often repeated. */
  private last: { readonly line: Buffer; readonly announced: Announced } | undefined
  /** The action whose document is being read. */
  private announced: Announced | undefined
  /** The part of the document that was read: blanks, an opening brace after which an id was added, or more. */
  private read: 'blanks' | 'brace' | 'more' = 'blanks'

  constructor(options: DocumentOptions) {
    this.options = options
  }

  /** Reads the next bytes of the body, and returns the documents in them. */
  push(bytes: Buffer): readonly BatchPiece[] {
    this.pieceBytes = bytes.length
    for (let at = 0; at < bytes.length; ) {
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

  /** Returns the last documents. Throws a `RefusedError` when the body ends before a document, or has no actions. */
  end(): readonly BatchPiece[] {
    if (this.begunBytes > 0) this.readAction(NOTHING, 0, 0)
    if (this.announced !== undefined) {
      if (this.read === 'blanks') throw malformedAction(this.line, 'a document expected')
      this.endDocument()
    }
    if (this.items.count === 0) {
      throw new RefusedError('invalid-request', 'The request body has no actions.')
    }
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
      return this.readAction(whole, 0, whole.length)
    }
    if (end - start > MAX_ACTION_BYTES) throw this.tooLong()
    const announced = this.announcement(bytes, start, end)
    if (announced === undefined) return
    if (this.items.count === MAX_ACTIONS) throw tooManyActions()
    if (announced.target !== undefined) announced.target.bodyBytes += end + 1 - start
    this.announced = announced
    this.read = 'blanks'
    if (announced.action.name === 'delete') this.endDocument()
  }

  /** Returns what a line announces; undefined for a blank one. */
  private announcement(bytes: Buffer, start: number, end: number): Announced | undefined {
    const { last } = this
    if (last?.line.length === end - start && last.line.compare(bytes, start, end) === 0) {
      return last.announced
    }
    const text = bytes.toString('utf8', start, end).replace(BYTE_ORDER_MARK, '')
    if (text.trim() === '') return undefined
    const announced = this.announce(parseAction(text, this.line))
    this.last = { line: Buffer.from(bytes.subarray(start, end)), announced }
    return announced
  }

  private announce(action: Action): Announced {
    const { name } = action
    if (name === 'update' || name === 'delete') {
      return { action, index: action.index ?? '', error: UNSUPPORTED[name] }
    }
    const dataset = this.options.datasetOf(action.index)
    const index = action.index ?? dataset
    if (!isDatasetName(dataset)) return { action, index, error: invalidIndex(dataset) }
    return { action, index, target: this.targetOf(dataset) }
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

  /** Copies bytes of a document, after its id: documents of Elasticsearch don't contain their id. */
  private readDocument(bytes: Buffer, start: number, end: number): void {
    const { target, action } = this.announced ?? {}
    if (target === undefined) return
    target.bodyBytes += end + 1 - start
    let at = this.read === 'more' ? start : firstSign(bytes, start, end)
    if (at === end) return
    const writer = this.writerOf(target)
    if (this.read === 'blanks') {
      const isObject = bytes[at] === OPENING_BRACE
      this.read = isObject && action?.id !== undefined ? 'brace' : 'more'
      if (this.read === 'brace') {
        writer.addText(`{"_id":${JSON.stringify(action?.id)}`)
        at = firstSign(bytes, at + 1, end)
        if (at === end) return
      }
    }
    if (this.read === 'brace') {
      if (bytes[at] !== CLOSING_BRACE) writer.addText(',')
      this.read = 'more'
    }
    writer.addBytes(bytes, at, end)
  }

  private endDocument(): void {
    const { action, index, target, error } = this.announced as Announced
    this.announced = undefined
    const item = { action: action.name, index }
    if (target === undefined) {
      this.items.add({ ...item, ...(error && { error }) })
    } else if (this.read === 'blanks') {
      this.items.add({ ...item, error: NO_DOCUMENT })
    } else {
      this.writerOf(target).addLineFeed()
      this.items.add({ ...item, batch: target.batch })
    }
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

function firstSign(bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && isBlank(bytes[at]!)) at += 1
  return at
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d
}

function invalidIndex(name: string): ItemError {
  return { status: 400, type: 'invalid_index_name_exception', reason: datasetNameError(name) }
}

function unsupported(action: string): ItemError {
  const reason = `\`${action}\` is not supported: stored events don't change. Use \`index\` or \`create\`.`
  return { status: 400, type: 'illegal_argument_exception', reason }
}

function tooManyActions(): RefusedError {
  return new RefusedError(
    'too-large',
    `The request has more than ${formatInteger(MAX_ACTIONS)} actions: none of the events were stored. Send several smaller requests.`,
  )
}
