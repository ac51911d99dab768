import { Option } from 'commander'
import type { TimeZone } from '../../../wire/time/time-zone.js'
import { UsageError } from '../../error/usage-error.js'

const FIRST_YEAR = 1970
/** The last whole year of 64-bit nanoseconds. */
const LAST_YEAR = 2261

/** `--year`: the year of the first time in lines without a year. */
export function yearOption(): Option {
  const option = new Option(
    '--year <year>',
    'the year of the first line, for times without a year (default: the latest possible)',
  )
  return option.argParser((value: string) => {
    const year = /^\d{4}$/.test(value) ? Number(value) : 0
    if (year >= FIRST_YEAR && year <= LAST_YEAR) return year
    throw new UsageError(
      `\`--year\` takes a year from ${FIRST_YEAR} to ${LAST_YEAR}, not \`${value}\`.`,
    )
  })
}

/** Throws a `UsageError` when a flag about times in lines is combined with a flag that sets the field or the format of times. */
export function checkTimeFlags({
  timestampField,
  timestampFormat,
  timezone,
  year,
}: {
  timestampField?: string
  timestampFormat?: string
  timezone?: TimeZone
  year?: number
}): void {
  const flag = timezone !== undefined ? '--timezone' : year !== undefined ? '--year' : undefined
  // Times in two fields are read like times in lines.
  if (flag === undefined || timestampField?.includes(',')) return
  for (const [other, value] of Object.entries({
    '--timestamp-field': timestampField,
    '--timestamp-format': timestampFormat,
  })) {
    if (value === undefined) continue
    throw new UsageError(
      `\`${flag}\` completes the times in lines of logs, so it can't be used with \`${other}\`.`,
    )
  }
}
