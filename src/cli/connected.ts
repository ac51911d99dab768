import type { Connection } from '../client/connection.js'
import { connect } from './connect.js'
import type { Context } from './context.js'
import type { ExitCode } from './exit-code.js'
import { type Interrupt, interruptible } from './interrupt.js'
import { type Settings, settings } from './settings.js'

/** Where requests go, while a command is at work there. */
interface Connected {
  readonly settings: Settings
  readonly connection: Connection
  readonly interrupt: Interrupt
}

/** Does work where the command line's requests go, until Ctrl-C stops it; closes the connection then. */
export async function connected(
  context: Context,
  work: (there: Connected) => Promise<ExitCode>,
): Promise<ExitCode> {
  const found = await settings(context.flags(), context.io.env)
  const connection = connect(found, context)
  try {
    return await interruptible((interrupt) => work({ settings: found, connection, interrupt }))
  } finally {
    await connection.close()
  }
}
