/** The values of a column in ClickHouse's format Native. */
export interface NativeType {
  readonly name: string
  readonly kind: 'text' | 'signed' | 'unsigned' | 'real' | 'bool' | 'time'
  /** The bytes of a value; 0 for texts, which follow their lengths. */
  readonly width: number
  readonly isNullable: boolean
  /** True when rows contain indices into a dictionary of texts. */
  readonly hasDictionary: boolean
}

const INTEGER = /^(U?)Int(8|16|32|64)$/
const NULLABLE = /^Nullable\((.*)\)$/
const DICTIONARY = /^LowCardinality\((.*)\)$/

/** Parses the name of a type; undefined for a type whose values cannot be read. */
export function parseNativeType(name: string): NativeType | undefined {
  const keys = DICTIONARY.exec(name)?.[1]
  const inner = NULLABLE.exec(keys ?? name)?.[1]
  const values = valuesOf(inner ?? keys ?? name)
  if (values === undefined || (keys !== undefined && values.kind !== 'text')) return undefined
  return { name, ...values, isNullable: inner !== undefined, hasDictionary: keys !== undefined }
}

function valuesOf(name: string): Pick<NativeType, 'kind' | 'width'> | undefined {
  if (name === 'String') return { kind: 'text', width: 0 }
  if (name === 'Bool') return { kind: 'bool', width: 1 }
  if (name === 'Float64') return { kind: 'real', width: 8 }
  if (name === "DateTime64(9, 'UTC')") return { kind: 'time', width: 8 }
  const [, unsigned, bits] = INTEGER.exec(name) ?? []
  if (bits === undefined) return undefined
  return { kind: unsigned === '' ? 'signed' : 'unsigned', width: Number(bits) / 8 }
}
