import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { cannedService } from '../support/canned-service.js'
import { needs } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'

const root = join(import.meta.dirname, '../..')
const directory = temporaryDirectory()
const { version } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
}
let copies = 0

/** The program as a package has it: without the modules, without other packages, and not compiled yet. */
function installed(): string {
  const place = join(directory, `copy-${++copies}`)
  for (const part of ['bin', 'dist/bundle', 'package.json']) {
    fs.cpSync(join(root, part), join(place, part), {
      recursive: true,
      // Another test may be writing one, under a name with its process id.
      filter: (file) => !/\.cache(?:\.\d+)?$/.test(file),
    })
  }
  return place
}

function run(place: string, args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(place, 'bin/evq.js'), ...args],
    {
      env: { PATH: process.env.PATH, XDG_CACHE_HOME: join(place, 'cache'), ...env },
      encoding: 'utf8',
      timeout: 60_000,
    },
  )
  return { status, stdout, stderr }
}

/** For tests that change nothing in it. */
const shared = installed()

const twoCores = needs(availableParallelism() > 1, 'two cores')
const expected = { status: 0, stdout: `${version}\n`, stderr: '' }

function bundled(place: string, pattern: RegExp): string[] {
  return fs.readdirSync(join(place, 'dist/bundle')).filter((name) => pattern.test(name))
}

