import { InputScan } from '../engine/input/input-scan.js'

export type { ScannedGroup } from '../engine/input/input-scan.js'

/** A scan of events for one query, which goes on while the engine is opened. */
export type FileScan = InputScan

/** Starts a scan of files; see `InputScan.start`. */
export function startFileScan(
  ...[options]: Parameters<typeof InputScan.start>
): FileScan | undefined {
  return InputScan.start(options)
}

/** Starts a scan of lines; see `InputScan.open`. */
export function openLineScan(
  ...[options]: Parameters<typeof InputScan.open>
): FileScan | undefined {
  return InputScan.open(options)
}
