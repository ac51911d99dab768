/** The units that `datetime_add` and `datetime_diff` count in. */
export const TIME_UNITS = [
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'hour',
  'minute',
  'second',
  'millisecond',
  'microsecond',
  'nanosecond',
] as const
/** A unit of time that can be counted in. */
export type TimeUnit = (typeof TIME_UNITS)[number]

/** What `datetime_part` takes out of an instant. */
export const TIME_PARTS = [
  ...TIME_UNITS.filter((unit) => unit !== 'week'),
  'week_of_year',
  'dayOfYear',
] as const
/** A part that `datetime_part` takes. */
export type TimePart = (typeof TIME_PARTS)[number]

/** The name of a unit or part whatever its case, and with or without `_`. */
export function partNamed<T extends string>(text: string, parts: readonly T[]): T | undefined {
  return parts.find((part) => normalizedPart(part) === normalizedPart(text))
}

/** How a name is compared. */
export function normalizedPart(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}
