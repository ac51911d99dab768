import type { ManagedDatasets } from '../../../client/datasets.js'
import type { Context } from '../../context.js'
import type { Settings } from '../../settings/settings.js'

/** What every command on datasets works with. */
export interface DatasetContext {
  readonly context: Context
  readonly settings: Settings
  /** Where they are, as a message calls it. */
  readonly deployment: string
  readonly datasets: ManagedDatasets
  readonly signal: AbortSignal
}
