import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { offerDirectory, requestDirectory } from '../../src/local/offered-directory.js'
import { needs } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'

const REQUESTER = join(import.meta.dirname, 'requester.js')
const UNSHARE = ['--pid', '--fork', '--mount-proc', '--kill-child']

/** Runs a script in a PID namespace of its own, as a container does. Its `$1` is a process id that the next process gets. */
function inContainer(script: string, id: number, ...args: readonly string[]): string {
  const choice = 'echo $(($1 - 1)) > /proc/sys/kernel/ns_last_pid'
  const command = ['sh', '-ec', `${choice}; ${script}`, 'sh', String(id), ...args]
  return execFileSync('unshare', [...UNSHARE, ...command], { encoding: 'utf8', stdio: 'pipe' })
}

function hasContainers(): boolean {
  try {
    return inContainer('sleep 0 & echo $!', 4_321) === '4321\n'
  } catch {
    return false
  }
}

/** A process that ends only by a signal. */
function endless(): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** A directory that is offered by this process, and locked by the process with an id. */
async function offered(id: number): Promise<string> {
  const directory = temporaryDirectory()
  await offerDirectory(directory)
  writeFileSync(join(directory, 'lock'), `${id}\n`)
  return directory
}

describe('a directory that a process offers', () => {
  it('is left by this process when another one requests it', async () => {
    const child = endless()
    const directory = temporaryDirectory()
    const holder = spawn(process.execPath, [REQUESTER, directory, 'offer'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    writeFileSync(join(directory, 'lock'), `${child.pid}\n`)
    expect(await requestDirectory(directory)).toBe(false)
    writeFileSync(join(directory, 'lock'), `${holder.pid}\n`)
    expect(await requestDirectory(directory)).toBe(true)
    expect(await once(holder, 'exit')).toEqual([null, 'SIGTERM'])
  })

  it(
    'ends no process of another container that has its id',
    needs(hasContainers(), 'PID namespaces'),
    async () => {
      const directory = await offered(process.pid)
      const script = 'sleep 600 & "$2" "$3" "$4"; kill -0 $! && echo $!'
      const output = inContainer(script, process.pid, process.execPath, REQUESTER, directory)
      expect(output).toBe(`false\n${process.pid}\n`)
    },
  )
})
