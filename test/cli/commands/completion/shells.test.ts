// The scripts in their shells, with simulated typing. Shells that are not installed are skipped.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Shell } from '../../../../src/cli/commands/completion/scripts.js'
import { main } from '../../../../src/main.js'
import { cannedService } from '../../../support/canned-service.js'
import { fakeIo } from '../../../support/fake-io.js'
import { needs } from '../../../support/needs.js'
import { hasTerminal, startOnTerminal, type Terminal } from '../../../support/pty.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const home = temporaryDirectory()
const files = join(home, 'files')
const binary = join(import.meta.dirname, '../../../../bin/evq.js')
const service = await cannedService()

/** Dataset names that are difficult for shells, each with a distinct first character. */
const NAMES = ['my logs', 'a:b', 'c=d', "it's", 'say "hi"', 'back\\slash', '$HOME', '注文', '[x]*']
service.respondWith({ body: NAMES.map((name) => ({ name })) })

// Without the last of these, fish generates completions from all manual pages in the background.
const FOLDERS = 'bin files evq zsh fish/completions autoload data/fish/generated_completions'
for (const folder of FOLDERS.split(' ')) {
  mkdirSync(join(home, folder), { recursive: true })
}
writeFileSync(join(files, 'my events.ndjson'), '')
writeFileSync(join(files, "it's.apl"), '')
writeFileSync(join(home, 'evq/config.toml'), '[profiles.prod]\nurl = "http://127.0.0.1:1"\n', {
  mode: 0o600,
})
// Running a command line shows its arguments; requests of the scripts themselves get completions, however slow.
writeFileSync(
  join(home, 'bin/evq'),
  `#!/bin/sh
[ "$1" = completion ] && exec "${process.execPath}" "${binary}" --timeout 60s "$@"
printf 'ran'; printf '<%s>' "$@"; echo .
`,
  { mode: 0o755 },
)

async function script(shell: Shell): Promise<string> {
  const io = fakeIo()
  expect(await main(['completion', shell], io)).toBe(0)
  return io.out()
}

writeFileSync(join(home, 'fish/completions/evq.fish'), await script('fish'))
writeFileSync(join(home, 'autoload/_evq'), await script('zsh'))

const COMPINIT = 'autoload -Uz compinit; compinit -u -D'

/** The ways to load a script, by the startup file of the shell. */
const WAYS = {
  bash: {
    'source <(…)': 'source <(evq completion bash)',
    'eval "$(…)"': 'eval "$(evq completion bash)"',
  },
  zsh: {
    'source <(…)': `${COMPINIT}; source <(evq completion zsh)`,
    'eval "$(…)"': `${COMPINIT}; eval "$(evq completion zsh)"`,
    'eval without compinit': 'eval "$(evq completion zsh)"',
    'a folder of fpath': `fpath=(${home}/autoload $fpath); ${COMPINIT}`,
  },
  fish: {
    'a file among its completions': '',
    source: 'evq completion fish | source',
  },
} as const

/** A shell that waits for a command line. */
async function open(shell: Shell, setup: string): Promise<Terminal> {
  const command = {
    bash: ['bash', '--noprofile', '--rcfile', join(home, 'bashrc'), '-i'],
    zsh: ['zsh', '-i'],
    fish: ['fish', '-C', setup],
  }[shell]
  writeFileSync(join(home, 'bashrc'), `PS1='ready> '\n${setup}\n`)
  writeFileSync(join(home, 'zsh/.zshrc'), `PS1='ready> '\n${setup}\n`)
  const fish = "function fish_prompt; echo 'ready> '; end; set -g fish_greeting"
  writeFileSync(join(home, 'fish/config.fish'), fish)
  const terminal = startOnTerminal(command, {
    columns: 120,
    rows: 50,
    cwd: files,
    env: {
      PATH: `${join(home, 'bin')}:${process.env.PATH}`,
      HOME: home,
      ZDOTDIR: join(home, 'zsh'),
      XDG_CONFIG_HOME: home,
      XDG_DATA_HOME: join(home, 'data'),
      XDG_STATE_HOME: join(home, 'state'),
      LC_ALL: 'C.UTF-8',
      EVQ_URL: service.url,
    },
  })
  await terminal.until(/ready> /)
  return terminal
}

