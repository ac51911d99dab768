import type { CompiledColumn } from '../sql/compile.js'

/** A column as it goes into an answer. */
export interface ResultColumn {
  /** The JSON text of the array of its values. */
  readonly text: string
  readonly wireType: string
}

/**
 * Turns a column as the engine wrote it into that of an answer, `rows` values long, without reading
 * a number on the way.
 */
export function resultColumn(options: {
  readonly column: CompiledColumn
  readonly text: string
  readonly isCut: boolean
}): ResultColumn {
  const { column, isCut } = options
  const kept = isCut ? withoutLast(options.text) : options.text
  if (column.encoding === 'json') return nestedColumn(column, kept)
  const written = column.type === 'datetime' ? withoutTrailingZeros(kept) : kept
  return { text: written, wireType: column.wireType }
}

/** The cells are strings that hold JSON, so no number is lost in reading them as JSON. */
function nestedColumn({ wireType }: CompiledColumn, text: string): ResultColumn {
  const cells = JSON.parse(text) as readonly (string | null)[]
  return {
    text: `[${cells.map((cell) => cell ?? 'null').join(',')}]`,
    wireType: wireType === '' ? typesIn(cells) : wireType,
  }
}

/** The types of the values, `integer|string`: what a column of any type turned out to hold. */
function typesIn(cells: readonly (string | null)[]): string {
  const types = new Set<string>()
  for (const cell of cells) {
    const type = cell === null ? undefined : typeOf(cell)
    if (type !== undefined) types.add(type)
  }
  return [...types].sort().join('|')
}

function typeOf(json: string): string | undefined {
  switch (json[0]) {
    case '"':
      return 'string'
    case '[':
      return 'array'
    case '{':
      return 'object'
    case 't':
    case 'f':
      return 'boolean'
    case 'n':
      return undefined
    default:
      return /[.eE]/.test(json) ? 'float' : 'integer'
  }
}

/** An array's text without its last element. The engine is asked for one row more than is given out, to know whether there is one. */
function withoutLast(array: string): string {
  let at = array.lastIndexOf(']') - 1
  // A string may hold commas. Its opening quote is the nearest one that no backslash escapes.
  if (array[at] === '"') {
    do at = array.lastIndexOf('"', at - 1)
    while (isEscaped(array, at))
  }
  const comma = array.lastIndexOf(',', at)
  return comma === -1 ? '[]' : `${array.slice(0, comma)}]`
}

function isEscaped(text: string, quote: number): boolean {
  let before = quote
  while (text[before - 1] === '\\') before -= 1
  return (quote - before) % 2 === 1
}

/** The engine writes nine digits of fraction always: `…:00.010000000Z`. */
function withoutTrailingZeros(array: string): string {
  return array.replace(/\.(\d*?)0*Z"/g, (_, digits: string) =>
    digits === '' ? 'Z"' : `.${digits}Z"`,
  )
}
