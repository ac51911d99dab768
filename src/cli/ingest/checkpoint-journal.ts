import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from '../command-error.js'
import { systemWords } from '../system-words.js'
import { type Entry, type Head, parseEntries } from './checkpoint-entry.js'

/**
 * A checkpoint on disk: a line for each thing that has happened. What a line says is known to the system
 * when `add` resolves, so it outlives this process, however it ends. It is not forced onto the disk: a
 * power cut in the wrong second can make evq send a batch twice, and forcing each line would cost every run.
 */
export class CheckpointJournal {
  private readonly path: string
  private readonly lock: JournalLock
  private file: FileHandle | undefined
  private written: Promise<unknown> = Promise.resolve()

  private constructor(path: string, lock: JournalLock) {
    this.path = path
    this.lock = lock
  }

  /** Takes hold of a checkpoint, which need not exist yet. */
  static async open(path: string): Promise<CheckpointJournal> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      return new CheckpointJournal(path, await lockJournal(path))
    } catch (error) {
      throw unusable(path, error)
    }
  }

  /** What it says so far; nothing where there is none yet. */
  async read(): Promise<readonly Entry[]> {
    const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
      throw unusable(this.path, error)
    })
    const entries = parseEntries(text)
    if (entries !== undefined) return entries
    throw new CommandError(
      `\`${this.path}\` is not a checkpoint of evq, or is damaged. Without it the input is sent from its beginning.`,
    )
  }

  /** Replaces all that it says, in one step. */
  async write(head: Head, entries: readonly Entry[]): Promise<void> {
    const text = [head, ...entries].map(line).join('')
    return this.inTurn(async () => {
      const draft = `${this.path}.${randomUUID()}`
      await writeFile(draft, text, { mode: 0o600 })
      await rename(draft, this.path)
      await this.file?.close()
      this.file = await open(this.path, 'a')
    })
  }

  /** Resolves when what has happened will be known to the next run. */
  add(...entries: readonly Entry[]): Promise<void> {
    const text = entries.map(line).join('')
    return this.inTurn(async () => this.file?.appendFile(text))
  }

  async close(): Promise<void> {
    await this.written
    await this.file?.close()
    this.lock.release()
  }

  /** Lines come in the order of what happened. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.written.then(work)
    this.written = done.catch(() => {})
    return done.catch((error: unknown) => {
      throw unusable(this.path, error)
    })
  }
}

/** A checkpoint can't be written where it is. */
export class UnkeptError extends CommandError {
  constructor(message: string) {
    super(message)
    this.name = 'UnkeptError'
  }
}

interface JournalLock {
  release(): void
}

/** Two runs that go on from one checkpoint would send everything twice. */
async function lockJournal(path: string): Promise<JournalLock> {
  const file = `${path}.lock`
  const { lock } = await import('../../service/lock.js')
  const held = await lock(file).catch((error: unknown) => {
    // Where nothing can be locked, or the local service is not installed, the user has to look after it.
    if (error instanceof Error && error.name === 'DirectoryError') return { release() {} }
    throw error
  })
  if (held !== undefined) {
    await writeFile(file, `${process.pid}\n`)
    return held
  }
  const holder = (await readFile(file, 'utf8').catch(() => '')).trim()
  const who = holder === '' ? 'Another evq process' : `Another evq process (${holder})`
  throw new CommandError(
    `${who} sends this input to this dataset at the moment. When it has ended, the same command goes on from there.`,
  )
}

function line(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`
}

function unusable(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  const words = systemWords(error) ?? error.message
  return new UnkeptError(
    `The checkpoint \`${path}\` can't be kept: ${words}. \`--no-checkpoint\` does without it.`,
  )
}
