import type { OutputFormat } from '../../../output/flags.js'
import type { AppendedFile } from './appended-file.js'
import type { LastResult } from './last-result.js'

/** The state of a prompt that its commands change. */
export interface PromptSettings {
  /** The start of the range of queries; undefined for the range on the command line. */
  since: string | undefined
  /** The format of results; undefined for the format on the command line. */
  format: OutputFormat | undefined
  /** The file that receives results instead of the terminal. */
  file: AppendedFile | undefined
  /** True when the elapsed time of each query is printed. */
  isTimed: boolean
  /** The last query and its result. */
  last: LastResult | undefined
}

export function initialSettings(): PromptSettings {
  return {
    since: undefined,
    format: undefined,
    file: undefined,
    isTimed: false,
    last: undefined,
  }
}
