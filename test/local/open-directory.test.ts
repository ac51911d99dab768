import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DirectoryError, directoryError } from '../../src/local/directory-error.js'
import { type DataDirectory, openDataDirectory } from '../../src/local/open-directory.js'
import { socketPath } from '../../src/local/socket-path.js'
import { needs, needsLinux } from '../support/needs.js'
import { removeDirectory } from '../support/remove-directory.js'
import { until } from '../support/until.js'

let root: string
let directory: string
const children: ChildProcessWithoutNullStreams[] = []

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'evq-own-'))
  directory = join(root, 'data', 'evq')
})

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (!child.kill('SIGKILL')) continue
    await once(child, 'exit')
  }
  await removeDirectory(root)
})

const now = () => 1_767_268_800_000_000_000n

async function own(at = directory): Promise<DataDirectory> {
  const owned = await openDataDirectory({ directory: at, now })
  if (owned === undefined) throw new Error('somebody else owns it')
  return owned
}

/** Another process that tries to open the directory, and its outcome. */
async function ownElsewhere(): Promise<{ child: ChildProcessWithoutNullStreams; output: string }> {
  const script = join(import.meta.dirname, '../service/owner.js')
  const child = spawn(process.execPath, [script, directory])
  children.push(child)
  let received = ''
  child.stdout.on('data', (text) => {
    received += text
  })
  child.stderr.on('data', (text) => {
    received += text
  })
  while (!received.includes('\n')) {
    if (child.exitCode !== null) throw new Error(`it ended without a word: ${received}`)
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  }
  return { child, output: received.trim() }
}

async function send(options: {
  readonly socketPath: string
  readonly path: string
  readonly body?: string
  readonly type?: string
}): Promise<{ status: number; body: string }> {
  const outgoing = request({
    socketPath: options.socketPath,
    path: options.path,
    agent: false,
    method: options.body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': options.type ?? 'application/json' },
  })
  outgoing.end(options.body)
  const [incoming] = await once(outgoing, 'response')
  let body = ''
  for await (const piece of incoming) body += piece
  return { status: incoming.statusCode, body }
}

async function ingest(path: string, body: string): Promise<void> {
  const response = await send({ socketPath: path, path: '/v1/ingest/logs', body })
  expect(JSON.parse(response.body)).toMatchObject({ ingested: 1, failed: 0 })
}

async function count(path: string): Promise<number> {
  const response = await send({
    socketPath: path,
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({ apl: "['logs'] | count" }),
  })
  return JSON.parse(response.body).tables[0].columns[0][0]
}

