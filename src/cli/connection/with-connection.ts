import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../../client/connection.js'
import { aborted } from '../../text/abort.js'
import type { Context } from '../context.js'
import type { ExitCode } from '../exit-code.js'
import { type Settings, settings } from '../settings/settings.js'
import { type Interrupt, interruptible } from '../terminal/interrupt.js'
import { connect } from './connect.js'

/** Connects to the configured deployment and runs work that a signal stops; closes the connection afterwards. */
export async function withConnection(
  context: Context,
  work: (context: {
    settings: Settings
    connection: Connection
    interrupt: Interrupt
  }) => Promise<ExitCode | undefined>,
  configured?: Settings,
): Promise<ExitCode> {
  const found = configured ?? (await settings(context.flags(), context.io.env))
  const connection = connect(found, context)
  return await interruptible(async (interrupt) => {
    try {
      return await work({ settings: found, connection, interrupt })
    } finally {
      await closeConnection(connection, interrupt)
    }
  })
}

/** The time limit for closing after a signal. The local engine may need seconds to end a query. */
const CLOSE_WITHIN_MS = 200

/**
 * Closes a connection, within a limit after a signal. The end of the process also closes the connection: the local service survives
 * being killed, and other processes that used it through this process start it again.
 */
export async function closeConnection(
  connection: Connection,
  { signal }: Interrupt,
): Promise<void> {
  const closed = connection.close()
  const isLate = aborted(signal).then(() => sleep(CLOSE_WITHIN_MS))
  await Promise.race([closed, isLate])
}
