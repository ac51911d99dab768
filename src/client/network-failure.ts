import { connectionErrorCode, connectionErrorText } from '../text/system-error.js'
import { NetworkError } from './error.js'

interface Circumstances {
  readonly name: string
  readonly wasSent: boolean
  readonly timeouts: { readonly connectMs: number; readonly answerMs: number }
}

/** Why there was no answer, in words for a reader. */
export function networkError(cause: Error, circumstances: Circumstances): NetworkError {
  if (cause instanceof NetworkError) return cause
  const { name, wasSent, timeouts } = circumstances
  const code = connectionErrorCode(cause)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    const message = `${name} could not be reached: no connection within ${seconds(timeouts.connectMs)}.`
    return new NetworkError('unreachable', message, { cause })
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    const message = `${name} gave no answer within ${seconds(timeouts.answerMs)}.`
    return new NetworkError('timeout', message, { cause })
  }
  if (code === 'UND_ERR_BODY_TIMEOUT') {
    return new NetworkError('timeout', `${name} stopped in the middle of its answer.`, { cause })
  }
  const meaning = connectionErrorText(cause) ?? cause.message
  return wasSent
    ? new NetworkError('cut', `The exchange with ${name} broke off: ${meaning}.`, { cause })
    : new NetworkError('unreachable', `${name} could not be reached: ${meaning}.`, { cause })
}

function seconds(ms: number): string {
  return `${ms / 1000} s`
}
