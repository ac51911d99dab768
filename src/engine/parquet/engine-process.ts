import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Sql } from '../../sql/sql.js'
import { EngineMissingError } from '../clickhouse/chdb.js'

export interface StatementOptions {
  /** True for a statement whose rows go to a file; otherwise they are streamed. */
  readonly writesFile: boolean
  /** A statement whose only value is a statement to run instead; if it fails, the given one shows why. */
  readonly composer?: Sql
  readonly signal?: AbortSignal | undefined
}

// An engine can open only one directory in a process, and this process may have the data directory open.
const SCRIPT = `
const { Session } = require(process.argv[1])
const write = (bytes) => new Promise((resolve, reject) =>
  process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())))
async function run() {
  const session = new Session(process.argv[2], { connectionArgs: [] })
  let { statement, composer, writesFile } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
  try {
    if (composer) statement = session.query(composer, 'TSVRaw').toString()
  } catch {}
  if (writesFile) await session.queryAsync(statement)
  else for await (const chunk of session.queryStream(statement)) await write(chunk.raw())
  session.close()
}
run().catch((error) => {
  process.stderr.write(String(error.message))
  process.exitCode = 1
})`

/** An engine in another process, which runs one statement. */
export type EngineProcess = ReturnType<typeof startEngine>

/** Starts an engine in an empty directory. Throws an `EngineMissingError` when the engine is not installed. */
export function startEngine(directory: string) {
  const child = spawn(process.execPath, ['-e', SCRIPT, '--', enginePath(), directory], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const kill = () => void child.kill('SIGKILL')
  let message = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    message += piece
  })
  // The process may end before it has read everything; its exit code counts.
  child.stdin.on('error', () => {})
  const ended = new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, name) =>
      resolve(code === 0 ? undefined : message || `the engine ended with ${name ?? code}`),
    )
  })
  return {
    /**
     * Runs the statement. Its output ends early when it fails; `ended` resolves with the message of the engine then, otherwise with
     * undefined.
     */
    run(statement: Sql, { writesFile, composer, signal }: StatementOptions) {
      if (signal?.aborted === true) kill()
      else signal?.addEventListener('abort', kill)
      child.stdin.end(
        JSON.stringify({ writesFile, statement: statement.text, composer: composer?.text }),
      )
      return { output: child.stdout, ended }
    },
    /** Ends the process, also without a statement. */
    async close(): Promise<void> {
      kill()
      await ended
    },
  }
}

function enginePath(): string {
  try {
    return createRequire(import.meta.url).resolve('chdb')
  } catch (cause) {
    throw new EngineMissingError(cause)
  }
}

/** Returns the part of an engine's error message that describes the cause. */
export function engineReason(message: string): string {
  // The message of a nested error is at the end. The path in it is a temporary link to the file.
  const inner = message.split('DB::Exception: ').at(-1)!
  return inner.split(/\. \(|\n|: (?:While |In scope |\(in file)/)[0]!.slice(0, 300)
}
