import { fieldFacts, longNames } from '../../../../input/inspect/field-facts.js'
import { type InputFacts, Inspection } from '../../../../input/inspect/inspection.js'
import { writeText } from '../../../../render/write.js'
import { formatInteger } from '../../../../text/integer.js'
import type { Context } from '../../../context.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { counted, shortBytes } from '../../../option/quantity.js'
import type { Interrupt } from '../../../terminal/interrupt.js'
import type { Progress } from '../../../terminal/progress.js'
import { timeFormat } from '../option/event-time.js'
import type { IngestOptions } from '../option/options.js'
import { inputsOf } from '../read/inputs.js'
import { type CheckReport, checkRecords, checkText } from './check-report.js'

interface CheckOptions {
  readonly options: IngestOptions
  readonly context: Context
  readonly interrupt: Interrupt
  readonly progress: Progress
}

/** `evq ingest … --check`: reads everything and sends nothing. */
export async function runCheck(run: CheckOptions): Promise<ExitCode> {
  const { options, context, interrupt, progress } = run
  const { io } = context
  const { report, unreadable } = await read(run)
  progress.close()
  const isTerminal = io.stdout.isTTY === true
  const text = isTerminal ? await checkText(report, io.stdout.columns ?? 80) : checkRecords(report)
  await writeText(io.stdout, text)
  for (const message of unreadable) context.warn(message)
  const refused = report.inputs.reduce((sum, input) => sum + input.rejected, 0)
  context.info(`${options.dataset}: ${summary(report)}, nothing was sent`)
  if (interrupt.exitCode() !== undefined) return interrupt.exitCode()!
  if (unreadable.length > 0) return EXIT.failed
  return refused > 0 ? EXIT.incomplete : EXIT.done
}

async function read({ options, context, interrupt, progress }: CheckOptions) {
  const { timestampField = '_time' } = options
  const inspection = new Inspection({ timestampField, ...timeFormat(options) })
  const inputs: InputFacts[] = []
  const unreadable: string[] = []
  let bytes = 0
  for await (const item of inputsOf(options, context, interrupt.signal)) {
    switch (item.kind) {
      case 'batch':
        inspection.add(item)
        bytes += item.bytes
        item.release()
        progress.show(() => `${item.input}: ${shortBytes(bytes)} looked at`)
        break
      case 'unsendable':
        inspection.addUnsendable(item)
        break
      case 'end':
        inputs.push(inspection.endInput(item.input))
        break
      case 'unreadable':
        unreadable.push(item.message)
        break
      default:
        item satisfies never
    }
  }
  const fields = fieldFacts(inspection.tree)
  const report: CheckReport = {
    timestampField,
    inputs,
    fields,
    refusals: inspection.rejections.list(),
    alterations: inspection.alterations.list(),
    limits: [...inspection.limits.list(), ...longNames(fields)],
  }
  return { report, unreadable }
}

function summary({ inputs }: CheckReport): string {
  const events = inputs.reduce((sum, input) => sum + input.events, 0)
  const refused = inputs.reduce((sum, input) => sum + input.rejected, 0)
  if (events === 0) return 'no events were found'
  const fate = refused === 0 ? 'none' : formatInteger(refused)
  return `${counted(events, 'event')}, ${fate} would be refused`
}
