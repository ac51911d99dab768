import { InputScan, type ScannedGroup, type UnfitLines } from '../engine/input/input-scan.js'

export type { ScannedGroup, UnfitLines }

/** A scan of the events of files for one query, which goes on while the engine is opened. */
export type FileScan = InputScan

/** Starts a scan; returns undefined when the first events show that they have to be stored. Throws when a file can't be read. */
export function startFileScan(
  ...[options]: Parameters<typeof InputScan.start>
): FileScan | undefined {
  return InputScan.start(options)
}
