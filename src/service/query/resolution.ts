import { DURATION_SYNTAX, parseDuration } from '../../wire/time/duration.js'
import { RefusedError } from '../refused-error.js'

/** The step of time that a request asks for, nanoseconds: `30s`, `1h30m`; undefined where it is `auto`. */
export function requestResolution(text: string | undefined): bigint | undefined {
  if (text === undefined || text === '' || text === 'auto') return undefined
  const size = parseDuration(text)
  if (size !== undefined && size > 0n) return size
  throw new RefusedError(
    'invalid-field',
    `\`resolution\` is \`auto\` or ${DURATION_SYNTAX}, not \`${text}\`.`,
  )
}
