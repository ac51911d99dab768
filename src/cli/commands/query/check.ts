// `evq query --check` and `--explain`: what a query means, without running it.
import type { Connection } from '../../../client/connection.js'
import { escapeControlsInLines } from '../../../render/escape-controls.js'
import type { AplCheck } from '../../../wire/http/check.js'
import type { AplRequest, Table } from '../../../wire/http/query.js'
import { clock } from '../../clock.js'
import type { Context } from '../../context.js'
import { ProblemsError } from '../../error/problems-error.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import type { Io } from '../../io.js'
import type { Printer } from '../../output/printer.js'
import { queryError } from './error.js'

/** The flags with which nothing is run. */
export interface CheckFlags {
  readonly check?: boolean
  readonly explain?: boolean
}

/** A query to look at: on the local service where there is a connection to it, else by its text alone. */
interface CheckRequest {
  readonly request: AplRequest
  readonly local?: Connection
  readonly signal: AbortSignal
}

/** Throws what is wrong with a query, as far as it can be known here. */
export async function checkRequest(
  { request, local, signal }: CheckRequest,
  context: Pick<Context, 'io'>,
): Promise<void> {
  if (local === undefined) await readText(request, context)
  else await ask(local, request, signal)
}

/** Says what the result's columns will be, or how the query was understood; throws what is wrong with it. */
export async function checkQuery(
  { request, local, signal }: CheckRequest,
  flags: CheckFlags & { readonly printer: Printer },
  context: Context,
): Promise<ExitCode> {
  if (local === undefined) return await checkText(request, flags, context)
  const found = await ask(local, request, signal)
  if (flags.explain) write(`${found.apl}\n\n${found.sql}\n`, context.io)
  else await flags.printer.printTables([tableOf(found)])
  return EXIT.done
}

/** The datasets of a deployment elsewhere are not at hand, so its names are taken as they are. */
async function checkText(
  request: AplRequest,
  flags: CheckFlags,
  context: Context,
): Promise<ExitCode> {
  const read = await readText(request, context)
  if (flags.explain) write(`${read.apl}\n`, context.io)
  context.info('nothing wrong in its form; datasets and fields are known to the deployment only')
  return EXIT.done
}

async function readText(
  { apl, variables }: AplRequest,
  { io }: Pick<Context, 'io'>,
): Promise<{ readonly apl: string }> {
  const { checkApl } = await import('../../../apl/language.js')
  const read = checkApl(apl, { now: clock(io)(), ...(variables && { variables }) })
  if ('problems' in read) throw new ProblemsError(apl, read.problems)
  return read
}

async function ask(
  connection: Connection,
  request: AplRequest,
  signal: AbortSignal,
): Promise<AplCheck> {
  const { checkQuery: check } = await import('../../../client/query.js')
  try {
    return await check(connection, request, { signal })
  } catch (error) {
    throw queryError(request.apl, error)
  }
}

/** Names out of events stand in the text: on a terminal they must not move the cursor. */
function write(text: string, { stdout }: Io): void {
  stdout.write(stdout.isTTY ? escapeControlsInLines(text) : text)
}

/** The columns as rows of a table, printed like any other. */
function tableOf({ columns }: AplCheck): Table {
  return {
    name: '0',
    sources: [],
    fields: [
      { name: 'name', type: 'string' },
      { name: 'type', type: 'string' },
    ],
    order: [],
    groups: [],
    columns: [
      columns.map(({ name }) => JSON.stringify(name)),
      columns.map(({ type }) => JSON.stringify(type)),
    ],
  }
}
