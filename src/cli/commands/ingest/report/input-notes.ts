import type { Batch, UnmatchedRecords } from '../../../../input/batch.js'
import { escapeControls } from '../../../../render/escape-controls.js'
import { cutText } from '../../../../render/fit-text.js'
import { formatInteger } from '../../../../text/integer.js'
import { READ_AS } from '../read/format-name.js'

/** At most this many inputs are listed; the rest is counted. */
const MAX_SHOWN = 10
const MAX_TEXT_WIDTH = 60

interface Unmatched extends UnmatchedRecords {
  /** The name of the format, with its article. */
  readonly format: string
}

/** Collects how the lines of each input were read, for the end of a run. */
export class InputNotes {
  private readonly unmatched = new Map<string, Unmatched>()

  add(batch: Batch): void {
    const { input, format, unmatched: found } = batch
    if (found === undefined || format === undefined) return
    const known = this.unmatched.get(input)
    // Batches may end in any order.
    const isFirst = known === undefined || found.first.line < known.first.line
    this.unmatched.set(input, {
      format: READ_AS[format],
      events: found.events + (known?.events ?? 0),
      first: isFirst ? found.first : known.first,
    })
  }

  /** Returns the messages: those about lines that do not match the format of their input. */
  lines(): readonly string[] {
    const found = [...this.unmatched].map(([input, unmatched]) => unmatchedText(input, unmatched))
    const rest = found.length - MAX_SHOWN
    return rest > 0 ? [...found.slice(0, MAX_SHOWN), `… and in ${rest} more inputs`] : found
  }
}

function unmatchedText(input: string, { events, format, first }: Unmatched): string {
  const lines =
    events === 1
      ? `1 line can't be read as ${format} and is stored`
      : `${formatInteger(events)} lines can't be read as ${format} and are stored`
  const text = cutText(escapeControls(first.text), MAX_TEXT_WIDTH)
  return `${escapeControls(input)}: ${lines} as \`message\`. Line ${formatInteger(first.line)}: ${first.reason}: ${text}`
}
