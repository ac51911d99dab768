import type { FieldFacts } from './field-facts.js'
import { Findings, type FindingsOfKind } from './findings.js'

/** Hosted services refuse a longer name; the local one takes it. */
const LONGEST_HOSTED_NAME = 200

/** Fields whose names are too long for a hosted service. */
export function longNames(fields: readonly FieldFacts[]): readonly FindingsOfKind[] {
  const findings = new Findings()
  for (const { field, events, types } of fields) {
    const bytes = Buffer.byteLength(field)
    if (bytes <= LONGEST_HOSTED_NAME || types[0] === undefined) continue
    const reason = `the field name \`${field.slice(0, 40)}…\` has ${bytes} bytes`
    findings.add('name-too-long', { at: types[0].first, reason }, events)
  }
  return findings.list()
}
