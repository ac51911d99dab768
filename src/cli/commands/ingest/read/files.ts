import { filesBelow, isDirectory } from '../../../../input/walk.js'
import type { Context } from '../../../context.js'
import { counted } from '../../../option/quantity.js'
import type { IngestOptions } from '../option/options.js'

/** The inputs that the command line names, one after the other; directories as the files below them, when asked for. */
export async function* inputNames(
  { files, recursive }: Pick<IngestOptions, 'files' | 'recursive'>,
  { say }: Pick<Context, 'say'>,
): AsyncGenerator<string> {
  for (const file of files.length === 0 ? ['-'] : files) {
    if (recursive !== true || file === '-' || !(await isDirectory(file))) {
      yield file
      continue
    }
    const found = await filesBelow(file)
    say(`Reads ${counted(found.length, 'file')} below \`${file}\`.`)
    yield* found
  }
}
