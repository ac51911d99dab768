import { constants } from 'node:os'
import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkApl } from '../../src/apl/language.js'
import { CommandError } from '../../src/cli/error/command-error.js'
import { failureJson, failureOf, failureText } from '../../src/cli/error/failure.js'
import { fileHint, HOW_TO_READ_FILES } from '../../src/cli/error/file-hint.js'
import { UsageError } from '../../src/cli/error/usage-error.js'
import { ApiError, NetworkError } from '../../src/client/error.js'
import { StoreError } from '../../src/engine/store-error.js'
import { main } from '../../src/main.js'
import { fakeIo } from '../support/fake-io.js'

async function run(...args: string[]) {
  const io = fakeIo()
  return { exitCode: await main(args, io), out: io.out(), err: io.err() }
}

describe('an invalid command line', () => {
  it.each<[string[], string]>([
    [['quer', 'x'], 'evq: Unknown command `quer`. Did you mean `query`?'],
    [['query', '--sicne', '1h', 'x'], 'evq: Unknown option `--sicne`. Did you mean `--since`?'],
    [['query', 'x', '--quite'], 'evq: Unknown option `--quite`. Did you mean `--quiet`?'],
    [['query', '--sicne=1h', 'x'], 'evq: Unknown option `--sicne=1h`. Did you mean `--since`?'],
    [['query', 'x', '--token', 'y'], 'evq: Unknown option `--token`. Did you mean `--token-file`?'],
    [['query', 'x', '--no-pge'], 'evq: Unknown option `--no-pge`. Did you mean `--no-pager`?'],
    [
      ['query', 'x', '--sort', 'y'],
      'evq: Unknown option `--sort`. `evq query --help` lists its arguments and options.',
    ],
    [
      ['-i', 'app.log'],
      "evq: Unknown option `-i`. Files are read by `evq query -i app.log`, and by `file('app.log')` in a query.",
    ],
    [['--wibble'], 'evq: Unknown option `--wibble`. `evq --help` lists its commands and options.'],
    [['export'], 'evq: Unknown command `export`. Did you mean `page`?'],
    [['logs', '-f', 'api'], 'evq: Unknown command `logs`. Did you mean `tail`?'],
    [['grep', 'x'], 'evq: Unknown command `grep`. Did you mean `query`?'],
    [
      ['/etc/hosts'],
      "evq: Unknown command `/etc/hosts`. `evq view /etc/hosts` looks through a file. Files are read by `evq query -i app.log`, and by `file('app.log')` in a query.",
    ],
    [['ls'], 'evq: Unknown command `ls`. Did you mean `dataset list`?'],
    [['drop', 'x'], 'evq: Unknown command `drop`. Did you mean `dataset delete`?'],
    [['fields', 'x'], 'evq: Unknown command `fields`. Did you mean `dataset show`?'],
    [
      ['monitor'],
      'evq: Unknown command `monitor`. `evq query --assert` exits with 6 unless all rows meet a condition.',
    ],
    [['backup'], 'evq: Unknown command `backup`. `evq help service` explains backups.'],
    [
      ['ingest', 'x', '--file', 'y'],
      'evq: Unknown option `--file`. Files are arguments: `evq ingest logs app.log`.',
    ],
    [
      ['ingest', 'x', '-i', 'nginx'],
      'evq: `--input-format` does not accept `nginx`. Did you mean `clf`? `evq ingest --formats` lists the formats.',
    ],
    [
      ['ingest', 'x', '-i', 'jsonl'],
      'evq: `--input-format` does not accept `jsonl`. Did you mean `ndjson`? `evq ingest --formats` lists the formats.',
    ],
    [['query', 'x', '-o', 'md'], 'evq: `--output` does not accept `md`. Did you mean `markdown`?'],
    [
      ['query', 'x', '-o', 'jsonl'],
      'evq: `--output` does not accept `jsonl`. Did you mean `ndjson`?',
    ],
    [['dataset', 'rm', 'x'], 'evq: Unknown command `rm`. Did you mean `delete`?'],
    [['token', 'rm', 'x'], 'evq: Unknown command `rm`. Did you mean `revoke`?'],
    [['dataset', 'purge', 'x'], 'evq: Unknown command `purge`. Did you mean `trim`?'],
    [['profile', 'default', 'x'], 'evq: Unknown command `default`. Did you mean `use`?'],
    [['starred', 'edit', 'x'], 'evq: Unknown command `edit`. Did you mean `update`?'],
    [['run', 'x'], 'evq: Unknown command `run`. Did you mean `starred run`?'],
    [['trim', 'x'], 'evq: Unknown command `trim`. Did you mean `dataset trim`?'],
    [
      ['dataset', 'trim', 'x', '--before', '1d', '--since', '2d'],
      'evq: Unknown option `--since`. Events are deleted by age (`evq dataset trim`), by file (`evq help input`) or with their dataset.',
    ],
    [
      ['token', 'rotate', 'x'],
      'evq: Unknown command `rotate`. Create a token with another name, and revoke the old one once no client uses it.',
    ],
    [['dataset', 'create'], 'evq: Unknown command `create`. The first events create a dataset.'],
    [['tail', '-f', 'x'], 'evq: Unknown option `-f`. `evq tail` always follows.'],
    [['query', '--json', 'x'], 'evq: Unknown option `--json`. Did you mean `--output json`?'],
    [['query', '--jsonl', 'x'], 'evq: Unknown option `--jsonl`. Did you mean `--output ndjson`?'],
    [['query', 'x', '--host', 'y'], 'evq: Unknown option `--host`. Did you mean `--url`?'],
    [['serve', '--host', 'y'], 'evq: Unknown option `--host`. Did you mean `--listen`?'],
    [
      ['dataset', 'list', '--no-color'],
      'evq: Unknown option `--no-color`. Did you mean `--color never`?',
    ],
    [['query', '--start', '1h'], 'evq: Unknown option `--start`. Did you mean `--since`?'],
    [['serve', '-p', '8080'], 'evq: Unknown option `-p`. Did you mean `--listen`?'],
    [['dataset', 'list', '-p', 'prod'], 'evq: Unknown option `-p`. Did you mean `--profile`?'],
    [['query', 'x', '-s', '1h'], 'evq: Unknown option `-s`. Did you mean `--since`?'],
    [
      ['ingest', 'logs', '-f', 'csv', 'a.csv'],
      'evq: Unknown option `-f`. `--follow` waits for more events, and `-i csv` sets the format.',
    ],
    [
      ['query', 'x', '--follow'],
      'evq: Unknown option `--follow`. `evq tail` follows a dataset, and `evq view -f` a file.',
    ],
    [
      ['query', 'x', '--where', 'status >= 500'],
      'evq: Unknown option `--where`. Conditions are in the query: `where level == "error"`.',
    ],
    [
      ['query', '--starred', 'x'],
      'evq: Unknown option `--starred`. `evq starred run` runs a saved query.',
    ],
    [
      ['query', 'x', '--tail', '5'],
      'evq: Unknown option `--tail`. `top 10 by _time` in the query selects the newest rows.',
    ],
    [['query', 'x', '--head', '5'], 'evq: Unknown option `--head`. Did you mean `--limit`?'],
    [['tail', 'x', '--tail', '5'], 'evq: Unknown option `--tail`. Did you mean `--lines`?'],
    [['view', 'x', '-n', '5'], 'evq: Unknown option `-n`. `--follow` starts at the end.'],
    [
      ['ingest', '-d', 'logs', 'app.log'],
      'evq: Unknown option `-d`. The dataset is the first argument: `evq ingest logs app.log`.',
    ],
    [
      ['help', 'backups'],
      'evq: There is no help on `backups`. `evq help service` explains backups.',
    ],
    [['page', '-n', '5', 'x'], 'evq: Unknown option `-n`. Did you mean `--max-rows`?'],
    [['query', 'x', '--fields', 'a'], 'evq: Unknown option `--fields`. Did you mean `--columns`?'],
    [['dataset', 'delete', 'x', '-y'], 'evq: Unknown option `-y`. Did you mean `--yes`?'],
    [['dataset', 'delete', 'x', '--force'], 'evq: Unknown option `--force`. Did you mean `--yes`?'],
    [
      ['ingest', '--dataset', 'x', 'y'],
      'evq: Unknown option `--dataset`. The dataset is the first argument: `evq ingest logs app.log`.',
    ],
    [
      ['undo'],
      'evq: Unknown command `undo`. `evq help input` explains how to remove the events of a file.',
    ],
    [
      ['dataset', 'delete', 'logs', '--before', '30d'],
      'evq: Unknown option `--before`. `evq dataset trim` deletes older events.',
    ],
    [['starred'], 'evq: No command given. `evq starred --help` lists the commands.'],
    [
      ['starred', 'create', 'errors', 'logs | count'],
      'evq: Too many arguments for `create`. Expected 0 arguments but got 2. `evq starred create --help` lists its options.',
    ],
    [['-q'], 'evq: No command given. `evq --help` lists the commands.'],
    [
      ['ingest'],
      'evq: Missing required argument `dataset`. `evq ingest --help` lists its arguments and options.',
    ],
    [
      ['query', 'x', '--since'],
      'evq: Option `--since <time>` needs a value. `evq query --help` lists its arguments and options.',
    ],
    [['query', 'x', '-n', '0'], 'evq: `--limit` takes a whole number from 1, not `0`.'],
    [['query', 'x', '-n', '1e3'], 'evq: `--limit` takes a whole number from 1, not `1e3`.'],
    [
      ['query', 'x', '--format', 'json'],
      'evq: `--format` does not accept `json`. It takes tabular, legacy. `--output` selects the format of the output.',
    ],
    [
      ['page'],
      `evq: There is no query. One that works: \`evq page "['logs']" --since 30d -O logs.csv\`.`,
    ],
    [
      ['diff', '', '--since', '1h', '--against', '1d'],
      'evq: The query is empty. One that works: `evq diff "logs | summarize count() by service" --since 1h --against 1d`.',
    ],
    [['query', 'x', '-o', 'cvs'], 'evq: `--output` does not accept `cvs`. Did you mean `csv`?'],
    [
      ['query', 'x', '--color', 'green'],
      'evq: `--color` does not accept `green`. It takes auto, always, never.',
    ],
  ])('ends with exit code 2 and one line: %j', async (args, line) => {
    expect(await run(...args)).toEqual({ exitCode: 2, out: '', err: `${line}\n` })
  })

  it('is a JSON object with --json-errors', async () => {
    const { exitCode, err } = await run('query', '--json-errors', '--sicne', 'x')
    expect(exitCode).toBe(2)
    expect(JSON.parse(err)).toEqual({
      error: { code: 'usage', message: 'Unknown option `--sicne`. Did you mean `--since`?' },
    })
  })
})

