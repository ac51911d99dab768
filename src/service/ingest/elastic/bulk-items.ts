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

const STEP_ITEMS = 100

/** The items of the response to a bulk request, in the order of its actions. */
export class BulkItems {
  private readonly all: Item[] = []
  /** The number of actions that were rejected before they reached the store. */
  rejected = 0

  add(item: Item): void {
    this.all.push(item)
    if (item.error !== undefined) this.rejected += 1
  }

  /** The number of actions. */
  get count(): number {
    return this.all.length
  }

  /** Returns the text of the response, given the result of each batch, in steps of some items. */
  *encode(
    results: ReadonlyMap<object, BatchResult>,
    { tookMs, keeps }: { readonly tookMs: number; readonly keeps: PathFilter },
  ): Steps<string> {
    const errors = new Map([...results].map(([batch, result]) => [batch, documentErrors(result)]))
    // Items may differ only in their ids and reasons.
    const templates = new Map<string, readonly string[]>()
    const partsOf = (item: Item, error: ItemError | undefined): readonly string[] => {
      const kind = `${item.action} ${item.index} ${error?.status} ${error?.type}`
      const template = templates.get(kind) ?? templateOf(item, { error, keeps }).split(ID)
      templates.set(kind, template)
      if (error === undefined) return template
      return template.map((part) => part.replace(REASON, () => JSON.stringify(error.reason)))
    }
    const items: string[] = []
    // As in Elasticsearch, which generates the ids that are missing: its older Java client requires an id in each item.
    const prefix = newId()
    let hasErrors = false
    let last: Item | undefined
    let parts: readonly string[] = []
    for (let i = 0; i < this.all.length; i++) {
      const item = this.all[i]!
      const error = item.error ?? errors.get(item.batch ?? item)?.()
      if (error !== undefined) hasErrors = true
      if (error !== undefined || item !== last) parts = partsOf(item, error)
      last = error === undefined ? item : undefined
      const id = item.id === undefined ? `"${prefix}${i}"` : JSON.stringify(item.id)
      if (parts[0] !== '') items.push(parts.join(id))
      if (i % STEP_ITEMS === 0) yield
    }
    return members([
      keeps(['took']) && `"took":${tookMs}`,
      keeps(['errors']) && `"errors":${hasErrors}`,
      // As in Elasticsearch, a list that is empty because of the filter is absent.
      items.length > 0 && `"items":[${items.join(',')}]`,
    ])
  }
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
  'invalid-lines': { status: 400, type: 'mapper_parsing_exception' },
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

/** Returns the text of an item, with `REASON` for the reason and `ID` for the id; empty when the client wants no member of the item. */
function templateOf(
  { action, index }: Item,
  { error, keeps }: { readonly error: ItemError | undefined; readonly keeps: PathFilter },
): string {
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
    wants('status') && `"status":${error?.status ?? 201}`,
    errorText !== '{}' && `"error":${errorText}`,
  ])
  return text === '{}' ? '' : `{"${action}":${text}}`
}

function members(list: readonly (string | false)[]): string {
  return `{${list.filter(Boolean).join(',')}}`
}
