import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import type { Leaf } from '../../wire/json/json-line.js'
import type { Kinds } from '../../wire/json/kinds.js'
import { MAX_FIELDS } from './field-limit.js'

/** What some events hold at a path. */
export interface Finding {
  readonly path: FieldPath
  kinds: Kinds
  /** How many of the events have a value there. */
  count: number
  /** The different texts, as long as they are few. */
  readonly texts: Set<string>
}

/** More different texts than this are many. */
const FEW_TEXTS = 100
/** A text that comes back less often than this is not worth a dictionary. */
const REPEATED = 10

/** The most paths of a survey: far more than a dataset can take as fields. */
const MAX_PATHS = 5 * MAX_FIELDS

/** What was found in events that were read one by one. Paths beyond the limit are left out, for the next survey. */
export class Survey {
  readonly findings = new Map<string, Finding>()
  /** Paths where an object without keys stood: no field, but no value of another type either. */
  readonly emptied = new Map<string, FieldPath>()

  add(leaves: readonly Leaf[]): void {
    for (const leaf of leaves) {
      if (leaf.form === 'empty-object') this.addEmptied(leaf.path)
      else this.addValue(leaf)
    }
  }

  private addEmptied(path: FieldPath): void {
    if (this.emptied.size < MAX_PATHS) this.emptied.set(pathKey(path), path)
  }

  private addValue(leaf: Leaf): void {
    const key = pathKey(leaf.path)
    if (this.findings.size >= MAX_PATHS && !this.findings.has(key)) return
    const finding = this.findings.get(key) ?? noFinding(leaf.path)
    finding.kinds |= leaf.kinds
    if (leaf.kinds !== 0) finding.count++
    if (leaf.form === 'string' && finding.texts.size <= FEW_TEXTS) finding.texts.add(leaf.text)
    this.findings.set(key, finding)
  }
}

/** Whether a field's values seem to be few texts that come again and again. */
export function hasFewTexts(finding: Finding): boolean {
  return finding.texts.size <= FEW_TEXTS && finding.count >= REPEATED * finding.texts.size
}

function noFinding(path: FieldPath): Finding {
  return { path, kinds: 0, count: 0, texts: new Set() }
}
