// Runs a stage of the tests: `npm test` is the fast one, `npm run test:system` the one of whole systems (see `stages.ts`).
// Arguments choose files of both instead, and go to Vitest as they are: `npm test -- cli/ingest -t 'a folder'`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A file system in memory on Linux. */
const MEMORY = '/dev/shm'
const LEAST_MEMORY = 6 * 2 ** 30

const root = join(import.meta.dirname, '../..')
const bin = join(root, 'node_modules/.bin')
const [stage, ...args] = process.argv.slice(2)
const isChosen = args.some((arg) => !arg.startsWith('-'))

/** The steps before the tests: a few files are run at once, and the second stage trusts the checks of the first. */
const steps = [
  ...(isBuilt() ? [] : [['npm', 'run', '--silent', 'build']]),
  ...(isChosen || stage === 'system'
    ? []
    : [
        [join(bin, 'tsc'), '-p', 'test/tsconfig.json'],
        [join(bin, 'biome'), 'check', '--error-on-warnings', '.'],
      ]),
]
const PROJECTS = {
  fast: ['--project=shared', '--project=isolated'],
  system: ['--project=system', '--project=thorough'],
}
const projects = isChosen ? [] : PROJECTS[stage]
const tests = ['run', '--config', 'test/vitest.config.ts', ...projects, ...args]
const temporary = temporaryInMemory()
const env = {
  ...process.env,
  ...(!isChosen && { EVQ_STAGE: stage }),
  ...(temporary !== undefined && { TMPDIR: temporary }),
}

// Ctrl-C ends Vitest, and what it wrote is removed afterwards.
process.on('SIGINT', () => {})
for (const [program, ...words] of [...steps, [join(bin, 'vitest'), ...tests]]) {
  const { status, error } = spawnSync(program, words, { cwd: root, env, stdio: 'inherit' })
  if (error) throw error
  process.exitCode = status ?? 1
  if (process.exitCode !== 0) break
}
if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })

/**
 * Returns a new directory in memory for what tests write, where there is room. Tests then wait for no disk, and take a fifth
 * less CPU time.
 */
function temporaryInMemory() {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return undefined
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize < LEAST_MEMORY ? undefined : mkdtempSync(join(MEMORY, 'evq-'))
}

/** True when nothing that the build reads is newer than what it writes last. */
function isBuilt() {
  const builtAt = changedAt('dist/bundle/evq.1')
  const read = ['src', 'bin/build'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)),
  )
  return [...read, 'package.json', 'package-lock.json', 'tsconfig.json'].every(
    (file) => changedAt(file) <= builtAt,
  )
}

function changedAt(file) {
  return statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
}