/** Returns the arguments of the program after a line is completed with the tab key and run. */
async function completed(terminal: Terminal, line: string): Promise<readonly string[]> {
  const before = terminal.raw().length
  terminal.type(`${line}\t`)
  terminal.type('\r')
  for (;;) {
    const [, words] = /ran((?:<[^\r\n]*>)*)\./.exec(terminal.raw().slice(before)) ?? []
    if (words !== undefined) return words.slice(1, -1).split('><')
    await terminal.until(new RegExp(`^.{${terminal.raw().length}}.`, 's'))
  }
}

const LINES: Readonly<Record<string, readonly string[]>> = {
  'evq sta': ['starred'],
  'evq starred upd': ['starred', 'update'],
  'evq dataset tr': ['dataset', 'trim'],
  'evq profile us': ['profile', 'use'],
  'evq profile use pr': ['profile', 'use', 'prod'],
  'evq -P pr': ['-P', 'prod'],
  'evq query --no-ca': ['query', '--no-cache'],
  'evq query -o mark': ['query', '-o', 'markdown'],
  'evq query --output=mark': ['query', '--output=markdown'],
  'evq ingest x -i logf': ['ingest', 'x', '-i', 'logfmt'],
  'evq page --by cu': ['page', '--by', 'cursor'],
  'evq query -f my': ['query', '-f', 'my events.ndjson'],
  'evq query -f it': ['query', '-f', "it's.apl"],
  'evq query --out=my': ['query', '--out=my events.ndjson'],
  'evq ingest logs my': ['ingest', 'logs', 'my events.ndjson'],
  'evq tail m': ['tail', 'my logs'],
  'evq tail "m': ['tail', 'my logs'],
  "evq tail 'm": ['tail', 'my logs'],
  'evq tail my\\ l': ['tail', 'my logs'],
  'evq tail a': ['tail', 'a:b'],
  'evq tail a:': ['tail', 'a:b'],
  'evq tail "a:': ['tail', 'a:b'],
  'evq tail c=': ['tail', 'c=d'],
  'evq tail i': ['tail', "it's"],
  'evq tail s': ['tail', 'say "hi"'],
  'evq tail b': ['tail', 'back\\slash'],
  "evq tail '$": ['tail', '$HOME'],
  'evq tail 注': ['tail', '注文'],
  'evq tail \\[': ['tail', '[x]*'],
  'evq starred list --dataset=my': ['starred', 'list', '--dataset=my logs'],
}

const isInstalled = (shell: Shell) => spawnSync(shell, ['--version']).status === 0

describe.each(['bash', 'zsh', 'fish'] as const)('%s', (shell) => {
  const [first = '', ...others] = Object.entries<string>(WAYS[shell])
  const able = needs(hasTerminal && isInstalled(shell), `${shell} and a pseudo-terminal`)

  it('completes each line, quoted as needed', able, async () => {
    const terminal = await open(shell, first[1] ?? '')
    const candidates: Record<string, readonly string[]> = {}
    for (const line of Object.keys(LINES)) candidates[line] = await completed(terminal, line)
    expect(candidates).toEqual(LINES)
  })

  it.each(others)('completes when it is loaded by %s', able, async (_, setup) => {
    const terminal = await open(shell, setup)
    expect(await completed(terminal, 'evq dataset tr')).toEqual(['dataset', 'trim'])
    expect(await completed(terminal, 'evq -P pr')).toEqual(['-P', 'prod'])
  })

  it('lists the completions, with descriptions where the shell shows them', able, async () => {
    const terminal = await open(shell, first[1] ?? '')
    terminal.type(shell === 'bash' ? 'evq query --no-\t\t' : 'evq query --no-\t')
    // The common prefix may be colored differently.
    await terminal.until(/aggregation/)
    await terminal.until(/cache/)
    if (shell !== 'bash') await terminal.until(/do not use cached results/)
  })
})
