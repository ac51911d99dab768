import { CLOSE_BRACE, isBlank, LINE_FEED, OPEN_BRACE } from '../../../text/bytes.js'
import { formatInteger } from '../../../text/integer.js'
import { ByteWriter } from '../../../wire/bytes/byte-writer.js'
import { datasetNameError, isDatasetName } from '../../../wire/http/dataset-name.js'
import { spaceEnd } from '../../../wire/json/json-bytes.js'
import { invalidRequest, type RefusedError, requestTooLarge } from '../../refused-error.js'
import type { BatchPiece, DecodedBatch } from '../protocol.js'
import { type Action, malformedAction, parseAction } from './action.js'
import { BulkItems, type Item, type ItemError } from './bulk-items.js'

/** The maximum number of actions in a request: the response has an item for each. */
const MAX_ACTIONS = 200_000

/** The maximum number of indices that the actions of a request may name. */
const MAX_INDICES = 1_000

const MAX_ACTION_BYTES = 64 * 1024

const BYTE_ORDER_MARK = /^\ufeff/
/** The size of the part of a body whose documents are passed on together. */
const PIECE_BYTES = 64 * 1024

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
  /** The documents that no piece has yet. */
  writer: ByteWriter | undefined
  bodyBytes: number
}

/** An action, and the item of its response unless its document is empty. An action without a target is rejected. */
interface Announced {
  readonly action: Action
  readonly target?: Target
  readonly item: Item
}

/** A line, and the action that it announces; undefined for a blank line. */
interface ReadAction {
  readonly line: Buffer
  readonly announced: Announced | undefined
}

/** A range of bytes. */
interface Bytes {
  readonly bytes: Buffer
  readonly from: number
  readonly to: number
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
  /** The last action: actions are often repeated. */
  private last: ReadAction | undefined

  constructor(options: DocumentOptions) {
    this.options = options
  }

  /** Yields the documents of a body. Throws a `RefusedError` when the body ends before a document, or has no actions. */
  *decode(body: Buffer): Generator<BatchPiece, void> {
    let line = 0
    let pieceAt = 0
    for (let at = 0; at < body.length; ) {
      const actionAt = at
      const repeated = this.repeatedAction(body, actionAt)
      at = repeated === undefined ? lineEnd(body, actionAt) : actionAt + repeated.line.length
      line += 1
      const { announced } = repeated ?? this.readAction(body.subarray(actionAt, at), line)
      if (announced === undefined) continue
      if (this.items.count === MAX_ACTIONS) throw tooManyActions()
      const { action, target } = announced
      const documentAt = at
      if (action.name !== 'delete') {
        at = lineEnd(body, documentAt)
        line += 1
        const isEnded = at > documentAt && body[at - 1] === LINE_FEED
        if (!isEnded && isBlank(body, documentAt, at)) {
          throw malformedAction(line, 'a document expected')
        }
      }
      if (target !== undefined) target.bodyBytes += at - actionAt
      this.addDocument(announced, { bytes: body, from: documentAt, to: at })
      if (at - pieceAt < PIECE_BYTES) continue
      yield* this.pieces()
      pieceAt = at
    }
    if (this.items.count === 0) throw invalidRequest('The request body has no actions.')
    yield* this.pieces()
  }

  /** Returns the last action when its line is repeated at a position. */
  private repeatedAction(body: Buffer, at: number): ReadAction | undefined {
    const { last } = this
    if (last === undefined) return undefined
    const { line } = last
    for (let i = 0; i < line.length; i++) if (body[at + i] !== line[i]) return undefined
    return last
  }

  private readAction(line: Buffer, number: number): ReadAction {
    if (line.length > MAX_ACTION_BYTES) throw tooLong(number)
    const text = line.toString().replace(BYTE_ORDER_MARK, '')
    const isAction = text.trim() !== ''
    this.last = { line, announced: isAction ? this.announce(parseAction(text, number)) : undefined }
    return this.last
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

  private addDocument({ action, target, item }: Announced, document: Bytes): void {
    if (target === undefined) this.items.add(item)
    else if (spaceEnd(document.bytes, document.from) >= document.to) {
      this.items.add({ ...item, batch: undefined, error: NO_DOCUMENT })
    } else {
      target.writer ??= new ByteWriter(Math.ceil(PIECE_BYTES / this.targets.size))
      writeDocument(document, { id: action.id, writer: target.writer })
      this.items.add(item)
    }
  }

  private *pieces(): Generator<BatchPiece, void> {
    for (const target of this.targets.values()) {
      const { batch, writer, bodyBytes } = target
      if (writer === undefined) continue
      this.batches.add(batch)
      yield { batch, lines: writer.written, bodyBytes }
      target.writer = undefined
      target.bodyBytes = 0
    }
  }
}

/** Writes a document as a line, and inserts the id of its action, which documents of Elasticsearch don't contain. */
export function writeDocument(
  { bytes, from, to }: Bytes,
  { id, writer }: { readonly id: string | undefined; readonly writer: ByteWriter },
): void {
  const end = bytes[to - 1] === LINE_FEED ? to - 1 : to
  let at = spaceEnd(bytes, from)
  if (id !== undefined && bytes[at] === OPEN_BRACE) {
    at = spaceEnd(bytes, at + 1)
    writer.addText(`{"_id":${JSON.stringify(id)}${bytes[at] === CLOSE_BRACE ? '' : ','}`)
  }
  writer.addBytes(bytes, Math.min(at, end), end)
  writer.addLineFeed()
}

/** Returns the position after the line that begins at a position. */
function lineEnd(bytes: Buffer, from: number): number {
  const lineFeed = bytes.indexOf(LINE_FEED, from)
  return lineFeed === -1 ? bytes.length : lineFeed + 1
}

function tooLong(line: number): RefusedError {
  return malformedAction(line, `it has more than ${formatInteger(MAX_ACTION_BYTES)} bytes`)
}

function invalidIndex(name: string): ItemError {
  return { status: 400, type: 'invalid_index_name_exception', reason: datasetNameError(name) }
}

function unsupported(action: string): ItemError {
  const reason = `\`${action}\` is not supported: stored events don't change. Use \`index\` or \`create\`.`
  return { status: 400, type: 'illegal_argument_exception', reason }
}

function tooManyIndices(): RefusedError {
  return requestTooLarge(
    `The actions of the request name more than ${formatInteger(MAX_INDICES)} indices`,
  )
}

function tooManyActions(): RefusedError {
  return requestTooLarge(`The request has more than ${formatInteger(MAX_ACTIONS)} actions`)
}

/** The date at the end of indices that are created per month, day or hour. Micrometer, Jaeger and Logback use hyphens in it. */
const DATE = /[-_]\d{4}([.-])\d{2}(?:\1\d{2}){0,2}$/

/** Returns the dataset for an index, without its date: indices per day such as `logs-2026.01.31` are one dataset, `logs`. */
export function datasetOfIndex(index: string): string {
  return index.replace(DATE, '')
}
