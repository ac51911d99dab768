const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Feb` as `02`; undefined when it is no month. */
export function monthNumber(name: string): string | undefined {
  const index = MONTHS.indexOf(name)
  return index === -1 ? undefined : String(index + 1).padStart(2, '0')
}
