import { Command } from 'commander'
import type { Context } from '../context.js'
import { EXIT } from '../exit-code.js'
import { examples } from '../help/examples.js'
import { type AddFlags, addProfile } from './profile/add.js'
import { removeProfile, useProfile } from './profile/change.js'
import { listProfiles } from './profile/list.js'

/** `evq profile add|list|use|remove` */
export function profileCommand(context: Context): Command {
  const finish = async (done: Promise<void>): Promise<void> => {
    await done
    context.finish(EXIT.done)
  }
  return new Command('profile')
    .summary('name deployments')
    .description(
      'Names deployments, so that `--profile prod` or a default stands for an address, a token and the rest. The shared flags say what a profile holds: --url, --ingest-url, --org-id, --token-file, --ca-file, --proxy, --timeout.',
    )
    .addCommand(addCommand(context, finish))
    .addCommand(
      new Command('list')
        .summary('print the profiles')
        .description('Prints the profiles, and where each has its token from; never the token.')
        .addHelpText('after', () => examples(['evq profile list']))
        .action(() => finish(listProfiles(context))),
    )
    .addCommand(
      new Command('use')
        .summary('choose the default')
        .description(
          'Makes a profile the one that is meant when nothing else is said; `local` is the data directory.',
        )
        .argument('<profile>', 'a profile, or `local`')
        .addHelpText('after', () => examples(['evq profile use prod', 'evq profile use local']))
        .action((name: string) => finish(useProfile(name, context))),
    )
    .addCommand(
      new Command('remove')
        .summary('forget a profile')
        .description('Removes a profile from the configuration.')
        .argument('<profile>', 'a profile')
        .addHelpText('after', () => examples(['evq profile remove staging']))
        .action((name: string) => finish(removeProfile(name, context))),
    )
    .addHelpText('after', () => examples(PROFILE_EXAMPLES))
}

const PROFILE_EXAMPLES = [
  'evq profile add prod --url https://logs.example.com --token-file ~/.evq-token',
  'evq profile use prod',
  'evq query "[\'logs\'] | count" --profile staging',
]

function addCommand(context: Context, finish: (done: Promise<void>) => Promise<void>): Command {
  return new Command('add')
    .summary('add a profile, or replace one')
    .description(
      'Adds a profile, or replaces the one of that name, which keeps its token unless another one is given. No flag takes the text of a token.',
    )
    .argument('<name>', 'what to call it')
    .option('--org-header <name>', 'what the organization header is called there')
    .option('--token-command <command>', 'a command that prints the token')
    .option('--token-stdin', 'keep the token that standard input holds')
    .addHelpText('after', () =>
      examples([
        PROFILE_EXAMPLES[0]!,
        "evq profile add prod --url https://logs.example.com --token-command 'pass evq'",
        'evq profile add prod --url https://logs.example.com --token-stdin < token',
      ]),
    )
    .action((name: string, flags: AddFlags) => finish(addProfile(name, flags, context)))
}
