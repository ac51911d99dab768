import type { FieldLayout } from '../../sql/layout.js'
import type { FieldMeta } from '../../wire/http/tabular-result.js'

/** Returns the metadata of fields in the form of responses. */
export function fieldsMeta(fields: readonly FieldLayout[]): readonly FieldMeta[] {
  return fields.map(({ name, wireType }) => ({
    name,
    type: wireType,
    unit: '',
    hidden: false,
    description: '',
  }))
}
