import type { Batch, InputEnd, UnsendableEvent } from '../../../../input/batch.js'
import type { Context } from '../../../context.js'
import type { Interrupt } from '../../../terminal/interrupt.js'
import type { IngestOptions } from '../option/options.js'
import { readInputs } from '../read/inputs.js'

/** The inputs of a preview, and how they are read. */
export interface PreviewOptions {
  readonly options: IngestOptions
  readonly context: Context
  readonly interrupt: Interrupt
}

/** The visitor of the inputs of a preview. */
interface Preview {
  /** The memory of the batch is used again afterwards. */
  batch(batch: Batch): Promise<void> | void
  unsendable(event: UnsendableEvent): void
  end?(end: InputEnd): void
}

/** Reads the inputs of a run that sends nothing. Resolves with the messages about inputs that can't be read. */
export async function previewInputs(
  { options, context, interrupt }: PreviewOptions,
  preview: Preview,
): Promise<readonly string[]> {
  const unreadable: string[] = []
  for await (const item of readInputs(options, context, interrupt.signal)) {
    switch (item.kind) {
      case 'batch':
        await preview.batch(item)
        item.release()
        break
      case 'unsendable':
        preview.unsendable(item)
        break
      case 'end':
        preview.end?.(item)
        break
      case 'unreadable':
        unreadable.push(item.message)
        break
      default:
        item satisfies never
    }
  }
  return unreadable
}
