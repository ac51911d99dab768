import type { Refusal } from '../../../service/auth/audit.js'
import type { RequestEvent } from '../../../service/request-event.js'
import type { Expiry } from '../../../service/retention.js'
import type { Context } from '../../context.js'
import { serviceFault } from '../../error/internal-error.js'
import { counted } from '../../option/quantity.js'
import { LOG_LEVELS, type LogLevel } from './log-level.js'
import { readableRefusal } from './readable-refusal.js'
import { readableRequest } from './readable-request.js'

/** What a running service tells about its work, on stderr. Tokens and bodies are never in it. */
interface Log {
  answered(event: RequestEvent): void
  /** A request that was refused for want of a permission. */
  refused(refusal: Refusal): void
  /** Events that were deleted since they were too old. */
  expired(expiry: Expiry): void
  warned(message: string): void
  /** A failure that is the service's own fault. */
  failed(error: unknown, traceId: string): void
}

interface LogOptions {
  readonly level: LogLevel
  /** Whether failures tell where in the program they happened. */
  readonly withStack: boolean
}

/** Lines to read on a terminal; a JSON object a line everywhere else. */
export function openLog(context: Context, options: LogOptions): Promise<Log> {
  return context.io.stderr.isTTY === true
    ? Promise.resolve(readableLog(context, options))
    : jsonLog(context, options)
}

function readableLog({ io, note }: Context, { level, withStack }: LogOptions): Log {
  const time = (): string => new Date(io.now()).toISOString().slice(11, 19)
  return {
    answered(event) {
      if (isTold(levelOf(event), level)) note(`${time()} ${readableRequest(event)}`)
    },
    refused(refusal) {
      if (isTold('warn', level)) note(`${time()} ${readableRefusal(refusal)}`)
    },
    expired({ dataset, events, before }) {
      if (!isTold('info', level)) return
      note(`${time()} deleted ${counted(events, 'event')} of \`${dataset}\` from before ${before}`)
    },
    warned(message) {
      if (isTold('warn', level)) note(`${time()} ${message}`)
    },
    failed(error, traceId) {
      if (level !== 'silent') note(`${time()} ${serviceFault(error, { traceId, withStack })}`)
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
    answered(event) {
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
    warned(message) {
      logger.warn(message)
    },
    failed(error, traceId) {
      logger.error({ id: traceId }, serviceFault(error, { traceId, withStack }))
    },
  }
}

type EventLevel = Exclude<LogLevel, 'silent'>

function isTold(event: EventLevel, level: LogLevel): boolean {
  return LOG_LEVELS.indexOf(event) <= LOG_LEVELS.indexOf(level)
}

/** Asked for every few seconds by a machine; nobody wants to read that each time. */
const PROBES: readonly (string | undefined)[] = ['/healthz', '/readyz', '/metrics']

function levelOf({ status, route }: RequestEvent): EventLevel {
  if (status >= 500) return 'error'
  return PROBES.includes(route) ? 'debug' : 'info'
}
