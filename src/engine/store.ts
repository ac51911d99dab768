import type { Schema } from '../apl/schema.js'
import type { Layout } from '../sql/layout.js'
import type { Sql } from '../sql/sql.js'
import type { EngineResult, ReadLimits } from './engine.js'

/** The datasets of one data directory: their fields, storing events, reading them. */
export interface Store {
  /** The datasets and fields there are now. */
  readonly schema: Schema
  /** A folder for request bodies, on the same file system as the data. */
  readonly spool: string
  layout(dataset: string): Layout | undefined
  /** Stores the events of a file of JSON lines; resolves when they are durable and visible. */
  ingest(batch: Batch): Promise<Stored>
  read(query: Sql, limits: ReadLimits): Promise<EngineResult>
  /** Finishes what is being stored and lets go of the directory. */
  close(): Promise<void>
}

/** Events to store: a file in the spool, one JSON object a line. */
export interface Batch {
  readonly dataset: string
  readonly file: string
  /** Nanoseconds since 1970. */
  readonly arrivedAt: bigint
  /** The field that holds an event's time: `_time` unless the sender says otherwise. */
  readonly timestampField: string
  /** The sender's name for the batch: under one name it is stored once, however often it comes. */
  readonly batchId?: string
}

/** What became of a batch. */
export interface Stored {
  readonly ingested: number
  readonly rejected: readonly Rejected[]
  readonly blocksCreated: number
}

/** An event that was not stored. */
export interface Rejected {
  /** Its position among the events, from 0. */
  readonly index: number
  /** Its physical line, from 1. */
  readonly line: number
  readonly reason: string
}

/** A batch that could not be stored, none of it; the message is for users. */
export class StoreError extends Error {
  readonly reason: 'disk-full' | 'failed'

  constructor(options: { reason: 'disk-full' | 'failed'; message: string; cause?: unknown }) {
    super(options.message, { cause: options.cause })
    this.name = 'StoreError'
    this.reason = options.reason
  }
}

/** Opens the datasets of a directory; the caller makes sure that no other process has it open. */
export async function openStore(options: { directory: string; now(): bigint }): Promise<Store> {
  throw new StoreError({ reason: 'failed', message: `not built yet: ${options.directory}` })
}
