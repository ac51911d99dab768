import { join } from 'node:path'
import { writeChunks } from './commands.js'

const API = join(import.meta.dirname, '../../node_modules/@duckdb/node-api/lib/index.js')

/**
 * Writes a program that runs statements in DuckDB with two threads, and returns its path. `${FILE}`, `${OUT}` and `${DUCKDB}` in
 * the statements are replaced by the environment; the latter is also the database, in memory without it.
 */
export function duckdbScript(directory, ...statements) {
  const script = join(directory, `${statements[0].slice(0, 4)}.mjs`)
  writeChunks(script, [
    `import duckdb from ${JSON.stringify(API)}
    const { FILE, OUT, DUCKDB = ':memory:' } = process.env
    const instance = await duckdb.DuckDBInstance.create(DUCKDB, { threads: '2' })
    const connection = await instance.connect()
    for (const sql of [${statements.map((sql) => `\`${sql}\``)}]) await connection.runAndReadAll(sql)
    connection.closeSync()
    instance.closeSync()`,
  ])
  return script
}
