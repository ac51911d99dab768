/** A scan of events for one query, which goes on while the engine is opened. */
export { InputScan as FileScan, type ScannedGroup } from '../engine/input/input-scan.js'
