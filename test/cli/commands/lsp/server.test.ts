import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CompletionItem,
  CompletionRequest,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentFormattingRequest,
  ExitNotification,
  type Hover,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import { scriptedService, silent } from '../../../client/scripted-service.js'
import { evq, start } from '../../../support/evq.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { until } from '../../../support/until.js'

const directory = join(temporaryDirectory(), 'data')
let program: ReturnType<typeof start>
let editor: ProtocolConnection
const published: PublishDiagnosticsParams[] = []
let documents = 0

beforeAll(async () => {
  mkdirSync(directory)
  const events = '{"level":"info","status":200,"duration_ms":3}\n'
  await evq(['ingest', 'logs', '-q'], { directory, stdin: events })
  program = start(['lsp', '--stdio'], { directory })
  editor = createProtocolConnection(
    new StreamMessageReader(program.child.stdout!),
    new StreamMessageWriter(program.stdin),
  )
  editor.onNotification(PublishDiagnosticsNotification.type, (params) => {
    published.push(params)
  })
  editor.listen()
  await editor.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
  })
  await editor.sendNotification(InitializedNotification.type, {})
})

afterAll(async () => {
  await editor.sendRequest(ShutdownRequest.type)
  await editor.sendNotification(ExitNotification.type)
  const { status, stderr } = await program.ended
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  editor.dispose()
})

/** Opens a document; returns its address. */
async function open(text: string): Promise<string> {
  documents += 1
  const uri = `file:///query-${documents}.apl`
  await editor.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: 'apl', version: 1, text },
  })
  return uri
}

async function diagnosticsOf(uri: string, version = 1) {
  const found = () => published.findLast((one) => one.uri === uri && one.version === version)
  return (await until(found, `diagnostics of version ${version} of ${uri}`)).diagnostics
}

/** Returns the completions at the end of a text. */
async function complete(text: string): Promise<readonly CompletionItem[]> {
  const lines = text.split('\n')
  const position = { line: lines.length - 1, character: lines.at(-1)!.length }
  const textDocument = { uri: await open(text) }
  return (await editor.sendRequest(CompletionRequest.type, {
    textDocument,
    position,
  })) as CompletionItem[]
}

async function hover(text: string, character: number): Promise<Hover | null> {
  const textDocument = { uri: await open(text) }
  return await editor.sendRequest(HoverRequest.type, {
    textDocument,
    position: { line: 0, character },
  })
}

async function format(text: string): Promise<string | undefined> {
  const edits = await editor.sendRequest(DocumentFormattingRequest.type, {
    textDocument: { uri: await open(text) },
    options: { tabSize: 2, insertSpaces: true },
  })
  return edits?.[0]?.newText
}

