import type { Connection } from '../../../client/connection.js'
import type { StarredQueries } from '../../../client/starred.js'
import type { Context } from '../../context.js'

/** What every command on saved queries works with. */
export interface StarredContext {
  readonly context: Context
  readonly connection: Connection
  /** Whether the deployment is the local service, which knows its datasets' fields. */
  readonly isLocal: boolean
  readonly queries: StarredQueries
  readonly signal: AbortSignal
}
