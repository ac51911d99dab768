import { Command } from 'commander'
import type { Context } from './context.js'

export interface IngestOptions {
  readonly dataset: string
  readonly files: readonly string[]
}

/** `evq ingest <dataset> [file…]` */
export function ingestCommand(context: Context, run = runIngest): Command {
  return new Command('ingest')
    .summary('send events from files or standard input')
    .argument('<dataset>', 'the dataset to store them in')
    .argument('[file...]', 'what to read; `-` is standard input')
    .action((dataset: string, files: string[]) => run({ dataset, files }, context))
}

export async function runIngest(options: IngestOptions, context: Context): Promise<void> {
  throw new Error(`not built yet: ${options.dataset} ${context.io.now()}`)
}
