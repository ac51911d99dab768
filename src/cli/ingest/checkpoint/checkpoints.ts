import { hash, randomUUID } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Batch, InputEnd, UnsendableEvent } from '../../../input/batch.js'
import { inputLabel } from '../../../input/error.js'
import type { OpenInput } from '../../../input/open.js'
import { isSameFile } from '../../../input/rotated.js'
import { type Deferred, deferred } from '../../../text/deferred.js'
import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import { stateDirectory } from '../../file/home-directory.js'
import type { Settings } from '../../settings/settings.js'
import type { IngestOptions } from '../option/options.js'
import { fixedFlags } from '../option/reading-flags.js'
import type { BatchOutcome } from '../send/outcome.js'
import { type Checkpoint, openCheckpoint } from './checkpoint.js'
import type { Head } from './entry.js'
import { CheckpointFileError, openJournal, writeEntries } from './journal.js'
import { isSameDestination } from './mismatch.js'
import { sentFiles } from './sent-files.js'
import { CheckpointState } from './state.js'

interface OpenCheckpoint {
  readonly path: string
  readonly head: Head
  readonly checkpoint: Checkpoint
  readonly closed: Deferred<void>
}

/** The checkpoints of a run: one per regular file, unless they are off. */
export type IngestCheckpoints = ReturnType<typeof openCheckpoints>

