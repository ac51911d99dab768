import { Command } from 'commander'
import type { Context } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import type { ExitCode } from '../exit-code.js'
import { examples, helpColumns } from '../help/examples.js'
import { topicText } from '../help/terminal.js'
import { VIEW_KEYS } from '../help/view-keys.js'
import { paramOption } from '../option/param.js'
import { addTimeOptions } from '../option/time-range.js'
import { timeZoneOption } from '../option/time-zone.js'
import { addInputOptions } from './query/input/options.js'
import type { ViewOptions } from './view/target.js'

export function viewCommand(context: Context): Command {
  const command = new Command('view')
    .description(
      'Shows events on the whole terminal, to scroll, search and filter. The view always shows the result of a query, which is printed as a command when you leave.',
    )
    .argument('[file or apl...]', 'files of any format, a dataset, or a query')
    .optionsGroup('View options:')
    .option('-f, --follow', 'start at the end, and show events as they arrive')
  addTimeOptions(command)
    .addOption(paramOption())
    .addOption(timeZoneOption('time zone: Europe/Berlin, +02:00, local (UTC)'))
  return addInputOptions(command, context.io.env)
    .addHelpText('after', () => {
      const keys = topicText('Keys:', VIEW_KEYS, helpColumns(context.io))
      return `\n${keys}${examples(VIEW_EXAMPLES)}`
    })
    .action(async (names: readonly string[], flags: Omit<ViewOptions, 'names'>) =>
      context.finish(await runView({ names, ...flags }, context)),
    )
}

const VIEW_EXAMPLES = [
  'evq view app.log other.json.gz',
  'kubectl logs -f deploy/api | evq view -f',
  'evq view logs --since 2h',
  `evq view "['logs'] | where status >= 500"`,
  `evq view -i app.log "where level == 'error'"`,
]

async function runView(options: ViewOptions, context: Context): Promise<ExitCode> {
  const { stdout, env } = context.io
  const problem =
    stdout.isTTY !== true
      ? 'Standard output is not a terminal.'
      : env.TERM === 'dumb'
        ? 'The terminal can only print lines: `TERM` is `dumb`.'
        : undefined
  if (problem !== undefined) {
    throw new UsageError(
      `${problem} \`evq query\` prints events: \`evq query -i app.log "where level == 'error'"\`.`,
    )
  }
  const { viewTarget } = await import('./view/target.js')
  const target = await viewTarget(options, context)
  const { runSession } = await import('./view/session.js')
  return await runSession(target, options, context)
}
