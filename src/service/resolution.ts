import { parseTimespan } from '../apl/timespan.js'
import { RefusedError } from './refused-error.js'

const PARTS = /^(?:\d+(?:\.\d+)?[a-zµ]+)+$/
const PART = /\d+(?:\.\d+)?[a-zµ]+/g

/** The step of time that a request asks for, nanoseconds: `30s`, `1h30m`; undefined where it is `auto`. */
export function requestResolution(text: string | undefined): bigint | undefined {
  if (text === undefined || text === '' || text === 'auto') return undefined
  const parts = PARTS.test(text) ? (text.match(PART) ?? []) : []
  const sizes = parts.map(parseTimespan).filter((size) => size !== undefined)
  const size = sizes.reduce((sum, one) => sum + one, 0n)
  if (sizes.length === parts.length && size > 0n) return size
  throw new RefusedError(
    'invalid-field',
    `\`resolution\` is \`${text}\`, which is no step of time: \`auto\`, \`30s\` and \`1h\` are.`,
  )
}
