import { Command } from 'commander'
import { connect } from '../connection/connect.js'
import { releasedWhenIdle } from '../connection/released-when-idle.js'
import type { Context } from '../context.js'
import type { ExitCode } from '../exit-code.js'
import { examples } from '../help/examples.js'
import { settings } from '../settings/settings.js'
import { interruptible } from '../terminal/interrupt.js'

/** The time limit of requests for datasets and fields. */
const TIMEOUT_MS = 5_000
/** The time limit with a data directory, whose engine has to start first. */
const LOCAL_TIMEOUT_MS = 60_000

export function lspCommand(context: Context): Command {
  return new Command('lsp')
    .description(
      'Serves the Language Server Protocol on standard input and output: problems, completion, hover and formatting of APL, with the datasets and fields of the deployment or the data directory.',
    )
    .option('--stdio', 'use standard input and output, the default; some editors pass it')
    .addHelpText('after', () => examples(['evq lsp', 'evq lsp --profile prod']))
    .action(async () => context.finish(await runLsp(context)))
}

/** Serves one editor until it ends the session, or closes standard input. */
async function runLsp(context: Context): Promise<ExitCode> {
  const { io, flags, debug, warn } = context
  const configured = await settings(flags(), io.env)
  const opened = connect(configured, context)
  const isLocal = configured.url === undefined
  const connection = isLocal ? releasedWhenIdle(opened) : opened
  const timeoutMs = isLocal ? LOCAL_TIMEOUT_MS : TIMEOUT_MS
  const { serveEditor } = await import('./lsp/server.js')
  try {
    return await interruptible(({ signal }) =>
      serveEditor({ io, connection, timeoutMs, signal, debug, warn }),
    )
  } finally {
    await connection.close()
  }
}
