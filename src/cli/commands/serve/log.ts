import type { Refusal } from '../../../service/auth/audit.js'
import type { RequestEvent } from '../../../service/observers.js'
import type { Expiry } from '../../../service/retention.js'
import { counted } from '../../../text/integer.js'
import type { Context } from '../../context.js'
import { formatInternalError } from '../../error/internal-error.js'
import { shortBytes, shortDuration } from '../../option/quantity.js'

/** The log of a running service on stderr. It never contains tokens or bodies. */
interface Log {
  handled(event: RequestEvent): void
  /** Logs a request that was denied for lack of a permission. */
  refused(refusal: Refusal): void
  expired(expiry: Expiry): void
  warn(message: string): void
  report(error: unknown, traceId: string): void
}

interface LogOptions {
  readonly level: LogLevel
  /** True when internal errors are logged with a stack trace. */
  readonly withStack: boolean
}

/** Opens the log: readable lines on a terminal, otherwise one JSON object per line. */
export function openLog(context: Context): Promise<Log> {
  const { quiet = false, verbose = 0, debug = false } = context.flags()
  const level = quiet ? 'warn' : verbose > 0 ? 'debug' : 'info'
  const options = { level, withStack: debug } as const
  return context.io.stderr.isTTY === true
    ? Promise.resolve(readableLog(context, options))
    : jsonLog(context, options)
}

function readableLog({ io, warn }: Context, { level, withStack }: LogOptions): Log {
  const time = (): string => new Date(io.now()).toISOString().slice(11, 19)
  return {
    handled(event) {
      if (isLogged(levelOf(event), level)) warn(`${time()} ${readableRequest(event)}`)
    },
    refused(refusal) {
      if (isLogged('warn', level)) warn(`${time()} ${readableRefusal(refusal)}`)
    },
    expired({ dataset, events, before }) {
      if (!isLogged('info', level)) return
      warn(`${time()} deleted ${counted(events, 'event')} of \`${dataset}\` from before ${before}`)
    },
    warn(message) {
      if (isLogged('warn', level)) warn(`${time()} ${message}`)
    },
    report(error, traceId) {
      warn(`${time()} ${formatInternalError(error, { traceId, withStack })}`)
    },
  }
}

async function jsonLog({ io }: Context, { level, withStack }: LogOptions): Promise<Log> {
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
  return {
    handled(event) {
      const { id, method, route, status, receivedBytes, sentBytes, caller } = event
      const ms = Math.round(event.ms * 10) / 10
      const fields = { id, method, route, status, ms, receivedBytes, sentBytes, token: caller }
      logger[levelOf(event)](fields, 'request')
    },
    refused({ kind, at: _, traceId, ...about }) {
      logger.warn({ id: traceId, ...about }, kind)
    },
    expired(expiry) {
      logger.info(expiry, 'expired')
    },
    warn(message) {
      logger.warn(message)
    },
    report(error, traceId) {
      logger.error({ id: traceId }, formatInternalError(error, { traceId, withStack }))
    },
  }
}

/** The log levels: each level includes the levels before it. */
const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const

type LogLevel = (typeof LOG_LEVELS)[number]

function isLogged(event: LogLevel, level: LogLevel): boolean {
  return LOG_LEVELS.indexOf(event) <= LOG_LEVELS.indexOf(level)
}

/** Routes that machines poll every few seconds; logged at `debug`. */
const PROBES: readonly (string | undefined)[] = ['/healthz', '/readyz', '/ready', '/metrics']

function levelOf({ status, route }: RequestEvent): LogLevel {
  if (status >= 500) return 'error'
  return PROBES.includes(route) ? 'debug' : 'info'
}

/** Formats a denied request: `refused POST /v1/ingest/web to ci from 192.0.2.7: The token … (request 5f1c…)` */
function readableRefusal(refusal: Refusal): string {
  const { traceId, token = 'unknown', remoteAddress, method, path, reason } = refusal
  const from = remoteAddress === undefined ? '' : ` from ${remoteAddress}`
  return `refused ${method} ${path} to ${token}${from}: ${reason} (request ${traceId})`
}

/** Formats a request: `200 POST /v1/ingest/:dataset 12 ms, 1.2 kB in, 118 B out, first` */
function readableRequest(event: RequestEvent): string {
  const { method, route = '(no such route)', status, ms, receivedBytes, sentBytes, caller } = event
  const facts = [
    `${status} ${method} ${route} ${shortDuration(ms)}`,
    ...(receivedBytes > 0 ? [`${shortBytes(receivedBytes)} in`] : []),
    ...(sentBytes > 0 ? [`${shortBytes(sentBytes)} out`] : []),
    ...(caller === undefined ? [] : [caller]),
  ]
  return facts.join(', ')
}