/** Creates the checkpoints that the flags request: automatic checkpoints, a single file, or no checkpoints. */
export function openCheckpoints(
  flags: IngestOptions,
  { settings, context }: { readonly settings: Settings; readonly context: Context },
) {
  const { dataset } = flags
  const only = typeof flags.checkpoint === 'string' ? resolve(flags.checkpoint) : undefined
  const directory = flags.checkpoint === false ? undefined : checkpointDirectory(context.io.env)
  let deployment: Promise<string> | undefined
  const options = fixedFlags(flags)
  // A rejects file keeps events that could not be sent, so that a later run does not send them again.
  const keepsRejects = flags.rejects !== undefined
  const replaces = flags.replace === true
  /** The open checkpoints by the name of the input. */
  const open = new Map<string, OpenCheckpoint>()
  const ids = new WeakMap<Batch, string>()
  const lastIds = new Map<string, { readonly prefix: string; number: number }>()
  let isDisabled = false

  const sent = directory === undefined || only !== undefined ? undefined : sentFiles(directory)

  const of = ({ input }: { readonly input: string }) => open.get(input)?.checkpoint

  /** Resolves when no checkpoint at a path is open in this process. */
  async function closedAt(path: string): Promise<void> {
    await [...open.values()].find((kept) => kept.path === path)?.closed.promise
  }

  /** Keeps a copy of a checkpoint whose file was renamed, before another file is sent. Returns false when there is no such file. */
  async function keepCopy({ opened, state }: Checkpoint): Promise<boolean> {
    const own = open.get(opened.name)
    const file = state.beginning?.file
    if (sent === undefined || own === undefined || file === undefined || !state.hasBegun)
      return false
    // A file that was truncated does not contain what was sent.
    if (opened.file !== undefined && isSameFile(file, opened.file)) return false
    const head = { ...own.head, file }
    const path = join(dirname(own.path), checkpointName(head))
    writeEntries(path, head, state.entries())
    sent.add(file, head, path)
    await sent.removeOldest(`${basename(own.path, '.ndjson')}-`)
    return true
  }

  function closeIfDone(input: string): void {
    if (open.get(input)?.checkpoint.isDone()) closeOf(input)
  }

  function closeOf(input: string): void {
    const kept = open.get(input)
    if (kept === undefined) return
    open.delete(input)
    try {
      kept.checkpoint.close()
    } finally {
      kept.closed.resolve()
    }
  }

  return {
    /** True when the events go to the local service, which stores a batch once. */
    isLocal: settings.url === undefined,
    /** Opens and locks the checkpoint of an input; resolves to `undefined` when the input has no checkpoint. */
    async open(opened: OpenInput, file: string): Promise<Checkpoint | undefined> {
      const isResumable =
        only !== undefined || (directory !== undefined && !opened.isLive && file !== '-')
      if (!isResumable && replaces) throw notReplaceable(opened.name)
      if (!isResumable || isDisabled) return undefined
      const input = file === '-' ? opened.name : await inputPath(file)
      deployment ??= deploymentOf(settings)
      const subject = { deployment: await deployment, dataset, input, options }
      const head: Head = { kind: 'checkpoint', version: 1, ...subject }
      const journal = only ?? join(directory ?? '', checkpointName(head))
      // A file that is named twice, or was rotated, may still have batches in flight.
      await closedAt(journal)
      if (opened.file !== undefined) sent?.add(opened.file, head, journal)
      try {
        const inputs = { path: journal, head, opened, keepsRejects, replaces }
        const checkpoint = await openCheckpoint(inputs)
        open.set(opened.name, { path: journal, head, checkpoint, closed: deferred() })
        return checkpoint
      } catch (error) {
        if (!(error instanceof CheckpointFileError) || only !== undefined || replaces) throw error
        isDisabled = true
        context.warn(error.message)
        return undefined
      }
    },
    keepCopy,
    /**
     * Continues a checkpoint at the position up to which the same file was sent under another name, whose checkpoint is removed.
     * Returns false when the file was not sent. Throws a `CommandError` when another process is sending it.
     */
    async continueRenamed(checkpoint: Checkpoint): Promise<boolean> {
      const { name, file } = checkpoint.opened
      const own = open.get(name)
      if (sent === undefined || own === undefined || file === undefined) return false
      for (const path of await sent.of(file, own.head)) {
        if (path === own.path) continue
        // It may still have batches in flight.
        await closedAt(path)
        const journal = await openJournal(path)
        try {
          const [head, ...entries] = await journal.read()
          if (head?.kind !== 'checkpoint' || !isSameDestination(head, own.head)) continue
          const state = new CheckpointState(entries)
          const { beginning, hasBegun } = state
          if (!hasBegun || !beginning?.file || !isSameFile(beginning.file, file)) continue
          if (!(await checkpoint.beginsLike(beginning))) continue
          await keepCopy(checkpoint)
          checkpoint.continueFrom({ head, state })
          await rm(path, { force: true })
          return true
        } finally {
          journal.close()
        }
      }
      return false
    },
    /** True when the same command resumes the input. */
    isResumable: (input: string): boolean => open.has(input),
    /** Assigns a batch the id that the same events had before. */
    reuseId: (batch: Batch, id: string): void => void ids.set(batch, id),
    /** Returns the unique id of a batch. New ids are numbered for each input; a batch that an earlier run sent keeps its id. */
    batchId(batch: Batch): string {
      const known = ids.get(batch)
      if (known !== undefined) return known
      const id = lastIds.get(batch.input) ?? { prefix: randomUUID(), number: 0 }
      lastIds.set(batch.input, id)
      id.number += 1
      return `${id.prefix}-${id.number}`
    },
    sending: async (batch: Batch, batchId: string) => of(batch)?.sending(batch, batchId),
    sendingPart: async (batch: Batch, id: string) => of(batch)?.sendingPart(id),
    async settled(outcome: BatchOutcome): Promise<void> {
      of(outcome.batch)?.settled(outcome)
      closeIfDone(outcome.batch.input)
    },
    unsendable: async (event: UnsendableEvent) => of(event)?.unsendable(event),
    ended: async (end: InputEnd) => of(end)?.ended(end),
    /** Records that no more of an input is read. */
    finishReading({ name }: OpenInput): void {
      open.get(name)?.checkpoint.finishReading()
      closeIfDone(name)
    },
    async close(): Promise<void> {
      for (const input of [...open.keys()]) closeOf(input)
    },
  }
}

/**
 * Returns the path by which an input is known. The file need not exist, because it may have been renamed, and a link is not resolved,
 * because it may refer to another file later.
 */
async function inputPath(file: string): Promise<string> {
  return join(await realpath(dirname(resolve(file))), basename(file))
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
