import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Grant } from '../service/auth/grant.js'
import type { Tokens } from '../service/auth/tokens.js'
import { SHUTDOWN_GRACE_MS } from '../service/limits.js'
import { listen } from '../service/listener/listen.js'
import { listenSyslog, type SyslogListener } from '../service/syslog/listen-syslog.js'
import { isLoopback } from '../wire/http/loopback.js'
import { STARRED_ACTIONS } from '../wire/http/starred.js'
import { DirectoryError } from './directory-error.js'
import { lockHolder, lockPath, lockPatience } from './file-lock.js'
import { markOf } from './file-mark.js'
import { offerDirectory, requestDirectory } from './offered-directory.js'
import {
  type DataDirectory,
  type DataDirectoryOptions,
  openDataDirectory,
} from './open-directory.js'

/** The time to wait for a short-lived command that holds the directory. */
const LOCK_TIMEOUT_MS = 5_000
/** The time in which a service of `--keep-warm` releases the directory: it finishes its requests and closes the engine. */
const HANDOVER_TIMEOUT_MS = 30_000

/** The tokens that are created when no token is in force. They are not stored and cannot be read later. */
export interface FirstTokens {
  /** A personal token. */
  readonly token?: string
  /** An API token for events and queries of all datasets: SDKs refuse to send personal tokens to some endpoints. */
  readonly apiToken?: string
}

export interface RunningService extends FirstTokens, Pick<DataDirectory, 'idle'> {
  readonly url: string
  /** The addresses that receive syslog messages, over TCP and UDP. */
  readonly syslog: readonly ListenAddress[]
  close(): Promise<void>
}

/** A host, or an IP address, and a port. */
export interface ListenAddress {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
}

/** An address on which syslog messages can't be received; `cause` is the reason. */
export class SyslogAddressError extends Error {
  override readonly name = 'SyslogAddressError'
  readonly address: ListenAddress

  constructor(address: ListenAddress, cause: unknown) {
    super('syslog messages cannot be received', { cause })
    this.address = address
  }
}

interface ServeOptions extends DataDirectoryOptions {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** The addresses that are to receive syslog messages. */
  readonly syslog?: { readonly addresses: readonly ListenAddress[]; readonly dataset: string }
}

/** Serves a data directory on TCP, and on the directory's own socket. */
export async function serve(options: ServeOptions): Promise<RunningService> {
  const owned = await openWhenFree(options)
  const syslog: SyslogListener[] = []
  try {
    for (const address of options.syslog?.addresses ?? []) {
      syslog.push(await receiveSyslog(address, { ...options, intake: owned.intake }))
    }
    const address = { host: options.host, port: options.port }
    // Created before listening, so that a service beyond loopback always has a token in force.
    const tokens = await firstTokens(owned.tokens)
    const listener = await listen({ app: owned.app, address, trusted: false }).catch(
      async (error: unknown) => {
        if (tokens.token !== undefined) await revokeFirst(owned.tokens)
        throw error
      },
    )
    return {
      url: `http://${hostAndPort(listener.address)}`,
      ...tokens,
      syslog: syslog.map(({ host, port }) => ({ host, port })),
      idle: owned.idle,
      async close() {
        const graceMs = SHUTDOWN_GRACE_MS
        const closed = [listener, ...syslog].map((one) => one.close({ graceMs }))
        await owned.close({ graceMs, after: Promise.all(closed) })
      },
    }
  } catch (error) {
    // The first error is the cause.
    await Promise.all(syslog.map((one) => one.close({ graceMs: 0 }))).catch(() => {})
    await owned.close().catch(() => {})
    throw error
  }
}

async function receiveSyslog(
  address: ListenAddress,
  { syslog, intake, loadSyslog, warn, report }: ServeOptions & Pick<DataDirectory, 'intake'>,
): Promise<SyslogListener> {
  if (syslog === undefined || loadSyslog === undefined) throw new Error('no dataset or parser')
  const { dataset } = syslog
  const convert = await loadSyslog()
  const observers = { warn, report }
  const listener = await listenSyslog({ ...address, dataset, convert, intake, ...observers }).catch(
    (error: unknown) => {
      throw new SyslogAddressError(address, error)
    },
  )
  if (!isLoopback(listener.host)) {
    warn?.(
      `Syslog has no tokens: everyone who can reach \`${hostAndPort(listener)}\` can store events in \`${dataset}\`.`,
    )
  }
  return listener
}

/** Returns an address as it is written in a URL. */
export function hostAndPort({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The time between checks whether the program was updated. */
const UPDATE_CHECK_MS = 1_000

/**
 * Serves a data directory on its own socket only, until another service wants the directory. `idle` also resolves when the program
 * was updated, so that later commands start a service of the new version.
 */
export async function serveLocally(
  options: DataDirectoryOptions,
): Promise<Pick<RunningService, 'idle' | 'close'>> {
  const { idle, close } = await openWhenFree(options)
  const release = await offerDirectory(options.directory).catch(async (error: unknown) => {
    await close().catch(() => {})
    throw error
  })
  return {
    async idle(durationMs, signal) {
      const ended = new AbortController()
      const either = AbortSignal.any([signal, ended.signal])
      try {
        await Promise.race([idle(durationMs, either), updated(either)])
      } finally {
        ended.abort()
      }
    },
    async close() {
      try {
        await release()
      } finally {
        await close({ graceMs: SHUTDOWN_GRACE_MS })
      }
    },
  }
}

/** Resolves when the file of this code has been written or removed; rejects when the signal aborts. */
async function updated(signal: AbortSignal): Promise<void> {
  const file = fileURLToPath(import.meta.url)
  const mark = await markOf(file)
  while ((await markOf(file)) === mark) await sleep(UPDATE_CHECK_MS, undefined, { signal })
}

const FIRST_TOKEN: Grant = { name: 'first', personal: true }
const FIRST_API_TOKEN: Grant = {
  name: 'first-api',
  personal: false,
  ingest: ['*'],
  query: ['*'],
  starred: STARRED_ACTIONS,
}

async function firstTokens(tokens: Tokens): Promise<FirstTokens> {
  if ((await tokens.countInForce()) > 0) return {}
  try {
    const token = await tokens.create(FIRST_TOKEN)
    return { token, apiToken: await tokens.create(FIRST_API_TOKEN) }
  } catch (error) {
    await revokeFirst(tokens)
    throw error
  }
}

/** Revokes the first tokens after a failure: they were never shown, and the next start creates others. */
async function revokeFirst(tokens: Tokens): Promise<void> {
  for (const { name } of [FIRST_TOKEN, FIRST_API_TOKEN]) await tokens.revoke(name).catch(() => {})
}

async function openWhenFree(options: DataDirectoryOptions): Promise<DataDirectory> {
  let isLate = lockPatience(options.directory, LOCK_TIMEOUT_MS)
  const isHandoverLate = lockPatience(options.directory, HANDOVER_TIMEOUT_MS)
  for (;;) {
    const owned = await openDataDirectory({ ...options, isService: true })
    if (owned !== undefined) return owned
    if (await requestDirectory(options.directory)) isLate = isHandoverLate
    if (isLate()) {
      const holder = lockHolder(lockPath(options.directory))
      const id = holder === undefined ? '' : ` (${holder})`
      throw new DirectoryError(
        `Another evq process${id} uses the data directory \`${options.directory}\`. Stop that process, or choose another directory with \`--data-dir\`.`,
      )
    }
    await sleep(50)
  }
}
