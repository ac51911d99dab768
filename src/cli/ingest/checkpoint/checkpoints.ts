import { createHash, randomUUID } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Batch, InputEnd, UnsendableEvent } from '../../../input/batch.js'
import { inputLabel } from '../../../input/error.js'
import type { OpenInput } from '../../../input/open.js'
import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import { stateDirectory } from '../../file/home-directory.js'
import type { Settings } from '../../settings/settings.js'
import type { IngestOptions } from '../option/options.js'
import { fixedFlags } from '../option/reading-flags.js'
import type { Reporter } from '../report/reporter.js'
import type { BatchOutcome } from '../send/outcome.js'
import { Checkpoint } from './checkpoint.js'
import type { Head } from './entry.js'
import { CheckpointFileError } from './journal.js'

interface CheckpointsOptions {
  /** The directory of automatic checkpoints of regular files; `undefined` when there are no checkpoints. */
  readonly directory: string | undefined
  /** The path in `--checkpoint`, which is for a single input. */
  readonly file: string | undefined
  readonly deployment: () => Promise<string>
  readonly dataset: string
  readonly options: Head['options']
  readonly keepsRejects: boolean
  readonly replaces: boolean
  /** True when the events go to the local service, which stores a batch once. */
  readonly isLocal: boolean
  note(text: string): void
}

interface OpenCheckpoint {
  readonly path: string
  readonly checkpoint: Checkpoint
  readonly closed: Promise<void>
  close(): void
}

/** The checkpoints of a run: one per regular file, unless they are off. */
export class IngestCheckpoints implements Reporter {
  private readonly options: CheckpointsOptions
  /** The open checkpoints by the name of the input. */
  private readonly openCheckpoints = new Map<string, OpenCheckpoint>()
  private readonly ids = new WeakMap<Batch, string>()
  private isDisabled = false

  constructor(options: CheckpointsOptions) {
    this.options = options
  }

  get isLocal(): boolean {
    return this.options.isLocal
  }

  /** Opens and locks the checkpoint of an input; resolves to `undefined` when the input has no checkpoint. */
  async open(opened: OpenInput, file: string): Promise<Checkpoint | undefined> {
    const { directory, file: only, deployment, dataset, options } = this.options
    const { keepsRejects, replaces, note } = this.options
    const isResumable =
      only !== undefined || (directory !== undefined && !opened.isLive && file !== '-')
    if (!isResumable && replaces) throw notReplaceable(opened.name)
    if (!isResumable || this.isDisabled) return undefined
    const head = {
      deployment: await deployment(),
      dataset,
      input: file === '-' ? opened.name : await this.pathOf(file),
      options,
    }
    const path = only ?? join(directory ?? '', checkpointName(head))
    // A file that is named twice, or was rotated, may still have batches in flight.
    await [...this.openCheckpoints.values()].find((kept) => kept.path === path)?.closed
    try {
      const checkpoint = await Checkpoint.open({ path, head, opened, keepsRejects, replaces })
      this.add(opened.name, { path, checkpoint })
      return checkpoint
    } catch (error) {
      if (!(error instanceof CheckpointFileError) || only !== undefined || replaces) throw error
      this.isDisabled = true
      note(error.message)
      return undefined
    }
  }

  /** Returns the absolute path of an input. With `--checkpoint`, links are not resolved: they may refer to another file later. */
  private async pathOf(file: string): Promise<string> {
    return this.options.file === undefined ? await realpath(file) : resolve(file)
  }

  /** True when the same command resumes the input. */
  isResumable(input: string): boolean {
    return this.openCheckpoints.has(input)
  }

  /** Assigns a batch the id that the same events had before. */
  reuseId(batch: Batch, id: string): void {
    this.ids.set(batch, id)
  }

  /** Returns the id assigned to a batch; `undefined` when it is new. */
  idOf(batch: Batch): string | undefined {
    return this.ids.get(batch)
  }

  async sending(batch: Batch, batchId: string): Promise<void> {
    this.of(batch)?.sending(batch, batchId)
  }

