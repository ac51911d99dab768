// A side of a comparison that reads files: `evq diff "file('new.log') | …" --against-query "file('old.log') | …"`.
import { decodeTabularResult, type TabularResult } from '../../../wire/http/tabular-result.js'
import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import { UsageError } from '../../error/usage-error.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { countRows, type Printer } from '../../output/printer.js'
import type { RequestFlags } from '../../query/request-options.js'
import { type InputPlan, planQuery } from '../query/input/plan.js'
import { filesOf } from '../query/input/read.js'
import type { Side } from './sides.js'

/** The result of a query of files, and the exit code for it. */
export interface FilesResult {
  readonly result: TabularResult
  readonly code: ExitCode
}

/** Returns the plan for the files that the query of a side reads; undefined when it reads no files. */
export async function planFiles(
  { apl }: Side,
  { param }: RequestFlags,
  context: Context,
): Promise<InputPlan | undefined> {
  if (!/\bfile\s*\(/.test(apl)) return undefined
  const { plan } = await planQuery({ apl, param }, context)
  return plan?.main === undefined ? plan : undefined
}

/** Throws a `UsageError` when standard input would be read twice. `hasQuery` is true when standard input is the query. */
export function checkStandardInput(
  plans: readonly (InputPlan | undefined)[],
  { hasQuery }: { readonly hasQuery: boolean },
): void {
  const readers = plans.filter((plan) => plan?.files.has('-')).length
  if (readers === 0 || (readers === 1 && !hasQuery)) return
  const both = hasQuery ? 'Standard input is the query' : 'Both queries read standard input'
  throw new UsageError(
    `${both}, but it can be read only once. Save the events in a file, and name it in \`file(…)\`.`,
  )
}

/** Returns the files that both sides read. Throws a `CommandError` for a pattern that matches no file. */
export async function filesOfPlans(
  plans: readonly (InputPlan | undefined)[],
): Promise<readonly string[]> {
  return await filesOf(plans.flatMap((plan) => [...(plan?.files.keys() ?? [])]))
}

export async function askFiles(
  { apl, range, flags }: Side,
  plan: InputPlan,
  { param, limit }: RequestFlags & { readonly limit: number },
  context: Context,
): Promise<FilesResult> {
  const { runInputQuery } = await import('../query/input/run.js')
  let result: TabularResult | undefined
  const printer: Printer = {
    async printResponse(response) {
      result = decodeTabularResult(response.toString())
      return { status: result.status, rows: countRows(result.tables) }
    },
    printTables: async () => {},
    close: async () => {},
  }
  const { startTime: since, endTime: until } = range
  const asked = { apl, limit, since, until, param, openPrinter: async () => printer }
  // The comparison prints its own summary.
  const quiet = { ...context, flags: () => flags, info: () => {} }
  const code = await runInputQuery(plan, asked, quiet)
  if (result === undefined) throw new CommandError('The files could not be compared.')
  return { result, code }
}

/** Returns the exit code of a comparison: the code of the first side of files that is not complete, or `code`. */
export function combinedCode(
  code: ExitCode,
  files: readonly (FilesResult | undefined)[],
): ExitCode {
  return files.find((one) => one !== undefined && one.code !== EXIT.done)?.code ?? code
}
