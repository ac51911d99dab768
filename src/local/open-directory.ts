import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore, type Store } from '../engine/store.js'
import { createService } from '../service/app.js'
import { tokenDocuments } from '../service/auth/token-documents.js'
import { openTokens, type Tokens } from '../service/auth/tokens.js'
import { damageText } from '../service/dataset/damage.js'
import type { App } from '../service/http.js'
import { isSpoolFile } from '../service/ingest/spool-file.js'
import type { Intake } from '../service/ingest/store-events.js'
import { DEFAULT_LIMITS, type Limits } from '../service/limits.js'
import { type Listener, listen } from '../service/listener/listen.js'
import type { Observers } from '../service/observers.js'
import { deleteExpired, startRetention } from '../service/retention.js'
import type { ConvertSyslog } from '../service/syslog/messages.js'
import { makeDirectory } from '../text/make-directory.js'
import { errorCode } from '../text/system-error.js'
import { type ClickHouseOptions, clickHouseError, openClickHouse } from './clickhouse.js'
import { DirectoryError, directoryError, notAFile, openError } from './directory-error.js'
import { fileOfClickHouse, holdsEvents, serviceName, setInClickHouse } from './directory-id.js'
import { lock, lockPath } from './file-lock.js'
import { socketPath } from './socket-path.js'
import { tokenFile } from './token-file.js'

/** A data directory that is open in this process, which holds its lock and serves it. */
export interface DataDirectory {
  readonly app: App
  /** The dependencies of storing events that do not arrive in requests. */
  readonly intake: Intake
  readonly tokens: Tokens
  /**
   * Resolves when no request was in progress for a time, in milliseconds, or when the directory was moved or deleted; rejects when the
   * signal aborts.
   */
  idle(durationMs: number, signal: AbortSignal): Promise<void>
  /** Finishes the requests in flight and releases the directory. If the engine hangs, the directory stays locked until the process ends. */
  close(options?: CloseOptions): Promise<void>
}

interface CloseOptions {
  /** The time that requests in flight have. */
  readonly graceMs?: number
  /** The data is closed only after this resolves, such as the end of other listeners on the same app. */
  readonly after?: Promise<unknown>
}

export interface DataDirectoryOptions extends Observers {
  readonly directory: string
  /** The ClickHouse server that stores the data; by default the directory does. */
  readonly clickHouse?: ClickHouseOptions
  /** The maximum age of events; by default unlimited. */
  readonly retentionMs?: number
  /** True for a process that runs until it is stopped; others delete old events at most once an hour. */
  readonly isService?: true
  /** The dataset of events that arrive without the name of one. */
  readonly defaultDataset?: string
  /** Loads the parser of syslog messages. */
  readonly loadSyslog?: () => Promise<ConvertSyslog>
  /** The origins of web pages that may ingest and query; `*` matches any. None by default. */
  readonly allowedOrigins?: readonly string[]
  /** Overrides of the default limits. */
  readonly limits?: Partial<Limits>
  /** Nanoseconds since 1970. */
  now(): bigint
  /** Called with warnings for the operator. */
  warn?(message: string): void
}

/** Opens a data directory, which is created when missing, and serves it. Returns undefined while another process holds it. Throws a `DirectoryError`. */
export async function openDataDirectory(
  options: DataDirectoryOptions,
): Promise<DataDirectory | undefined> {
  const directory = resolve(options.directory)
  try {
    await makeDirectory(directory)
    const held = await lock(lockPath(directory))
    if (held === undefined) return undefined
    try {
      const opened = await open(directory, options)
      return {
        ...opened,
        async close(grace) {
          let isReleased = true
          try {
            isReleased = await opened.close(grace)
          } finally {
            // Until this process has ended, another one could not open the engine's files.
            if (isReleased) held.release()
          }
        },
      }
    } catch (error) {
      held.release()
      throw error
    }
  } catch (error) {
    throw directoryError(directory, error)
  }
}

interface OpenResources extends Omit<DataDirectory, 'close'> {
  /** Resolves with false when the engine still holds the directory. */
  close(options?: CloseOptions): Promise<boolean>
}

