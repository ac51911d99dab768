import type { Batch } from '../../../input/batch.js'
import { escapeControls } from '../../../render/escape-controls.js'
import { fieldName, SERVICE_FIELDS } from '../../../wire/json/field-path.js'
import { inspect, mentionsField, sampleOf } from './time-advice.js'

/**
 * Returns a check of batches that reports once when the first events have fields whose names are reserved, so that the service stores
 * them under other names.
 */
export function reservedNamesNote(note: (text: string) => void): (batch: Batch) => void {
  let hasReported = false
  return (batch) => {
    const sample = hasReported || batch.start.event > 0 ? undefined : sampleOf(batch)
    // A quick check first: most events do not contain any reserved name.
    if (sample === undefined || !SERVICE_FIELDS.some((name) => mentionsField(name, sample))) return
    const found = topLevelNames(sample)
    const names = reservedNames(found, sample)
    if (names.length === 0) return
    hasReported = true
    note(
      `${escapeControls(batch.input)}: the service sets ${listed(names)} itself, so ${names.length === 1 ? 'that' : 'those'} of the events ${names.length === 1 ? 'is' : 'are'} stored as ${listed(names.map((name) => fieldName([name])))}.`,
    )
    const taken = names.map((name) => fieldName([name])).filter((name) => found.has(name))
    if (taken.length > 0) {
      note(
        `${escapeControls(batch.input)}: the events also have ${listed(taken)}, and queries show only one of two values. Rename or remove one of the two fields.`,
      )
    }
  }
}

function topLevelNames(sample: Batch): ReadonlySet<string> {
  const { timestampField = '_time' } = sample
  return new Set(inspect(sample, timestampField).fields.map((field) => field.split('.')[0] ?? ''))
}

/** Returns the reserved names among top-level fields, except for the field with the event time. */
function reservedNames(
  found: ReadonlySet<string>,
  { timestampField = '_time' }: Batch,
): readonly string[] {
  return SERVICE_FIELDS.filter((name) => found.has(name) && name !== timestampField)
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names.map((name) => `\`${name}\``))
}
