import type { FindingsByKind } from '../../../../input/inspect/findings.js'
import type { InputFacts } from '../../../../input/inspect/inspection.js'
import type { CheckReport } from '../check-report.js'
import { formatName } from '../option/format-name.js'

/** What `--check` found as NDJSON: a record for each file, field and kind of problem. */
export function* checkRecords({
  timestampField,
  inputs,
  fields,
  refusals,
  alterations,
  limits,
}: CheckReport): Iterable<string> {
  for (const input of inputs) yield line({ kind: 'file', ...fileRecord(input), timestampField })
  for (const { field, events, types, hasDrift } of fields) {
    yield line({ kind: 'field', field, events, drift: hasDrift, types })
  }
  for (const found of refusals) yield line({ kind: 'refused', ...findingsRecord(found) })
  for (const found of alterations) yield line({ kind: 'altered', ...findingsRecord(found) })
  for (const found of limits) yield line({ kind: 'hosted-limit', ...findingsRecord(found) })
}

function fileRecord(facts: InputFacts) {
  const { input, events, rejected: refused, bytes, times, withoutTime } = facts
  return {
    file: input,
    format: formatName(facts),
    events,
    refused,
    bytes,
    firstTime: times?.first ?? null,
    lastTime: times?.last ?? null,
    withoutTime,
  }
}

function findingsRecord({ kind, events, first }: FindingsByKind) {
  return { problem: kind, events, first }
}

function line(record: object): string {
  return `${JSON.stringify(record)}\n`
}