async function open(directory: string, options: DataDirectoryOptions): Promise<OpenResources> {
  const { clickHouse, now, warn } = options
  const mark = clickHouse ? undefined : await fileOfClickHouse(directory)
  if (mark !== undefined) {
    throw new DirectoryError(
      `The service on \`${directory}\` keeps its data in ClickHouse, and is not running. Start it with \`evq serve --clickhouse\`, choose another directory with \`--data-dir\`, or delete its file \`${mark}\` to store data in the directory.`,
    )
  }
  if (clickHouse !== undefined && holdsEvents(directory)) {
    warn?.(
      `\`${directory}\` contains events, which are not served while the data is stored in ClickHouse.`,
    )
  }
  const name = clickHouse && { name: await serviceName(directory) }
  const engine = clickHouse && (await openClickHouse({ ...clickHouse, ...name, warn }))
  const elsewhere = { engine, ...name }
  const store = await openStore({ directory, now, warn, ...elsewhere }).catch((error: unknown) => {
    throw clickHouse ? clickHouseError(clickHouse, error) : openError(directory, error)
  })
  try {
    if (clickHouse !== undefined) await setInClickHouse(directory)
    // All services on one ClickHouse share their tokens.
    const records = clickHouse ? tokenDocuments(store.tokens) : tokenFile(directory)
    const tokens = openTokens(records, now)
    // Unreadable tokens should fail the start rather than every request.
    await tokens.list()
    // The results of a command report the damage that affects them.
    const warned = store.damage.filter(({ dataset }) => options.isService || dataset === undefined)
    for (const damage of warned) warn?.(damageText(damage))
    await removeLeftovers(store.spool)
    const limits = { ...DEFAULT_LIMITS, ...options.limits }
    const service = createService({ ...options, store, access: tokens, limits })
    const { app, idle } = observed(service.app, store)
    const listener = await listenInside(directory, app)
    const terms = { ...options, store, keptMs: options.retentionMs }
    const retention = options.isService ? startRetention(terms) : hourlyRetention(directory, terms)
    return {
      app,
      intake: service.intake,
      tokens,
      idle,
      async close(grace) {
        await retention.stop()
        try {
          await Promise.all([listener.close(grace), grace?.after])
        } catch (error) {
          await store.close()
          throw error
        }
        return await store.close()
      },
    }
  } catch (error) {
    await store.close().catch(() => {})
    throw error
  }
}

/** The time between checks whether the directory of an idle service still exists. */
const GONE_CHECK_MS = 1_000

/** Returns the service with its requests observed. */
function observed(app: App, store: Store): Pick<DataDirectory, 'app' | 'idle'> {
  let running = 0
  let endedAt = performance.now()
  return {
    async app(request) {
      running += 1
      try {
        return await app(request)
      } finally {
        running -= 1
        endedAt = performance.now()
      }
    },
    async idle(durationMs, signal) {
      for (;;) {
        const leftMs = running > 0 ? durationMs : endedAt + durationMs - performance.now()
        if (leftMs <= 0 || store.isGone()) return
        await sleep(Math.min(leftMs, GONE_CHECK_MS), undefined, { signal })
      }
    },
  }
}

/** Removes bodies that a crashed process had received but not stored: their clients got no response and retry. */
async function removeLeftovers(spool: string): Promise<void> {
  const names = await readdir(spool)
  await Promise.all(names.filter(isSpoolFile).map((name) => rm(join(spool, name))))
}

async function listenInside(directory: string, app: App): Promise<Listener> {
  const path = socketPath(directory)
  // This process holds the lock, so an existing socket was left by a crash.
  await rm(path, { force: true }).catch((error: unknown) => {
    throw errorCode(error) === 'ERR_FS_EISDIR' ? notAFile(join(directory, 'evq.sock')) : error
  })
  return await listen({ app, address: { socketPath: path }, trusted: true })
}

const HOUR_MS = 3_600_000

/** The file whose modification time is the time of the last pass. */
const LAST_PASS_FILE = 'last-retention-pass'

/**
 * Deletes the events that exceed the maximum age of their dataset, unless a command on this directory did so within the last
 * hour. `stop` resolves when they are deleted: most commands end sooner, and expired events would be kept if they did not wait.
 */
function hourlyRetention(
  directory: string,
  options: Parameters<typeof deleteExpired>[0],
): { stop(): Promise<void> } {
  const path = join(directory, LAST_PASS_FILE)
  const pass = async (): Promise<void> => {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
    // A clock that was set back must not stop the passes.
    if (Math.abs(Date.now() - mtimeMs) < HOUR_MS) return
    await deleteExpired(options, { isFirst: false, isStopped: () => false })
    await writeFile(path, '', { mode: 0o600 })
  }
  // The command is not about retention, and the next command tries again.
  const done = pass().catch(() => {})
  return { stop: () => done }
}
