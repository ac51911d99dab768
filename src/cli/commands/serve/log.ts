import type { Refusal } from '../../../service/auth/audit.js'
import type { RequestEvent } from '../../../service/observers.js'
import type { Expiry } from '../../../service/retention.js'
import { counted } from '../../../text/integer.js'
import type { Context } from '../../context.js'
import { formatInternalError } from '../../error/internal-error.js'
import { shortBytes, shortDuration } from '../../option/quantity.js'

/** An entry of the log: a line for people, and the members and the message of the JSON. */
interface Entry {
  readonly text: () => string
  readonly members: object
  readonly message: string
}

type Write = (level: LogLevel, entry: Entry) => void

/**
 * Opens the log of a running service on stderr: readable lines on a terminal, otherwise one JSON object per line. It never contains
 * tokens or bodies.
 */
export async function openLog(context: Context) {
  const { quiet = false, verbose = 0, debug: withStack = false } = context.flags()
  const level = quiet ? 'warn' : verbose > 0 ? 'debug' : 'info'
  const isReadable = context.io.stderr.isTTY === true
  const write = isReadable ? writeLines(context, level) : await writeJson(context, level)
  return {
    handled(event: RequestEvent): void {
      const { id, method, route, status, receivedBytes, sentBytes, caller } = event
      const ms = Math.round(event.ms * 10) / 10
      const members = { id, method, route, status, ms, receivedBytes, sentBytes, token: caller }
      write(levelOf(event), { text: () => requestText(event), members, message: 'request' })
    },
    /** Logs a request that was denied for lack of a permission. */
    refused(refusal: Refusal): void {
      const { kind: message, at: _, traceId: id, ...about } = refusal
      write('warn', { text: () => refusalText(refusal), members: { id, ...about }, message })
    },
    expired(expiry: Expiry): void {
      const { dataset, events, before } = expiry
      const text = () =>
        `deleted ${counted(events, 'event')} of \`${dataset}\` from before ${before}`
      write('info', { text, members: expiry, message: 'expired' })
    },
    warn: (message: string) => write('warn', { text: () => message, members: {}, message }),
    report(error: unknown, traceId: string): void {
      const message = formatInternalError(error, { traceId, withStack })
      write('error', { text: () => message, members: { id: traceId }, message })
    },
  }
}

function writeLines({ io, warn }: Context, level: LogLevel): Write {
  return (of, { text }) => {
    if (LOG_LEVELS.indexOf(of) > LOG_LEVELS.indexOf(level)) return
    warn(`${new Date(io.now()).toISOString().slice(11, 19)} ${text()}`)
  }
}

async function writeJson({ io }: Context, level: LogLevel): Promise<Write> {
  const { pino } = await import('pino')
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(io.now()).toISOString()}"`,
      formatters: { level: (name) => ({ level: name }) },
    },
    io.stderr,
  )
  return (of, { members, message }) => logger[of](members, message)
}

/** The log levels: each level includes the levels before it. */
const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const

type LogLevel = (typeof LOG_LEVELS)[number]

/** Routes that machines poll every few seconds; logged at `debug`. */
const PROBES: readonly (string | undefined)[] = ['/healthz', '/readyz', '/ready', '/metrics']

function levelOf({ status, route }: RequestEvent): LogLevel {
  if (status >= 500) return 'error'
  return PROBES.includes(route) ? 'debug' : 'info'
}

/** Formats a denied request: `refused POST /v1/ingest/web to ci from 192.0.2.7: The token … (request 5f1c…)` */
function refusalText(refusal: Refusal): string {
  const { traceId, token = 'unknown', remoteAddress, method, path, reason } = refusal
  const from = remoteAddress === undefined ? '' : ` from ${remoteAddress}`
  return `refused ${method} ${path} to ${token}${from}: ${reason} (request ${traceId})`
}

/** Formats a request: `200 POST /v1/ingest/:dataset 12 ms, 1.2 kB in, 118 B out, first` */
function requestText(event: RequestEvent): string {
  const { method, route = '(no such route)', status, ms, receivedBytes, sentBytes, caller } = event
  const facts = [
    `${status} ${method} ${route} ${shortDuration(ms)}`,
    ...(receivedBytes > 0 ? [`${shortBytes(receivedBytes)} in`] : []),
    ...(sentBytes > 0 ? [`${shortBytes(sentBytes)} out`] : []),
    ...(caller === undefined ? [] : [caller]),
  ]
  return facts.join(', ')
}
