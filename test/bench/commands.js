// Shared code of benchmarks of commands: shell scripts, timed in alternation.
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Node and the program as words of a shell script. */
export const node = `"${process.execPath}"`
export const evq = `${node} "${join(import.meta.dirname, '../../bin/evq.js')}"`

export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** The duration of a script in milliseconds. */
export function shellMs(script, env) {
  const start = performance.now()
  const { status, stderr } = spawnSync('sh', ['-c', script], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr}`)
  return performance.now() - start
}

/** The milliseconds until the first output of a script. */
export function firstByteMs(script, env) {
  const start = performance.now()
  const child = spawn('sh', ['-c', `exec ${script}`], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    let ms
    child.stdout.once('data', () => {
      ms = performance.now() - start
      child.stdout.destroy()
    })
    child.on('exit', () =>
      ms === undefined ? reject(new Error(`${script} wrote nothing`)) : resolve(ms),
    )
  })
}

/** The median of each script's times, one after the other in each round; `before` is not timed. */
export function interleaved(scripts, { env, runs, before = () => {} }) {
  const times = Object.fromEntries(Object.keys(scripts).map((name) => [name, []]))
  for (let round = 0; round < runs; round++) {
    for (const [name, script] of Object.entries(scripts)) {
      before()
      times[name].push(shellMs(script, env))
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]))
}

/** The median wall and CPU time of each script in milliseconds, one after the other in each round; `clean` runs before each. */
export function interleavedUsage(scripts, { env, runs, clean }) {
  const all = Object.fromEntries(Object.keys(scripts).map((name) => [name, []]))
  for (let round = 0; round < runs; round++) {
    for (const [name, script] of Object.entries(scripts)) {
      // Without this, a program that waits for the disk also waits for what was written before.
      shellMs(`${clean}; sync`, env)
      all[name].push(usage(script, env))
    }
  }
  const medians = Object.entries(all).map(([name, runs]) => [
    name,
    { ms: median(runs.map(({ ms }) => ms)), cpuMs: median(runs.map(({ cpuMs }) => cpuMs)) },
  ])
  return Object.fromEntries(medians)
}

/** The wall and CPU time of a script, measured by bash because Node does not report the CPU time of children. */
function usage(script, env) {
  const timed = `TIMEFORMAT="%3R %3U %3S"; time { ${script}\n}`
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', timed], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr}`)
  const [real, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number)
  return { ms: real * 1000, cpuMs: (user + system) * 1000 }
}

/** The peak memory of a Node program in bytes, as reported by `most-memory.cjs` on descriptor 3. */
export function mostMemory(script, env) {
  const stdio = ['ignore', 'ignore', 'inherit', 'pipe']
  const { output } = spawnSync('sh', ['-c', script], { env, stdio, encoding: 'utf8' })
  return usageIn(output[3]).bytes
}

/** Returns what `most-memory.cjs` has written. */
export function usageIn(text) {
  const [bytes, cpuMs] = text.split(' ').map(Number)
  return { bytes, cpuMs }
}

/** A Node command that reports its memory. */
export function watched(command) {
  return command.replace(' ', ` -r "${join(import.meta.dirname, 'most-memory.cjs')}" `)
}

export function writeChunks(file, chunks) {
  const descriptor = openSync(file, 'w')
  for (const chunk of chunks) writeSync(descriptor, chunk)
  closeSync(descriptor)
}

/** Starts a service that only counts the lines that it receives, in a separate process. */
export async function startSink() {
  const script = join(import.meta.dirname, 'null-sink.js')
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve)
    child.once('exit', () => reject(new Error('the sink ended')))
  })
  return { url: `http://127.0.0.1:${port.trim()}`, stop: () => child.kill() }
}
