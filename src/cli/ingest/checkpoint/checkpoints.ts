import { hash, randomUUID } from 'node:crypto'
import { closeSync, existsSync, realpathSync } from 'node:fs'
import { realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Batch, InputEnd, UnsendableEvent } from '../../../input/batch.js'
import { inputLabel } from '../../../input/error.js'
import { isSameFile, type OpenInput } from '../../../input/open.js'
import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import { stateDirectory } from '../../file/home-directory.js'
import type { Settings } from '../../settings/settings.js'
import type { IngestOptions } from '../option/options.js'
import { fixedFlags } from '../option/reading-flags.js'
import type { Reporter } from '../report/reporter.js'
import type { BatchOutcome } from '../send/outcome.js'
import { type Checkpoint, openCheckpoint } from './checkpoint.js'
import type { Head } from './entry.js'
import { CheckpointFileError, openJournal, writeEntries } from './journal.js'
import { isSameDestination } from './mismatch.js'
import { rotatedFileOf } from './rotation.js'
import { type SentFiles, sentFiles } from './sent-files.js'
import { CheckpointState } from './state.js'

/** The checkpoints of a run: automatic ones, one per regular file; a single file; or none. */
export class IngestCheckpoints implements Reporter {
  private readonly flags: IngestOptions
  private readonly settings: Settings
  private readonly context: Context
  /** The path of the only checkpoint, if the flags name it. */
  private readonly only: string | undefined
  /** The directory of automatic checkpoints; undefined without any. */
  private readonly directory: string | undefined
  private readonly sent: SentFiles | undefined
  private deployment: Promise<string> | undefined
  /** The open checkpoints by the name of the input. */
  private readonly inUse = new Map<string, Checkpoint>()
  private readonly ids = new WeakMap<Batch, string>()
  private readonly lastIds = new Map<string, { readonly prefix: string; number: number }>()
  private isDisabled = false

  constructor(
    flags: IngestOptions,
    { settings, context }: { readonly settings: Settings; readonly context: Context },
  ) {
    const { checkpoint } = flags
    this.flags = flags
    this.settings = settings
    this.context = context
    this.only = typeof checkpoint === 'string' ? resolve(checkpoint) : undefined
    const isAutomatic = checkpoint !== false && this.only === undefined
    this.directory = isAutomatic ? checkpointDirectory(context.io.env) : undefined
    this.sent = this.directory === undefined ? undefined : sentFiles(this.directory)
  }

  /** True when the events go to the local service, which stores a batch once. */
  get isLocal(): boolean {
    return this.settings.url === undefined
  }

  /** True when regular files have checkpoints. */
  get areUsed(): boolean {
    return (this.only ?? this.directory) !== undefined && !this.isDisabled
  }

  /** Opens and locks the checkpoint of an input; resolves to `undefined` when the input has no checkpoint. */
  async open(opened: OpenInput, file: string): Promise<Checkpoint | undefined> {
    const { rejects, replace } = this.flags
    const replaces = replace === true
    const isResumable = this.mayHaveCheckpoint(opened, file)
    if (!isResumable && replaces) throw notReplaceable(opened.name)
    if (!isResumable || this.isDisabled) return undefined
    const { path, head } = await this.placeOf(opened, file)
    await this.closedAt(path)
    if (opened.file !== undefined) this.sent?.add(opened.file, head, path)
    try {
      // A rejects file keeps events that could not be sent, so that a later run does not send them again.
      const keepsRejects = rejects !== undefined
      const checkpoint = await openCheckpoint({ path, head, opened, keepsRejects, replaces })
      this.inUse.set(opened.name, checkpoint)
      return checkpoint
    } catch (error) {
      if (!(error instanceof CheckpointFileError) || this.only !== undefined || replaces)
        throw error
      this.isDisabled = true
      this.context.warn(error.message)
      return undefined
    }
  }

  /** True when an earlier run left a checkpoint of an input. */
  async isKnown(opened: OpenInput, file: string): Promise<boolean> {
    return (
      this.mayHaveCheckpoint(opened, file) && existsSync((await this.placeOf(opened, file)).path)
    )
  }

  private mayHaveCheckpoint({ isLive }: OpenInput, file: string): boolean {
    const isAutomatic = this.directory !== undefined && !isLive && file !== '-'
    return this.only !== undefined || isAutomatic
  }

  private async placeOf({ name }: OpenInput, file: string) {
    const input = file === '-' ? name : inputPath(file)
    this.deployment ??= deploymentOf(this.settings)
    const subject = { deployment: await this.deployment, dataset: this.flags.dataset, input }
    const options = fixedFlags(this.flags)
    const head: Head = { kind: 'checkpoint', version: 1, ...subject, options }
    return { path: this.only ?? join(this.directory ?? '', checkpointName(head)), head }
  }

  /** Resolves when no checkpoint at a path is open: a file that is named twice, or was rotated, may have batches in flight. */
  private async closedAt(path: string): Promise<void> {
    await [...this.inUse.values()].find((one) => one.path === path)?.closed.promise
  }

  /**
   * Keeps a copy of a checkpoint whose file was renamed, or copied and truncated, before another file is sent. Returns false when
   * there is no such file.
   */
  async keepCopy(checkpoint: Checkpoint): Promise<boolean> {
    const { opened, state, path, head } = checkpoint
    const { beginning } = state
    if (this.sent === undefined || beginning?.file === undefined || !state.hasBegun) return false
    // A file that was truncated does not contain what was sent.
    const isTruncated = opened.file !== undefined && isSameFile(beginning.file, opened.file)
    const { file } = isTruncated ? ((await rotatedFileOf(checkpoint, head.input)) ?? {}) : beginning
    if (file === undefined) return false
    state.add({ ...beginning, file })
    const ofFile = { ...head, file }
    const copy = join(dirname(path), checkpointName(ofFile))
    closeSync(writeEntries(copy, ofFile, state.entries()))
    this.sent.add(file, ofFile, copy)
    await this.sent.removeOldest(copyPrefix(path))
    return true
  }