describe('opening a data directory', () => {
  it('creates it for this account only, and serves it without a token', async () => {
    const owned = await own()
    expect(socketPath(directory)).toBe(join(directory, 'evq.sock'))
    await ingest(socketPath(directory), '{"a":1}')
    expect(await count(socketPath(directory))).toBe(1)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    expect((await stat(socketPath(directory))).mode & 0o077).toBe(0)
    await owned.close()
    expect(await readdir(directory)).not.toContain('evq.sock')
  })

  it('protects the events in a directory that all accounts may enter', async () => {
    await mkdir(directory, { recursive: true })
    await chmod(directory, 0o777)
    const owned = await own()
    for (const folder of ['engine', 'spool']) {
      expect((await stat(join(directory, folder))).mode & 0o077, folder).toBe(0)
    }
    await owned.close()
  })

  it('works again after closing, with the data in place', async () => {
    const first = await own()
    await ingest(socketPath(directory), '{"a":1}')
    await first.close()
    const second = await own()
    expect(await count(socketPath(directory))).toBe(1)
    await second.close()
  })

  it('is exclusive within a process too', async () => {
    const owned = await own()
    expect(await openDataDirectory({ directory, now })).toBeUndefined()
    await owned.close()
  })

  it('works when the path is too long for a socket', async () => {
    const long = join(directory, 'x'.repeat(100), 'y'.repeat(100))
    const owned = await own(long)
    expect(Buffer.byteLength(socketPath(long))).toBeLessThan(104)
    expect((await send({ socketPath: socketPath(long), path: '/healthz' })).status).toBe(200)
    expect(await readdir(long)).toContain('evq.sock')
    await owned.close()
    expect(await readdir(long)).not.toContain('evq.sock')
  })

  it('removes bodies that a crash left half received', async () => {
    await (await own()).close()
    await writeFile(join(directory, 'spool', 'body-1.ndjson'), '{"a":')
    const owned = await own()
    expect(await readdir(join(directory, 'spool'))).toEqual([])
    await owned.close()
  })

  it('finishes requests in flight before it closes', async () => {
    const owned = await own()
    const outgoing = request({
      socketPath: socketPath(directory),
      path: '/v1/ingest/logs',
      agent: false,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    const reply = once(outgoing, 'response')
    // More than is kept in memory: the spool file shows that the service has started with the request.
    outgoing.write(`{"a":1}\n${' '.repeat(4 * 1024 * 1024)}\n`)
    const spool = join(directory, 'spool')
    await until(async () => (await readdir(spool)).length > 0, 'a file in the spool')
    const closed = owned.close()
    outgoing.end('{"a":2}\n')
    const [incoming] = await reply
    let body = ''
    for await (const piece of incoming) body += piece
    expect(JSON.parse(body)).toMatchObject({ ingested: 2 })
    await closed
    const again = await own()
    expect(await count(socketPath(directory))).toBe(2)
    await again.close()
  })
})

describe('another process', () => {
  it('finds the directory locked, and uses its socket', async () => {
    const { output } = await ownElsewhere()
    expect(output).toBe('owned')
    expect(await openDataDirectory({ directory, now })).toBeUndefined()
    await ingest(socketPath(directory), '{"a":1}')
    expect(await count(socketPath(directory))).toBe(1)
  })

  it('cannot open the directory while this one holds it', async () => {
    const owned = await own()
    expect((await ownElsewhere()).output).toBe('busy')
    await owned.close()
    expect((await ownElsewhere()).output).toBe('owned')
  })

  it('leaves nothing that locks others out when it is killed', async () => {
    const { child } = await ownElsewhere()
    await ingest(socketPath(directory), '{"a":1}')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await readdir(directory)).toContain('evq.sock')
    const owned = await own()
    expect(await count(socketPath(directory))).toBe(1)
    await owned.close()
  })

  it('is the only one to succeed when several start at once', async () => {
    const all = await Promise.all([ownElsewhere(), ownElsewhere(), ownElsewhere()])
    expect(all.map(({ output }) => output).sort()).toEqual(['busy', 'busy', 'owned'])
  })
})

const needsUser = needs(process.getuid?.() !== 0, 'a user other than root')

describe('a directory that cannot be used', () => {
  it('because the file system does not support creating it is reported', needsLinux, async () => {
    const refused = openDataDirectory({ directory: '/proc/evq/data', now })
    await expect(refused).rejects.toThrow(DirectoryError)
    await expect(refused).rejects.toThrow("`/proc/evq/data` can't be created")
  })

  it('because it is a link to a missing directory is reported', async () => {
    const path = join(root, 'link')
    await symlink('missing', path)
    await expect(own(path)).rejects.toThrow(
      `\`${path}\` can't be created: it is a link to a missing directory, or`,
    )
  })

  it('because it is a file is reported', async () => {
    const path = join(root, 'file')
    await writeFile(path, '')
    const failed = own(path)
    await expect(failed).rejects.toBeInstanceOf(DirectoryError)
    await expect(failed).rejects.toMatchObject({
      message: `The data directory \`${path}\` can't be created: a file with that name exists. Choose another directory with \`--data-dir\`.`,
    })
  })

  it('because it contains other data is reported', async () => {
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'engine'), 'x')
    await expect(own()).rejects.toThrow(DirectoryError)
    await expect(own()).rejects.toThrow(`The data in \`${directory}\` can't be opened`)
  })

  it.each(['evq.sock', 'id'])('because `%s` in it is a directory is reported', async (name) => {
    const path = join(directory, name)
    await mkdir(path, { recursive: true })
    await expect(own()).rejects.toBeInstanceOf(DirectoryError)
    await expect(own()).rejects.toThrow(
      `\`${path}\` is a directory, but evq needs a file with that name. Remove or rename it, or choose another directory with \`--data-dir\`.`,
    )
  })

  it('because its parent is a file is reported', async () => {
    const path = join(root, 'file')
    await writeFile(path, '')
    await expect(own(join(path, 'data'))).rejects.toThrow('a file with that name exists')
  })

  it('because it is not writable is reported', needsUser, async () => {
    await mkdir(directory, { recursive: true })
    await chmod(directory, 0o500)
    await expect(own()).rejects.toThrow('permission denied')
    await chmod(directory, 0o700)
  })

  it('because another user owns files in it is reported', needsUser, async () => {
    const owned = await own()
    await owned.close()
    const part = join(directory, 'engine', 'store')
    await chmod(part, 0o000)
    await expect(own()).rejects.toThrow(`\`${part}\` can't be read or written: permission denied.`)
    await chmod(part, 0o700)
    await (await own()).close()
  })

  it.each([
    ['EACCES', 'permission denied'],
    ['EROFS', 'its file system is read-only'],
    ['ENOSPC', 'the disk is full'],
  ])('is reported for the system error %s', (code, words) => {
    const error = directoryError('/data', Object.assign(new Error(code), { code }))
    expect(error).toBeInstanceOf(DirectoryError)
    expect(String(error)).toContain(words)
  })
})