describe('the hint about files', () => {
  it.each([
    ["where level == 'error'", HOW_TO_READ_FILES],
    ['summarize count()', HOW_TO_READ_FILES],
    ["| where level == 'error'", undefined],
    ["level == 'error'", undefined],
    ['.status', undefined],
  ])('follows a query without a dataset that starts with an operator: %s', (apl, hint) => {
    const found = checkApl(apl, { now: 0n })
    expect(fileHint(apl, 'problems' in found ? found.problems : [])).toBe(hint)
  })

  it.each([
    ['timeout', 'unknown dataset', '`evq query \'search "timeout"\'` finds a text.'],
    ['timeout', 'close to `timeouts`', undefined],
    ['timeout | count', 'unknown dataset', undefined],
  ])('names the search for a word that is no dataset: %s, %s', (apl, label, hint) => {
    const span = { start: 0, end: 'timeout'.length }
    expect(fileHint(apl, [{ code: 'unknown-dataset', message: 'x', label, span }])).toBe(hint)
  })

  it.each(['', ' | where n == 1'])('names a file in a folder, followed by `%s`', (rest) => {
    const path = relative('', import.meta.filename)
    const found = checkApl(path + rest, { now: 0n })
    expect(path).toContain('/')
    expect(fileHint(path + rest, 'problems' in found ? found.problems : [])).toContain(path)
  })
})

