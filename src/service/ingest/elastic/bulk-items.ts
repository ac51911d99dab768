import { randomBytes } from 'node:crypto'
import { StoreError } from '../../../engine/store-error.js'
import type { Steps } from '../../../wire/steps/steps.js'
import type { BatchResult } from '../protocol.js'
import type { ElasticError } from './error.js'
import type { PathFilter } from './filter-path.js'

/** The response to an action of a bulk request. */
export interface Item {
  readonly action: string
  readonly index: string
  readonly id?: string | undefined
  /** The batch of its document; undefined when the action was rejected. */
  readonly batch?: object
  readonly error?: ItemError
}

export interface ItemError extends ElasticError {
  readonly status: number
}

/** Consecutive actions with the same response, except for documents that the store rejects. */
interface Run extends Item {
  count: number
}

const STEP_ITEMS = 100

/** The items of the response to a bulk request, in the order of its actions. */
export class BulkItems {
  private readonly runs: Run[] = []
  /** The number of actions. */
  count = 0
  /** The number of actions that were rejected before they reached the store. */
  rejected = 0

  add(item: Item): void {
    this.count += 1
    if (item.error !== undefined) this.rejected += 1
    const last = this.runs.at(-1)
    if (last !== undefined && isSame(last, item)) last.count += 1
    else this.runs.push({ ...item, count: 1 })
  }

  /** Returns the text of the response, given the result of each batch, in steps of some items. */
  *encode(
    results: ReadonlyMap<object, BatchResult>,
    { tookMs, keeps }: { readonly tookMs: number; readonly keeps: PathFilter },
  ): Steps<string> {
    const errors = new Map([...results].map(([batch, result]) => [batch, documentErrors(result)]))
    const texts = new Map<string, ItemText>()
    const items: string[] = []
    // As in Elasticsearch, which generates the ids that are missing: its older Java client requires an id in each item.
    const prefix = newId()
    let hasErrors = false
    let encoded = 0
    for (const run of this.runs) {
      // Consecutive documents may be for different indices, so that there are as many runs as actions.
      const kind = `${run.action} ${run.index}`
      const text = texts.get(kind) ?? itemText(run, keeps)
      texts.set(kind, text)
      const stored = text(201)?.split(ID)
      for (let i = 0; i < run.count; i++) {
        const error = run.error ?? errors.get(run.batch ?? run)?.()
        if (error !== undefined) hasErrors = true
        const item = error === undefined ? stored : text(error.status, error)?.split(ID)
        const id = run.id === undefined ? `"${prefix}${encoded}"` : JSON.stringify(run.id)
        if (item !== undefined) items.push(item.join(id))
        encoded += 1
        if (encoded % STEP_ITEMS === 0) yield
      }
    }
    return members([
      keeps(['took']) && `"took":${tookMs}`,
      keeps(['errors']) && `"errors":${hasErrors}`,
      // As in Elasticsearch, a list that is empty because of the filter is absent.
      items.length > 0 && `"items":[${items.join(',')}]`,
    ])
  }
}

function isSame(run: Run, { action, index, id, batch, error }: Item): boolean {
  const isSameAction = run.action === action && run.index === index && run.id === id
  return isSameAction && run.batch === batch && run.error === error
}

/** Returns a function that returns the error of the next document of a batch; undefined when it is stored. */
function documentErrors(result: BatchResult): () => ItemError | undefined {
  if (result instanceof StoreError) {
    const error = storeError(result)
    return () => error
  }
  let passed = 0
  let document = 0
  return () => {
    const index = document
    document += 1
    const first = result.rejected[passed]
    if (first?.index !== index) return undefined
    passed += 1
    return { status: 400, type: 'document_parsing_exception', reason: first.reason }
  }
}

/** The status and type of an item by the reason of the failure. Clients resend documents with status 429, and drop others. */
const STORE_ERRORS = {
  'disk-full': { status: 429, type: 'es_rejected_execution_exception' },
  unavailable: { status: 429, type: 'es_rejected_execution_exception' },
  failed: { status: 500, type: 'exception' },
  removed: { status: 400, type: 'illegal_argument_exception' },
  'too-many-lines': { status: 413, type: 'content_too_long_exception' },
} as const

function storeError({ reason, message }: StoreError): ItemError {
  return { ...STORE_ERRORS[reason], reason: message }
}

/** Returns an id of 20 characters, as Elasticsearch generates for events without one. */
export function newId(): string {
  return randomBytes(15).toString('base64url')
}

/** These stand for the reason and the id in the text of an item: no other part of it contains the characters. */
const REASON = '\u0000'
const ID = '\u0001'

/** Encodes an item. Returns undefined when the client wants no member of the item. */
type ItemText = (status: number, error?: ElasticError) => string | undefined

function itemText(item: Item, keeps: PathFilter): ItemText {
  const templates = new Map<string, readonly string[]>()
  // Hundreds of thousands of items may differ only in their reasons.
  return (status, error) => {
    const kind = `${status} ${error?.type}`
    const parts = templates.get(kind) ?? template({ item, status, error }, keeps).split(REASON)
    templates.set(kind, parts)
    const [head, tail] = parts
    return tail === undefined ? head || undefined : head + JSON.stringify(error?.reason) + tail
  }
}

/** Returns the text of an item, with `REASON` for the reason and `ID` for the id; empty when the client wants no member of the item. */
function template(
  about: {
    readonly item: Item
    readonly status: number
    readonly error: ElasticError | undefined
  },
  keeps: PathFilter,
): string {
  const { item, status, error } = about
  const { action, index } = item
  const wants = (...path: readonly string[]): boolean => keeps(['items', action, ...path])
  const errorText = members([
    error !== undefined && wants('error', 'type') && `"type":${JSON.stringify(error.type)}`,
    error !== undefined && wants('error', 'reason') && `"reason":${REASON}`,
  ])
  const text = members([
    wants('_index') && `"_index":${JSON.stringify(index)}`,
    wants('_type') && '"_type":"_doc"',
    wants('_id') && `"_id":${ID}`,
    error === undefined && wants('_version') && '"_version":1',
    error === undefined && wants('result') && '"result":"created"',
    wants('status') && `"status":${status}`,
    errorText !== '{}' && `"error":${errorText}`,
  ])
  return text === '{}' ? '' : `{"${action}":${text}}`
}

function members(list: readonly (string | false)[]): string {
  return `{${list.filter(Boolean).join(',')}}`
}
