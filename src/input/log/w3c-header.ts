/** The first character of a line that is a directive. */
export const DIRECTIVE = '#'
const FIELDS = /^#Fields:[ \t]*(.*)$/
const DATE = /^#Date:[ \t]*(\d{4}-\d\d-\d\d)/

/** The fields of a W3C extended log, and its date, as directives have set them. */
export interface W3cHeader {
  readonly fields: readonly string[]
  readonly date?: string | undefined
  /** The field with a date and a time, in the logs of Exchange and of Joomla. */
  readonly timeField?: string | undefined
  /** True for commas between the values. */
  readonly isCsv?: boolean
  /** The number of fields in each column, where tabs separate columns and spaces the fields of one column, as in Joomla's logs. */
  readonly columnFields?: readonly number[] | undefined
}

/** Returns the header that the directives of a sample set; undefined when they name no fields. */
export function w3cHeader(sample: string): W3cHeader | undefined {
  const lines = sample.split('\n', 20).filter((line) => line.startsWith(DIRECTIVE))
  const header = lines.reduce<W3cHeader>(withDirective, { fields: [] })
  return header.fields.length === 0 ? undefined : header
}

/** Returns the header after a directive. */
export function withDirective(header: W3cHeader, line: string): W3cHeader {
  const [, names] = FIELDS.exec(line.trimEnd()) ?? []
  if (names !== undefined) return { ...header, ...columnsOf(names.trim()) }
  const [, date] = DATE.exec(line) ?? []
  return date === undefined ? header : { ...header, date }
}

/** Returns the fields that `#Fields` names; in the logs of Exchange, commas separate names and values. */
function columnsOf(names: string): Omit<W3cHeader, 'date'> {
  const isCsv = names.includes(',') && !/[ \t]/.test(names)
  const columns = names.split('\t').map((column) => column.trim().split(/ +/).length)
  const columnFields =
    columns.length > 1 && columns.some((count) => count > 1) ? columns : undefined
  const fields = names.split(isCsv ? ',' : /[ \t]+/)
  const timeField = fields.find((name) => /^(?:date-?time|timestamp)$/i.test(name))
  return { fields, timeField, isCsv, columnFields }
}