describe('the language server', () => {
  it('pushes the problems of a query, with the fields of the data directory', async () => {
    const uri = await open("['logs']\n| where statsu >= 500")
    const [problem] = await diagnosticsOf(uri)
    expect(problem).toMatchObject({
      code: 'unknown-field',
      source: 'evq',
      severity: 1,
      range: { start: { line: 1, character: 8 }, end: { line: 1, character: 14 } },
    })
    expect(problem?.message).toContain('close to `status`')
  })

  it('pushes problems again after a change, and none when there are none', async () => {
    const uri = await open("['nope'] | count")
    expect((await diagnosticsOf(uri)).map(({ code }) => code)).toEqual(['unknown-dataset'])
    await editor.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: 2 },
      contentChanges: [
        {
          range: { start: { line: 0, character: 2 }, end: { line: 0, character: 6 } },
          text: 'logs',
        },
      ],
    })
    expect(await diagnosticsOf(uri, 2)).toEqual([])
    expect(await diagnosticsOf(await open(''))).toEqual([])
    expect(await diagnosticsOf(await open('where status >= 500 | count'))).toEqual([])
    expect(await diagnosticsOf(await open('where status >= | count'))).toHaveLength(1)
  })

  it('accepts parameters without a value', async () => {
    const uri = await open("declare query_parameters (n:int); ['logs'] | where status >= n")
    expect(await diagnosticsOf(uri)).toEqual([])
  })

  it('completes datasets, operators, fields, functions and values', async () => {
    expect((await complete("['lo")).map(({ textEdit }) => textEdit?.newText)).toEqual(["['logs']"])
    expect((await complete("['logs']\n| summ"))[0]).toMatchObject({
      label: 'summarize',
      textEdit: {
        newText: 'summarize ',
        range: { start: { line: 1, character: 2 }, end: { line: 1, character: 6 } },
      },
    })
    const fields = await complete("['logs'] | where dur")
    expect(fields.map(({ label }) => label)).toEqual(['duration_ms'])
    const calls = await complete("['logs'] | summarize percentile_")
    expect(calls).toEqual([])
    const aggregations = await complete("['logs'] | summarize percentilei")
    expect(aggregations.map(({ textEdit }) => textEdit?.newText)).toEqual(['percentileif('])
    expect(await complete("['logs'] | where level == 'i")).toMatchObject([
      { label: "'info'", filterText: "'info'", textEdit: { newText: "'info'" } },
    ])
  })

  it('explains operators, functions and fields', async () => {
    const text = "['logs'] | summarize percentile(duration_ms, 95) by level"
    const operator = await hover(text, 12)
    expect(operator?.contents).toMatchObject({ kind: 'markdown' })
    expect(JSON.stringify(operator?.contents)).toContain('one row for each group')
    expect(operator?.range).toEqual({
      start: { line: 0, character: 11 },
      end: { line: 0, character: 20 },
    })
    expect(JSON.stringify((await hover(text, 22))?.contents)).toContain(
      'percentile(value: int|real',
    )
    expect(JSON.stringify((await hover(text, 35))?.contents)).toContain('duration_ms: int')
    expect(await hover(text, 9)).toBe(null)
  })

  it('reports a message that is not of the protocol', async () => {
    const { stderr, status } = await evq(['lsp'], { directory, stdin: 'hello\r\n\r\n' })
    expect(stderr).toContain("A message from the editor can't be read: ")
    // The protocol requires this without a request to shut down.
    expect(status).toBe(1)
  })

  it('formats queries, and keeps comments around them', async () => {
    expect(await format("// slow\n['logs']|where status>=500|count;")).toBe(
      '// slow\n["logs"]\n| where status >= 500\n| count;\n',
    )
    expect(await format("['logs'] // all\n|count")).toBe(undefined)
    expect(await format("['logs'] | where")).toBe(undefined)
  })
})

it('ends without an error while problems are being found', async () => {
  const { url, received } = await scriptedService(silent)
  const alone = start(['lsp', '--url', url], { directory })
  const connection = createProtocolConnection(
    new StreamMessageReader(alone.child.stdout!),
    new StreamMessageWriter(alone.stdin),
  )
  connection.listen()
  await connection.sendRequest(InitializeRequest.type, {
    processId: null,
    rootUri: null,
    capabilities: {},
  })
  await connection.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri: 'file:///a', languageId: 'apl', version: 1, text: "['logs'] | count" },
  })
  await until(() => received.length > 0, 'the datasets are requested')
  await connection.sendRequest(ShutdownRequest.type)
  await connection.sendNotification(ExitNotification.type)
  alone.stdin.end()
  const { status, stderr } = await alone.ended
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  connection.dispose()
})

it('reports problems of syntax while the deployment does not respond', async () => {
  const alone = start(['lsp', '--url', 'http://127.0.0.1:1'], { directory })
  const connection = createProtocolConnection(
    new StreamMessageReader(alone.child.stdout!),
    new StreamMessageWriter(alone.stdin),
  )
  const codes = new Promise((resolve) => {
    connection.onNotification(PublishDiagnosticsNotification.type, ({ diagnostics }) =>
      resolve(diagnostics.map(({ code }) => code)),
    )
  })
  connection.listen()
  await connection.sendRequest(InitializeRequest.type, {
    processId: null,
    rootUri: null,
    capabilities: {},
  })
  await connection.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri: 'file:///a', languageId: 'apl', version: 1, text: "['logs'] | cuont" },
  })
  expect(await codes).toEqual(['unknown-operator'])
  // The editor ends without announcing it.
  alone.stdin.end()
  expect((await alone.ended).status).toBe(1)
  connection.dispose()
})

it('ends without a stack trace after messages that are not objects', async () => {
  const frames = ['[]', 'null', '"x"', '{"jsonrpc":'].map(
    (text) => `Content-Length: ${text.length}\r\n\r\n${text}`,
  )
  const ended = await evq(['lsp'], { directory, stdin: frames.join('') })
  expect(ended).toMatchObject({ status: 1, stdout: '' })
  // Of the last one, which is not JSON.
  expect(ended.stderr).toMatch(/^A message from the editor can't be read: [^\n]+\n$/)
})
