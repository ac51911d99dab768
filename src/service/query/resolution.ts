import { DURATION_SYNTAX, parseDuration } from '../../wire/time/duration.js'
import { RefusedError } from '../refused-error.js'

/** Parses the resolution of a request, such as `30s` or `1h30m`, to nanoseconds; undefined for `auto`. */
export function requestResolution(text: string | undefined): bigint | undefined {
  if (text === undefined || text === '' || text === 'auto') return undefined
  const size = parseDuration(text)
  if (size !== undefined && size > 0n) return size
  throw new RefusedError(
    'invalid-field',
    `\`resolution\` must be \`auto\` or ${DURATION_SYNTAX}, not \`${text}\`.`,
  )
}