describe('a failure', () => {
  const refusal = { url: 'https://evq.example/v1', code: 'x', message: 'No' }

  it.each<[unknown, number, string]>([
    [new UsageError('What.'), 2, 'evq: What.\n'],
    [new CommandError('In use.'), 1, 'evq: In use.\n'],
    [new NetworkError('cut', 'It broke off.'), 1, 'evq: It broke off.\n'],
    [
      new NetworkError('unreachable', '`a` could not be reached: its certificate is self-signed.'),
      1,
      'evq: `a` could not be reached: its certificate is self-signed. `--ca-file` names certificates to trust.\n',
    ],
    [new ApiError({ ...refusal, status: 503 }), 1, 'evq: No.\n'],
    [new ApiError({ ...refusal, status: 500, requestId: 'r1' }), 1, 'evq: No. (request r1)\n'],
    [
      new ApiError({ ...refusal, status: 403 }),
      4,
      'evq: No. The request had no token: set `EVQ_TOKEN`, or give `--token-file` or `--profile`.\n',
    ],
    [
      new ApiError({ ...refusal, message: 'The request has no token.', status: 403 }),
      4,
      'evq: The request has no token. Set `EVQ_TOKEN`, or give `--token-file` or `--profile`.\n',
    ],
    [
      new ApiError({ ...refusal, status: 404, url: 'https://a.b/v2/apl-starred-queries/x' }),
      1,
      'evq: No. `evq starred list` prints the ids.\n',
    ],
    ...['', '/info', '/rename', '/retention'].map((rest): [unknown, number, string] => [
      new ApiError({ ...refusal, status: 404, url: `https://a.b/v1/datasets/lgos${rest}` }),
      1,
      'evq: No. `evq dataset list` prints the names.\n',
    ]),
    [
      new ApiError({ ...refusal, status: 404, url: 'https://a.b/v1/v1/datasets/logs/info' }),
      1,
      'evq: No. Write the URL without its version: evq adds it.\n',
    ],
    [
      new ApiError({ ...refusal, status: 404, url: 'https://a.b/v1/datasets/_apl' }),
      1,
      'evq: No.\n',
    ],
    [new StoreError('disk-full', 'The disk is full.'), 1, 'evq: The disk is full.\n'],
    [
      Object.assign(new Error('A name proves nothing.'), { name: 'StoreError' }),
      1,
      'evq: This is a bug in evq: A name proves nothing. `--debug` prints a stack trace.\n',
    ],
    [
      Object.assign(new Error('ENOENT: x'), { code: 'ENOENT', path: 'a.apl' }),
      1,
      'evq: `a.apl`: no such file or directory.\n',
    ],
    [
      Object.assign(new Error('ENAMETOOLONG: x'), {
        code: 'ENAMETOOLONG',
        errno: -constants.errno.ENAMETOOLONG,
        path: 'a',
      }),
      1,
      'evq: `a`: name too long.\n',
    ],
    [
      new TypeError('x is not a function'),
      1,
      'evq: This is a bug in evq: x is not a function. `--debug` prints a stack trace.\n',
    ],
    ['thrown text', 1, 'evq: This is a bug in evq: thrown text. `--debug` prints a stack trace.\n'],
  ])('has one exit code and one line: %o', (error, exitCode, text) => {
    const failure = failureOf(error)
    expect(failure.exitCode).toBe(exitCode)
    expect(failureText(failure, { color: 'none' })).toBe(text)
  })

  it('includes the earlier messages as JSON', () => {
    const failure = failureOf(new ApiError({ ...refusal, status: 429, requestId: 'r1' }))
    expect(JSON.parse(failureJson(failure, ['a note']))).toEqual({
      error: {
        code: 'x',
        message: 'No',
        hint: 'Try again when the limit is reset.',
        requestId: 'r1',
      },
      notes: ['a note'],
    })
  })
})