  async sendingPart(batch: Batch, id: string): Promise<void> {
    this.of(batch)?.sendingPart(id)
  }

  async settled(outcome: BatchOutcome): Promise<void> {
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

  /** Records that no more of an input is read. */
  finishReading({ name }: OpenInput): void {
    this.openCheckpoints.get(name)?.checkpoint.finishReading()
    this.closeIfDone(name)
  }

  async close(): Promise<void> {
    for (const input of [...this.openCheckpoints.keys()]) this.closeOf(input)
  }

  private of({ input }: { readonly input: string }): Checkpoint | undefined {
    return this.openCheckpoints.get(input)?.checkpoint
  }

  private add(input: string, kept: Pick<OpenCheckpoint, 'path' | 'checkpoint'>): void {
    let close = () => {}
    const closed = new Promise<void>((resolve) => {
      close = resolve
    })
    this.openCheckpoints.set(input, { ...kept, closed, close })
  }

  private closeIfDone(input: string): void {
    if (this.openCheckpoints.get(input)?.checkpoint.isDone) this.closeOf(input)
  }

  private closeOf(input: string): void {
    const kept = this.openCheckpoints.get(input)
    if (kept === undefined) return
    this.openCheckpoints.delete(input)
    try {
      kept.checkpoint.close()
    } finally {
      kept.close()
    }
  }
}

function notReplaceable(input: string): CommandError {
  return new CommandError(
    `${inputLabel(input)} is not a regular file. \`--replace\` takes files, because only they have checkpoints that list what was stored.`,
  )
}

/** Returns the name of an automatic checkpoint's file. */
export function checkpointName(head: Omit<Head, 'kind' | 'version'>): string {
  const key = JSON.stringify([head.deployment, head.dataset, head.input])
  return `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.ndjson`
}

/** Creates the checkpoints that the flags request: automatic checkpoints, a single file, or no checkpoints. */
export function openCheckpoints(
  options: IngestOptions,
  { settings, context }: { readonly settings: Settings; readonly context: Context },
): IngestCheckpoints {
  const { checkpoint, dataset } = options
  const isOff = checkpoint === false
  return new IngestCheckpoints({
    directory: isOff ? undefined : checkpointDirectory(context.io.env),
    file: typeof checkpoint === 'string' ? resolve(checkpoint) : undefined,
    deployment: once(() => deploymentOf(settings)),
    dataset,
    options: fixedFlags(options),
    isLocal: settings.url === undefined,
    keepsRejects: options.rejects !== undefined,
    replaces: options.replace === true,
    note: (text) => context.warn(text),
  })
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

export function checkpointDirectory(env: Readonly<Record<string, string | undefined>>): string {
  return join(stateDirectory(env), 'checkpoints')
}

/** Returns a string that identifies the destination. A data directory that was deleted and created again is another destination. */
export async function deploymentOf(settings: Settings): Promise<string> {
  const { url, ingestUrl = url, organizationId, dataDirectory } = settings
  if (ingestUrl !== undefined) {
    const address = new URL(ingestUrl).href.replace(/\/+$/, '')
    return organizationId === undefined ? address : `${address} (${organizationId})`
  }
  const { directoryId } = await import('../../../local/directory-id.js')
  const id = await directoryId(dataDirectory)
  return `${await realpath(dataDirectory)} (${id})`
}

/**
 * Returns a generator of unique batch ids, numbered for each input; a batch that an earlier run sent keeps its id.
 */
export function batchIds(checkpoints: IngestCheckpoints): (batch: Batch) => string {
  const last = new Map<string, { readonly prefix: string; number: number }>()
  return (batch) => {
    const known = checkpoints.idOf(batch)
    if (known !== undefined) return known
    const { input } = batch
    const id = last.get(input) ?? { prefix: randomUUID(), number: 0 }
    last.set(input, id)
    id.number += 1
    return `${id.prefix}-${id.number}`
  }
}
