import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../src')

/** The folders that each folder may import, in addition to itself: the picture in `src/README.md`. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  cli: ['input', 'client', 'render', 'local', 'service', 'apl', 'wire', 'text'],
  input: ['wire', 'text'],
  client: ['wire', 'text'],
  render: ['wire', 'text'],
  local: ['service', 'engine', 'wire', 'text'],
  service: ['engine', 'sql', 'apl', 'wire', 'text'],
  engine: ['sql', 'apl', 'wire', 'text'],
  sql: ['apl', 'wire', 'text'],
  apl: ['wire', 'text'],
  wire: ['text'],
  text: [],
}

/** The rooms of `engine/`, from the lowest: each may import those in front of it. Its other files belong to the first room. */
const ENGINE_ROOMS = [
  '.',
  'catalog',
  'clickhouse',
  'maintenance',
  'deduplication',
  'cluster',
  'columns',
  'ingest',
  'store.ts',
  'arrival-order.ts',
  'input',
  'parquet',
]

/** Packages that cost start-up time or are not always installed: only ever imported when needed. */
const LAZY_PACKAGES = [
  'chdb',
  'koffi',
  'undici',
  'ora',
  'cli-table3',
  'csv-stringify',
  'fzstd',
  'smol-toml',
  'xxhash-wasm',
  'pino',
  '@clickhouse/client',
]

/** Loaded together with the service half, which is itself loaded only when needed. */
const SERVICE_PACKAGES = ['prom-client', 'lru-cache']

interface Import {
  readonly from: string
  readonly to: string
  readonly lazy: boolean
}

const all = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)
// AssemblyScript is another language, whose files are programs of their own.
const isAssembly = (file: string) => file.includes('/assembly/')
const files = all.filter((file) => !isAssembly(file))
const imports = files.flatMap(importsOf)
const local = imports.filter(({ to }) => to.startsWith('.'))

describe('imports', () => {
  it('are found', () => {
    expect(local.length).toBeGreaterThan(100)
  })

  it('flow down', () => {
    expect(local.filter((entry) => !flowsDown(entry))).toEqual([])
  })

  it('flow down within the engine', () => {
    const within = local.filter(
      ({ from, to }) => folderOf(from) === 'engine' && target(from, to) === 'engine',
    )
    expect(within.length).toBeGreaterThan(100)
    const upward = within.filter(({ from, to }) => {
      const imported = relative(src, resolve(src, dirname(from), to)).replace(/\.js$/, '.ts')
      return roomOf(from) < roomOf(imported)
    })
    expect(upward).toEqual([])
    expect(within.map(({ from }) => roomOf(from))).not.toContain(-1)
  })

  it('of AssemblyScript stay within a program', () => {
    const programs = all.filter(isAssembly)
    expect(programs.length).toBeGreaterThan(10)
    const outside = programs.flatMap(importsOf).filter(({ from, to }) => {
      const folder = dirname(from)
      const imported = relative(src, dirname(resolve(src, folder, to)))
      return ![folder, 'wire', 'wire/assembly'].includes(imported)
    })
    expect(outside).toEqual([])
  })

  it('form no cycle among files, neither of values nor of types', () => {
    expect(cycles(local)).toEqual([])
  })

  it('are checked for cycles', () => {
    const imported = (from: string, to: string) => ({ from, to, lazy: true })
    const chain = [imported('a.ts', './b.js'), imported('b.ts', './c/d.js')]
    expect(cycles(chain)).toEqual([])
    expect(cycles([...chain, imported('c/d.ts', '../a.js')])).toEqual([['a.ts', 'b.ts', 'c/d.ts']])
  })

  it('name the file that defines the thing', () => {
    expect(local.filter(({ to }) => !to.endsWith('.js') || to.endsWith('/index.js'))).toEqual([])
  })

  it('load the heavy packages only when they are needed', () => {
    const eager = imports.filter(({ to, lazy }) => !lazy && LAZY_PACKAGES.includes(packageOf(to)))
    expect(eager).toEqual([])
  })

  it('leave the packages of the service to the service half', () => {
    const elsewhere = imports.filter(
      ({ from, to }) =>
        SERVICE_PACKAGES.includes(packageOf(to)) &&
        !['local', 'service', 'engine', 'sql', 'apl'].includes(folderOf(from)),
    )
    expect(elsewhere).toEqual([])
  })

  it('leave the packages of the language server to `evq lsp`, which is loaded on demand', () => {
    const all = imports.filter(({ to }) => packageOf(to).startsWith('vscode-'))
    expect(all.length).toBeGreaterThan(0)
    expect(all.filter(({ from }) => !from.startsWith('cli/commands/lsp/'))).toEqual([])
    const eager = local.filter(
      ({ from, to, lazy }) =>
        !lazy && !from.startsWith('cli/commands/lsp/') && to.includes('lsp/server.js'),
    )
    expect(eager).toEqual([])
  })

  it('reach a command from the program, the help and other commands only', () => {
    const others = local.filter(
      ({ from, to }) =>
        /^cli\/(?!commands\/|help\/|program\.ts)/.test(from) &&
        relative(src, resolve(src, dirname(from), to)).startsWith('cli/commands/'),
    )
    expect(others).toEqual([])
  })

  it('load the service half only for the commands that need it', () => {
    const eager = local.filter(
      ({ from, to, lazy }) =>
        !lazy && folderOf(from) === 'cli' && ['local', 'service'].includes(target(from, to)),
    )
    expect(eager).toEqual([])
  })

  it('reach the compiler from the command line through one file', () => {
    const others = local.filter(
      ({ from, to }) =>
        folderOf(from) === 'cli' &&
        target(from, to) === 'apl' &&
        resolve(src, dirname(from), to) !== resolve(src, 'apl/language.js'),
    )
    expect(others).toEqual([])
  })
})

