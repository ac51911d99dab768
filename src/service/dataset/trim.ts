import { FIRST_TIME } from '../../wire/event/event-time.js'
import type { ValueOf } from '../../wire/shape/shape.js'
import { DURATION_SYNTAX, parseDuration } from '../../wire/time/duration.js'
import { readJson } from '../body/json-body.js'
import { optionalMembers, text } from '../body/shape.js'
import { json } from '../http.js'
import { requestTime } from '../query/request-range.js'
import { invalidField } from '../refused-error.js'
import type { Handler } from '../route.js'
import { knownDataset } from './unknown-dataset.js'

/** The body of `trimDataset`. */
export const TRIM = optionalMembers({
  before: text(
    'Events before this time are deleted. RFC 3339, `now`, or relative such as `now-1h`.',
  ),
  maxDuration: text('Events older than this are deleted, such as `720h` or `1h0m0s`.'),
})

/** `POST /v1/datasets/<dataset>/trim`: deletes old events. */
export const trimDataset: Handler = async ({ request, parameters }, { store, now }) => {
  const trim = TRIM.decode('The request body', await readJson(request))
  const instant = trimTime(trim, now())
  const dataset = knownDataset(parameters, store)
  return json(200, { deleted: await store.trim(dataset, instant) })
}

function trimTime({ before, maxDuration }: ValueOf<typeof TRIM>, now: bigint): bigint {
  if (before && maxDuration) {
    throw invalidField('The request has both `before` and `maxDuration`. Send one of them.')
  }
  if (before) return requestTime('before', { text: before, now })
  if (maxDuration) return timeBefore(maxDuration, now)
  throw invalidField(
    'The request has neither `before`, the time up to which events are deleted, nor `maxDuration`, their maximum age.',
  )
}

/**
 * Returns the time that lies a duration before `now`. A duration of 0, which would delete all events, is refused: axiom-py sends it
 * for `timedelta(days=30)`, because it encodes the seconds without the days.
 */
function timeBefore(duration: string, now: bigint): bigint {
  const nanoseconds = parseDuration(duration)
  if (!nanoseconds) {
    throw invalidField(`\`maxDuration\` takes ${DURATION_SYNTAX} above 0, not \`${duration}\`.`)
  }
  const instant = now - nanoseconds
  return instant < FIRST_TIME ? FIRST_TIME : instant
}
