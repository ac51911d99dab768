import { type EventOptions, parseLabels } from '../../wire/event/event-options.js'
import { HEADER } from '../../wire/http/header.js'
import { LineError } from '../../wire/json/json-line.js'
import { parseTimeFormat, type TimeFormat, timeFormatError } from '../../wire/time/time-format.js'
import { type ServiceRequest, utf8Header } from '../http.js'
import { invalidField, invalidRequest } from '../refused-error.js'

/** Returns the options for all events of a request. `timeField` is the field with the time unless the request names another one. */
export function eventOptions(request: ServiceRequest, timeField = '_time'): EventOptions {
  const format = request.query.get('timestamp-format')
  return {
    timestampField: request.query.get('timestamp-field') || timeField,
    ...(format && { timeFormat: timeFormat(format) }),
    ...eventLabels(request),
  }
}

/** Returns the labels of an ingest request, which are added to all of its events. */
export function eventLabels({ headers }: ServiceRequest): Pick<EventOptions, 'labels'> {
  const header = headers[HEADER.eventLabels]
  const labels = header ? labelsIn(header) : ''
  return labels === '' ? {} : { labels }
}

function timeFormat(text: string): TimeFormat {
  const format = parseTimeFormat(text)
  if (format !== undefined) return format
  throw invalidField(`\`timestamp-format\` is ${timeFormatError(text)}`)
}

function labelsIn(header: string): string {
  let problem = 'a value is not a string, number or boolean, or a name is duplicated'
  try {
    const labels = parseLabels(utf8Header(header))
    if (labels !== undefined) return labels
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    problem = error.message
  }
  throw invalidRequest(
    `\`${HEADER.eventLabels}\` must be a JSON object such as \`{"env":"prod"}\`: ${problem}.`,
  )
}
