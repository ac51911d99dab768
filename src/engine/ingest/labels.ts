import { type Sql, sql, text } from '../../sql/sql.js'
import type { EventOptions } from '../../wire/event/event-options.js'

/** The text of a line with the labels of its batch in front of the event's own fields. */
export function labelled(line: Sql, { labels }: EventOptions): Sql {
  if (!labels) return line
  // Blanks may stand before an element of an array, and between the braces of an event without fields.
  const event = sql`trimLeft(${line}, ' \\t\\r')`
  const comma = sql`if(match(${event}, '^[{][ \\t\\r]*[}]'), '', ',')`
  return sql`if(startsWith(${event}, '{'), concat(${text(`{${labels}`)}, ${comma}, substring(${event}, 2)), ${line})`
}
