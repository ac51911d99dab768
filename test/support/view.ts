// The view of files without a terminal: keys change its state, and a real service answers.
import { onTestFinished } from 'vitest'
import { answerTo, failureEvent, isAnswered } from '../../src/cli/commands/view/answer.js'
import { draw } from '../../src/cli/commands/view/draw.js'
import { openViewInput } from '../../src/cli/commands/view/input.js'
import { queryCommandLine } from '../../src/cli/commands/view/leave.js'
import { aplOf, contextOf } from '../../src/cli/commands/view/query.js'
import { openRowSource } from '../../src/cli/commands/view/row-source.js'
import {
  type Event,
  NOTHING_READ,
  type Request,
  type State,
  startState,
} from '../../src/cli/commands/view/state.js'
import { viewTarget } from '../../src/cli/commands/view/target.js'
import { update } from '../../src/cli/commands/view/update.js'
import type { Params } from '../../src/cli/option/param.js'
import { listenForInterrupt } from '../../src/cli/terminal/interrupt.js'
import { UTC } from '../../src/wire/time/time-zone.js'
import { silentContext } from './fake-io.js'
import { gridLine } from './grid-line.js'

export interface OpenedView {
  readonly state: State
  /** Presses keys one after the other, each when the answers to the one before have arrived. */
  press(...keys: readonly string[]): Promise<void>
  /** Presses keys before the first of them is answered. */
  pressAtOnce(...keys: readonly string[]): Promise<void>
  paste(text: string): Promise<void>
  resize(size: State['size']): Promise<void>
  /** The lines of the screen. */
  screen(): readonly string[]
  /** The command that leaving prints. */
  commandLine(): string
  /** The texts that were copied. */
  readonly copied: readonly string[]
  /** The requests that were carried out. */
  readonly requests: readonly Request['kind'][]
  close(): Promise<void>
}

interface ViewSettings {
  readonly columns?: number
  readonly rows?: number
  readonly apl?: string
  readonly param?: Params
  /** Without the histogram, the events begin on the second line of the screen. */
  readonly hasHistogram?: boolean
  /** Queries are tried while they are typed. */
  readonly hasDrafts?: boolean
}

/** Opens a view of files, which are read to their end. */
export async function openView(
  files: readonly string[],
  {
    columns = 100,
    rows = 40,
    apl,
    param = {},
    hasHistogram = false,
    hasDrafts = false,
  }: ViewSettings = {},
): Promise<OpenedView> {
  const context = silentContext()
  const names = apl === undefined ? { names: files } : { names: [apl], input: files }
  const target = await viewTarget({ ...names, param }, context)
  if (target.kind !== 'files') throw new Error('these are no files')
  const interrupt = listenForInterrupt([])
  let state = startState({
    ...{ size: { columns, rows }, title: target.title, zone: UTC, query: target.query },
    now: () => 0n,
    labels: target.labels,
    reading: NOTHING_READ,
  })
  state = { ...state, isHistogramShown: hasHistogram }
  let isRead = false
  const done = resolvers<State['reading']>()
  const input = await openViewInput(
    {
      ...{ files: target.files, reading: target.reading, interrupt },
      onProgress(reading) {
        if (isRead) void dispatch({ kind: 'reading', reading })
        else if (reading.isDone) done.resolve(reading)
      },
      onFailure: (error) => done.reject(error),
    },
    context,
  )
  let closing: Promise<void> | undefined
  const close = () => (closing ??= input.close())
  onTestFinished(close)
  const reading = (await done.promise)!
  isRead = true
  const source = openRowSource({ ...input, common: { variables: param } })
  const asked: Request['kind'][] = []
  const copied: string[] = []
  const commandLine = () => {
    const total = state.counts?.total ?? state.rows.items.length
    const { query } = state
    const context = contextOf(query)
    return queryCommandLine({ apl: aplOf(query), target, context, rows: total, flags: {} })
  }

  async function dispatch(event: Event): Promise<void> {
    const step = update(state, event)
    state = step.state
    for (const request of step.requests) {
      asked.push(request.kind)
      const answer = await answerOf(request)
      if (answer !== undefined) await dispatch(answer)
    }
  }

  async function answerOf(request: Request): Promise<Event | undefined> {
    if (request.kind === 'follow') input.follow()
    if (request.kind === 'copy') copied.push(request.text ?? commandLine())
    if (!isAnswered(request) || (request.kind === 'draft' && !hasDrafts)) return undefined
    const { signal } = interrupt
    try {
      return await answerTo(request, {
        source,
        target,
        signal,
        context,
        state: () => state,
      })
    } catch (error) {
      return failureEvent(request, error, target)
    }
  }

  await dispatch({ kind: 'reading', reading })
  await dispatch({ kind: 'ready' })
  return {
    get state() {
      return state
    },
    requests: asked,
    close,
    async press(...keys) {
      for (const name of keys) await dispatch({ kind: 'key', press: { kind: 'key', name } })
    },
    async pressAtOnce(...keys) {
      await Promise.all(keys.map((name) => dispatch({ kind: 'key', press: { kind: 'key', name } })))
    },
    paste: (text) => dispatch({ kind: 'key', press: { kind: 'paste', text } }),
    resize: (size) => dispatch({ kind: 'resize', size }),
    screen() {
      const grid = draw(state)
      return Array.from({ length: grid.height }, (_, row) => gridLine(grid, row))
    },
    commandLine,
    copied,
  }
}

function resolvers<Value>() {
  let settle: { resolve(value: Value): void; reject(error: unknown): void } | undefined
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle! }
}

/** Types a text, a key per character. */
export function typed(text: string): readonly string[] {
  return [...text]
}
