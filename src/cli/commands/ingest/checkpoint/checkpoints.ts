import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Batch, InputEnd, UnsendableEvent } from '../../../../input/batch.js'
import type { OpenInput } from '../../../../input/open.js'
import type { Account, Outcome } from '../report/account.js'
import { Checkpoint } from './checkpoint.js'
import type { Head } from './entry.js'
import { UnkeptError } from './journal.js'

interface CheckpointsOptions {
  /** Where those of regular files are kept; undefined when none is. */
  readonly directory: string | undefined
  /** Where that of the only input is kept, whatever it is. */
  readonly file: string | undefined
  /** What tells this deployment from all others. */
  readonly deployment: () => Promise<string>
  readonly dataset: string
  readonly options: Head['options']
  readonly handsOver: boolean
  /** Whether the events go to the local service, which stores a batch once. */
  readonly isLocal: boolean
  note(text: string): void
}

interface Kept {
  readonly path: string
  readonly checkpoint: Checkpoint
  readonly closed: Promise<void>
  close(): void
}

/** The checkpoints of a run: one for each regular file that is read, unless there is to be none. */
export class IngestCheckpoints implements Account {
  private readonly options: CheckpointsOptions
  /** By the input's name. */
  private readonly kept = new Map<string, Kept>()
  private readonly ids = new WeakMap<Batch, string>()
  private isUnkept = false

  constructor(options: CheckpointsOptions) {
    this.options = options
  }

  get areOfLocalService(): boolean {
    return this.options.isLocal
  }

  /** The checkpoint of an input, which nobody else has in hand; undefined when none is kept of it. */
  async open(opened: OpenInput, file: string): Promise<Checkpoint | undefined> {
    const { directory, file: only, deployment, dataset, options, handsOver, note } = this.options
    const isKept = only !== undefined || (directory !== undefined && !opened.isLive && file !== '-')
    if (!isKept || this.isUnkept) return undefined
    const head = {
      deployment: await deployment(),
      dataset,
      input: file === '-' ? opened.name : await realpath(file),
      options,
    }
    const path = only ?? join(directory ?? '', `${nameOf(head)}.ndjson`)
    // A file that is named twice, or was followed to its end, may still have batches under way.
    await [...this.kept.values()].find((kept) => kept.path === path)?.closed
    try {
      const checkpoint = await Checkpoint.open({ path, head, opened, handsOver })
      this.keep(opened.name, { path, checkpoint })
      return checkpoint
    } catch (error) {
      if (!(error instanceof UnkeptError) || only !== undefined) throw error
      this.isUnkept = true
      note(error.message)
      return undefined
    }
  }

  /** Whether the same command would go on where this run leaves the input. */
  isKept(input: string): boolean {
    return this.kept.has(input)
  }

  /** Lets a batch go out under the id that the same events had before. */
  sendAgain(batch: Batch, id: string): void {
    this.ids.set(batch, id)
  }

  /** The id that a batch has to have. */
  idOf(batch: Batch): string | undefined {
    return this.ids.get(batch)
  }

  async sending(batch: Batch, batchId: string): Promise<void> {
    this.of(batch)?.sending(batch, batchId)
  }

  async settled(outcome: Outcome): Promise<void> {
    const { input } = outcome.batch
    this.of(outcome.batch)?.settled(outcome)
    this.closeIfDone(input)
  }

  async unsendable(event: UnsendableEvent): Promise<void> {
    this.of(event)?.unsendable(event)
  }

  async ended(end: InputEnd): Promise<void> {
    this.of(end)?.ended(end)
  }

  /** Nothing more of an input will be read. */
  leave({ name }: OpenInput): void {
    this.kept.get(name)?.checkpoint.leave()
    this.closeIfDone(name)
  }

  async close(): Promise<void> {
    for (const input of [...this.kept.keys()]) this.closeOf(input)
  }

  private of({ input }: { readonly input: string }): Checkpoint | undefined {
    return this.kept.get(input)?.checkpoint
  }

  private keep(input: string, kept: Pick<Kept, 'path' | 'checkpoint'>): void {
    let close = () => {}
    const closed = new Promise<void>((resolve) => {
      close = resolve
    })
    this.kept.set(input, { ...kept, closed, close })
  }

  private closeIfDone(input: string): void {
    if (this.kept.get(input)?.checkpoint.isDone) this.closeOf(input)
  }

  private closeOf(input: string): void {
    const kept = this.kept.get(input)
    if (kept === undefined) return
    this.kept.delete(input)
    try {
      kept.checkpoint.close()
    } finally {
      kept.close()
    }
  }
}

function nameOf({ deployment, dataset, input }: Omit<Head, 'kind' | 'version'>): string {
  const key = JSON.stringify([deployment, dataset, input])
  return createHash('sha256').update(key).digest('hex').slice(0, 32)
}
