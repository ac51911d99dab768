/** Called by commands that will open the engine, before they load the rest of the program. */
export { prepareChdb as startEngine } from '../engine/clickhouse/chdb.js'