  /**
   * Continues a checkpoint at the position up to which the same file was sent under another name, whose checkpoint is removed.
   * Returns false when the file was not sent. Throws a `CommandError` when another process is sending it.
   */
  async continueRenamed(checkpoint: Checkpoint): Promise<boolean> {
    const { file, isCompressed } = checkpoint.opened
    for (const path of await this.othersOf(checkpoint)) {
      if (path === checkpoint.path) continue
      await this.closedAt(path)
      const journal = await openJournal(path)
      try {
        const [head, ...entries] = journal.read()
        if (head?.kind !== 'checkpoint' || !isSameDestination(head, checkpoint.head)) continue
        const state = new CheckpointState(entries)
        const { beginning, hasBegun } = state
        if (!hasBegun || !file || !beginning?.file) continue
        if (!isCompressed && !isSameFile(beginning.file, file)) continue
        if (await this.isTooShort(checkpoint, state)) continue
        if (!(await checkpoint.beginsLike(beginning))) continue
        await this.keepCopy(checkpoint)
        checkpoint.continueFrom({ head, state })
        await rm(path, { force: true })
        return true
      } finally {
        journal.close()
      }
    }
    return false
  }

  /** True when a followed file ends before a position, so that it is another file, with the inode of a deleted one. */
  private async isTooShort({ opened }: Checkpoint, { next }: CheckpointState): Promise<boolean> {
    if (this.flags.follow !== true || opened.isCompressed) return false
    const { size } = await stat(opened.name).catch(() => ({ size: 0 }))
    return size < (next?.offset ?? 0)
  }

  /** Returns the paths of checkpoints that may be of the same file. */
  private async othersOf({ opened, head, path }: Checkpoint): Promise<readonly string[]> {
    const { file, isCompressed } = opened
    if (file === undefined || this.sent === undefined) return []
    const known = await this.sent.of(file, head)
    // A compressed file has another inode than the file that was sent.
    return isCompressed ? [...known, ...(await this.sent.named(copyPrefix(path)))] : known
  }

  /** True when the same command resumes the input. */
  isResumable(input: string): boolean {
    return this.inUse.has(input)
  }

  /** Assigns a batch the id that the same events had before. */
  reuseId(batch: Batch, id: string): void {
    this.ids.set(batch, id)
  }

  /** Returns the unique id of a batch. New ids are numbered for each input; a batch that an earlier run sent keeps its id. */
  batchId(batch: Batch): string {
    const known = this.ids.get(batch)
    if (known !== undefined) return known
    const id = this.lastIds.get(batch.input) ?? { prefix: randomUUID(), number: 0 }
    this.lastIds.set(batch.input, id)
    id.number += 1
    return `${id.prefix}-${id.number}`
  }

  async sending(batch: Batch, batchId: string): Promise<void> {
    this.inUse.get(batch.input)?.sending(batch, batchId)
  }

  async sendingPart(batch: Batch, id: string): Promise<void> {
    this.inUse.get(batch.input)?.sendingPart(id)
  }

  async settled(outcome: BatchOutcome): Promise<void> {
    const { input } = outcome.batch
    this.inUse.get(input)?.settled(outcome)
    this.closeIfDone(input)
  }

  async unrecorded({ input }: Batch, batchId: string): Promise<void> {
    this.inUse.get(input)?.unrecorded(batchId)
    this.closeIfDone(input)
  }

  async unsendable(event: UnsendableEvent): Promise<void> {
    this.inUse.get(event.input)?.unsendable(event)
  }

  async ended(end: InputEnd): Promise<void> {
    this.inUse.get(end.input)?.ended(end)
  }

  /** Records that no more of an input is read. */
  finishReading({ name }: OpenInput): void {
    this.inUse.get(name)?.finishReading()
    this.closeIfDone(name)
  }

  private closeIfDone(input: string): void {
    const checkpoint = this.inUse.get(input)
    if (!checkpoint?.isDone) return
    this.inUse.delete(input)
    checkpoint.close()
  }

  async close(): Promise<void> {
    const left = [...this.inUse.values()]
    this.inUse.clear()
    for (const checkpoint of left) checkpoint.close()
  }
}

/**
 * Returns the path by which an input is known. The file need not exist, because it may have been renamed, and a link is not resolved,
 * because it may refer to another file later.
 */
function inputPath(file: string): string {
  return join(realpathSync.native(dirname(resolve(file))), basename(file))
}

function notReplaceable(input: string): CommandError {
  return new CommandError(
    `${inputLabel(input)} is not a regular file. \`--replace\` takes files, because only they have checkpoints that list what was stored.`,
  )
}

export function checkpointName({ deployment, dataset, input, file }: Head): string {
  const key = JSON.stringify([deployment, dataset, input])
  const copy = file === undefined ? '' : `-${file.device}-${file.inode}`
  return `${hash('sha256', key, 'hex').slice(0, 32)}${copy}.ndjson`
}

/** Returns the beginning of the names of the copies that `keepCopy` makes of a checkpoint. */
function copyPrefix(path: string): string {
  return `${basename(path, '.ndjson')}-`
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