describe('the program as it is installed', () => {
  it('needs nothing beside its bundle, and keeps what was compiled there', () => {
    const place = installed()
    expect(run(place, ['--version'])).toEqual(expected)
    expect(bundled(place, /^main\.cjs\..*\.cache$/)).toHaveLength(1)
    expect(run(place, ['--version'])).toEqual(expected)
    expect(fs.existsSync(join(place, 'cache'))).toBe(false)
  })

  it('names the version of Node that it requires', () => {
    const { engines } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8')) as {
      engines: { node: string }
    }
    const required = engines.node.slice('>='.length)
    const file = join(directory, 'version.cjs')
    const runOn = (version: string) => {
      const code = `Object.defineProperty(process, 'version', { value: '${version}' })`
      fs.writeFileSync(file, code)
      return run(shared, ['--version'], { NODE_OPTIONS: `--require=${file}` })
    }
    for (const old of ['v14.21.3', 'v18.20.8', 'v20.17.0']) {
      const stderr = `evq requires Node ${required} or later; \`${process.execPath}\` is ${old}.\n`
      expect(runOn(old)).toEqual({ status: 1, stdout: '', stderr })
    }
    for (const current of [`v${required}.0`, 'v22.0.0']) expect(runOn(current)).toEqual(expected)
  })

  it('contains ASCII only, because it is read as latin1', () => {
    const places = bundled(shared, /\.cjs$/).flatMap((name) => {
      const text = fs.readFileSync(join(shared, 'dist/bundle', name), 'utf8')
      return text.match(/.{0,40}[^\0-\x7f].{0,40}/g) ?? []
    })
    expect(places).toEqual([])
  })

  it('has no small files with code that several commands share', () => {
    const sizes = bundled(shared, /^chunk-.*\.cjs$/).map(
      (name) => fs.statSync(join(shared, 'dist/bundle', name)).size,
    )
    expect(Math.min(...sizes)).toBeGreaterThan(32 * 1024)
  })

  it('starts through a symbolic link', () => {
    const link = join(directory, 'evq')
    fs.symlinkSync(join(shared, 'bin/evq.js'), link)
    expect(execFileSync(process.execPath, [link, '-V'], { encoding: 'utf8' })).toBe(expected.stdout)
  })

  it('keeps what was compiled in the cache directory when its own cannot be written', () => {
    const place = installed()
    run(place, ['--version'])
    const [name = ''] = bundled(place, /^main\.cjs\..*\.cache$/)
    // A directory in the file's place stops every user from writing it, the superuser too.
    fs.rmSync(join(place, 'dist/bundle', name))
    fs.mkdirSync(join(place, 'dist/bundle', name))
    expect(run(place, ['--version'])).toEqual(expected)
    const cached = fs.readdirSync(join(place, 'cache/evq'), { recursive: true }).map(String)
    expect(cached.filter((path) => path.endsWith(name))).toHaveLength(1)
    expect(run(place, ['--version'])).toEqual(expected)
  })

  it('runs where nothing can be written', () => {
    const place = installed()
    run(place, ['--version'])
    for (const name of bundled(place, /\.cache$/)) {
      fs.rmSync(join(place, 'dist/bundle', name))
      fs.mkdirSync(join(place, 'dist/bundle', name))
    }
    for (const home of ['/dev/null', '/proc/evq/cache'])
      expect(run(place, ['--version'], { XDG_CACHE_HOME: home })).toEqual(expected)
  })

  it('keeps compiled code that Node accepts, whichever command kept it', async () => {
    const place = installed()
    const input = join(place, 'events.log')
    fs.writeFileSync(input, '2026-01-01 00:00:00,000 INFO [main] a.B - one\n')
    const service = await cannedService()
    service.respondWith({ body: { ingested: 1, failed: 0, failures: [], processedBytes: 1 } })
    const env = { PATH: process.env.PATH, XDG_STATE_HOME: join(place, 'state') }
    const args = [join(place, 'bin/evq.js'), 'ingest', 'logs', input, '-q', '--url', service.url]
    await promisify(execFile)(process.execPath, args, { env })
    const check = `
      const [fs, vm] = [require('node:fs'), require('node:vm')]
      for (const cache of process.argv.slice(1)) {
        const source = fs.readFileSync(cache.replace(/\\.v\\d+.*$/, ''), 'latin1')
        const script = new vm.Script(source, { cachedData: fs.readFileSync(cache) })
        if (script.cachedDataRejected) console.log(cache)
      }`
    const caches = bundled(place, /\.cache$/).map((name) => join(place, 'dist/bundle', name))
    expect(caches.length).toBeGreaterThan(2)
    const rejected = execFileSync(process.execPath, ['-e', check, ...caches], { encoding: 'utf8' })
    expect(rejected).toBe('')
  })

  it('resets each flag of V8 that stays changed before it keeps compiled code', () => {
    const src = join(root, 'src')
    const changed = fs
      .readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const text = fs.readFileSync(join(src, file), 'utf8')
        const set = /(?<=setFlagsFromString\(['`]--(?:no-)?)(?!no-)[\w-]+/g
        const names: readonly string[] = text.match(set) ?? []
        // A flag that a file sets twice is reset there.
        return names.filter((name) => names.indexOf(name) === names.lastIndexOf(name))
      })
    expect(changed).toContain('heap-growing-percent')
    const chunks = fs.readFileSync(join(root, 'bin/chunks.js'), 'utf8')
    const reset = chunks.match(/(?<='--(?:no-)?)(?!no-)[\w-]+/g)
    expect(reset).toEqual(expect.arrayContaining([...new Set(changed)]))
  })

  it('runs with compiled code that is damaged', () => {
    const place = installed()
    run(place, ['--version'])
    for (const [index, name] of bundled(place, /\.cache$/).entries()) {
      const file = join(place, 'dist/bundle', name)
      const bytes = fs.readFileSync(file)
      fs.writeFileSync(file, index % 2 === 0 ? bytes.subarray(0, bytes.length / 2) : 'damaged')
    }
    expect(run(place, ['--version'])).toEqual(expected)
  })

  it('keeps nothing that was compiled under flags', () => {
    const place = installed()
    expect(run(place, ['--version'], { NODE_OPTIONS: '--max-old-space-size=1000' })).toEqual(
      expected,
    )
    expect(bundled(place, /\.cache$/)).toEqual([])
  })

  it('converts a log that goes on and on with a thread', twoCores, async () => {
    const place = installed()
    const worker = `const { parentPort } = require('node:worker_threads')
      parentPort.postMessage({ kind: 'ready' })
      parentPort.on('message', ({ kind }) => {
        if (kind === 'convert') throw new Error('this is the thread')
      })`
    fs.writeFileSync(join(place, 'bin/conversion-worker.js'), worker)
    const args = ['ingest', 'logs', '--dry-run', '--batch-size', '1000']
    const child = spawn(process.execPath, [join(place, 'bin/evq.js'), ...args], {
      env: { PATH: process.env.PATH, HOME: place, XDG_CACHE_HOME: join(place, 'cache') },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    child.stdin.on('error', () => {})
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    const ended = once(child, 'close')
    const lines = '2026-02-03 04:05:06,789 INFO [main] com.example.Main - started\n'.repeat(1000)
    while (child.exitCode === null) {
      if (!child.stdin.writableNeedDrain) child.stdin.write(lines)
      await sleep(1)
    }
    await ended
    expect(errors).toContain('this is the thread')
  })

  it('says that reading Parquet needs the engine, where it is not installed', () => {
    const file = join(directory, 'rows.parquet')
    fs.writeFileSync(file, 'PAR1')
    const { status, stderr } = run(shared, ['ingest', 'logs', file, '--url', 'http://127.0.0.1:1'])
    expect(stderr).toMatch(/is not installed. Install it with `npm install chdb/)
    expect(status).toBe(1)
  })

  it('names the lines of the source when asked where a failure comes from', () => {
    const url = 'http://127.0.0.1:1'
    const { stderr } = run(shared, ['query', 'logs', '--url', url, '--debug'])
    const [, file, line] = /at networkError \((src\/[\w./-]+):(\d+):\d+\)/.exec(stderr) ?? []
    expect(file).toBe('src/client/error.ts')
    const lines = fs.readFileSync(join(root, String(file)), 'utf8').split('\n')
    expect(lines[Number(line) - 1]).toContain('new NetworkError(')
  })
})

describe('the program in development', () => {
  it('is the modules when they are newer than the bundle', () => {
    const place = installed()
    const modules = join(place, 'dist/main.js')
    const text = `export const signalOf = () => undefined
      export async function main() { process.stdout.write('modules'); return 0 }`
    fs.writeFileSync(modules, text)
    // The clock of the file system has ticks.
    const later = Date.now() / 1000 + 60
    fs.utimesSync(modules, later, later)
    expect(run(place, ['-V']).stdout).toBe('modules')
    fs.utimesSync(modules, 0, 0)
    expect(run(place, ['-V'])).toEqual(expected)
  })

  it('explains how to build it', () => {
    const place = installed()
    fs.rmSync(join(place, 'dist'), { recursive: true })
    const stderr = 'evq is not built yet: `npm run build` does it.\n'
    expect(run(place, ['-V'])).toEqual({ status: 1, stdout: '', stderr })
  })
})

describe('the package', () => {
  it('holds what runs and nothing else', () => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
    const [packed] = JSON.parse(
      execFileSync('npm', args, {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as { files: { path: string }[] }[]
    const paths = packed?.files.map(({ path }) => path) ?? []
    const around = ['README.md', 'CHANGELOG.md', 'LICENSE', 'package.json', 'bin/evq.js']
    expect(paths).toEqual(expect.arrayContaining([...around, 'dist/bundle/main.cjs']))
    const others = paths.filter(
      (path) => !/^(?:(?:bin|dist\/bundle)\/|dist\/[a-z-]+\.wasm$)/.test(path),
    )
    const modules = [
      'dist/csv-rows.wasm',
      'dist/event-scanner.wasm',
      'dist/line-rewriter.wasm',
      'dist/transposer.wasm',
    ]
    expect(paths.filter((path) => path.endsWith('.wasm')).sort()).toEqual(modules)
    expect(others.sort()).toEqual(around.slice(0, 4).sort())
    expect(paths.filter((path) => path.includes('.cache'))).toEqual([])
  })

  it('lists its manual page as npm links it: only a list is, and only names that end with a section', () => {
    const { man } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8')) as {
      man: unknown
    }
    expect(man).toEqual(['dist/bundle/evq.1'])
    expect(fs.readFileSync(join(root, 'dist/bundle/evq.1'), 'utf8')).toMatch(/^\.TH EVQ 1 /)
  })
})