describe('exports', () => {
  it('never change, since the files of the bundle copy them', () => {
    const changing = files.filter((file) =>
      /^export (?:let|var)\b/m.test(readFileSync(join(src, file), 'utf8')),
    )
    expect(changing).toEqual([])
  })
})

/** The groups of files that reach each other through imports, sorted; a file alone is not one. */
function cycles(edges: readonly Import[]): readonly (readonly string[])[] {
  const targets = new Map<string, string[]>()
  for (const { from, to } of edges) {
    const file = relative(src, resolve(src, dirname(from), to)).replace(/\.js$/, '.ts')
    targets.set(from, [...(targets.get(from) ?? []), file])
  }
  const reached = (start: string) => {
    const found = new Set<string>()
    const open = [...(targets.get(start) ?? [])]
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (found.has(file)) continue
      found.add(file)
      open.push(...(targets.get(file) ?? []))
    }
    return found
  }
  const all = new Map([...targets.keys()].map((file) => [file, reached(file)]))
  const inCycle = [...all.keys()].filter((file) => all.get(file)?.has(file)).sort()
  const groups = inCycle.map((file) =>
    inCycle.filter((other) => all.get(file)?.has(other) && all.get(other)?.has(file)),
  )
  return [...new Map(groups.map((group) => [group[0], group])).values()]
}

/** Every import of a file but those of types alone, which cost nothing and load nothing. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8')
  const fixed = [...text.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'/gms)]
  const lazy = [...text.matchAll(/import\('([^']+)'\)/g)]
  const types = [...text.matchAll(/^import type [^;]*?from '([^']+)'/gms)]
  return [
    ...fixed.map((match) => ({ from: file, to: match[1]!, lazy: false })),
    ...lazy.map((match) => ({ from: file, to: match[1]!, lazy: true })),
    // A type import never loads a package or a file, but it must flow down like any other.
    ...types
      .filter((match) => match[1]!.startsWith('.'))
      .map((match) => ({ from: file, to: match[1]!, lazy: true })),
  ]
}

function flowsDown({ from, to }: Import): boolean {
  const folder = folderOf(from)
  const imported = target(from, to)
  if (folder === imported) return true
  if (folder === '') return imported === 'cli' || imported === 'wire' || imported === 'text'
  return MAY_IMPORT[folder]?.includes(imported) ?? false
}

/** The place of a file's room in the order of `engine/`. */
function roomOf(file: string): number {
  const [, room = '', inside] = file.split('/')
  return ENGINE_ROOMS.indexOf(inside === undefined && !ENGINE_ROOMS.includes(room) ? '.' : room)
}

function target(from: string, to: string): string {
  return folderOf(relative(src, resolve(src, dirname(from), to)))
}

function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : ''
}

function packageOf(name: string): string {
  return name.startsWith('@') ? name.split('/', 2).join('/') : name.split('/', 1)[0]!
}
