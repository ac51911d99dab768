import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventOptions } from '../../wire/event/event-options.js'
import type { Dataset } from '../catalog/dataset.js'
import type { LineCounts, Lines } from '../line-reader.js'
import { plainSchemaOf } from './plain-schema.js'
import type { ColumnTarget } from './scan/column-file.js'
import { scanLines } from './scan/scan-lines.js'
import type { ScanSchema } from './scan/scan-schema.js'

/** Files whose lines are all plain events. */
export interface PlainScan {
  /** True when the time of each event is null or a string that the engine reads by itself. */
  readonly hasEngineTimes: boolean
}

/** Lines with one set of options. */
export interface UnscannedLines {
  readonly lines: Lines
  readonly terms: EventOptions
  /** The file for the columns of the events. */
  readonly target: ColumnTarget | undefined
}

/** Lines, and the result of examining them with a schema. */
export interface ScannedLines extends UnscannedLines {
  scan: SchemaScan
}

interface SchemaScan extends PlainScan {
  readonly schema: ScanSchema | undefined
  readonly isPlain: boolean
  /** The file with the columns of the events, if they were written. */
  readonly columns?: string
}

/** Returns a file for the columns of events. Small batches have none, nor has one with times in a format given by the client. */
export function columnTarget(
  folder: string,
  {
    lines,
    terms,
    arrivedAt,
  }: Pick<UnscannedLines, 'lines' | 'terms'> & Pick<ColumnTarget, 'arrivedAt'>,
): ColumnTarget | undefined {
  if (lines.kind === 'bytes' || terms.timeFormat !== undefined) return undefined
  return { path: join(folder, `body-${randomUUID()}.columns`), arrivedAt }
}

/** Removes the file of columns; one that can't be removed remains until the next start. */
export async function removeColumns({ target }: UnscannedLines): Promise<void> {
  if (target !== undefined) await rm(target.path, { force: true }).catch(() => {})
}

/** Counts lines, and examines whether they are plain events of a dataset. */
export async function scanned(
  { lines, terms, target }: UnscannedLines,
  dataset: Dataset | undefined,
): Promise<{ readonly counts: LineCounts; readonly scan: SchemaScan }> {
  const schema = dataset && plainSchemaOf(dataset, terms)
  const { counts, ...scan } = await scanLines(lines, schema, target)
  return { counts, scan: { ...scan, schema } }
}

/**
 * Returns the result for the lines of several batches; undefined when not all are plain events of the dataset. Lines that
 * were examined with another schema are examined again.
 */
export async function plainScanOf(
  batches: readonly ScannedLines[],
  dataset: Dataset,
): Promise<PlainScan | undefined> {
  for (const batch of batches) {
    const schema = plainSchemaOf(dataset, batch.terms)
    if (schema === undefined) return undefined
    if (batch.scan.schema !== schema) batch.scan = (await scanned(batch, dataset)).scan
    if (!batch.scan.isPlain) return undefined
  }
  return { hasEngineTimes: batches.every(({ scan }) => scan.hasEngineTimes) }
}
