/** The units of `datetime_add` and `datetime_diff`. */
export const TIME_UNITS = [
  ...(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const),
  ...(['millisecond', 'microsecond', 'nanosecond'] as const),
]
export type TimeUnit = (typeof TIME_UNITS)[number]

/** The parts of a datetime that `datetime_part` extracts. */
export const TIME_PARTS = [
  ...TIME_UNITS.filter((unit) => unit !== 'week'),
  'week_of_year',
  'dayOfYear',
] as const
export type TimePart = (typeof TIME_PARTS)[number]

/** Returns the unit or part of that name, ignoring case and `_`. */
export function partNamed<T extends string>(text: string, parts: readonly T[]): T | undefined {
  return parts.find((part) => normalizedPart(part) === normalizedPart(text))
}

/** Returns a name without `_`, in lower case, for comparison. */
export function normalizedPart(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}
