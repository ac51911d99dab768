// Runs the view: events change the state, the state is drawn, and its requests are carried out.
import type { WriteStream } from 'node:tty'
import { deferred } from '../../../text/deferred.js'
import { UTC } from '../../../wire/time/time-zone.js'
import { closeConnection } from '../../connection/with-connection.js'
import { type Context, clock } from '../../context.js'
import { failureOf } from '../../error/failure.js'
import type { ExitCode } from '../../exit-code.js'
import { namedTimeField } from '../../ingest/option/event-time.js'
import { readOptions } from '../../ingest/read/inputs.js'
import { timeRange } from '../../option/time-range.js'
import { clipboardSequence } from '../../terminal/clipboard.js'
import { colorOf } from '../../terminal/color.js'
import { FullScreen } from '../../terminal/full-screen.js'
import { type Interrupt, interruptible } from '../../terminal/interrupt.js'
import { type AnsweredRequest, answerTo, failureEvent, finalError, isAnswered } from './answer.js'
import { Computations, isComputation } from './computations.js'
import { draw } from './draw.js'
import { openKeyboard } from './keyboard.js'
import { queryCommandLine } from './leave.js'
import { previewFiles } from './preview.js'
import { aplOf, contextOf } from './query.js'
import type { ViewRow } from './row.js'
import { openRowSource, type RowSource } from './row-source.js'
import { type Event, NOTHING_READ, type Request, type State, startState } from './state.js'
import type { ViewOptions, ViewTarget } from './target.js'
import { update } from './update.js'

export async function runSession(
  target: ViewTarget,
  options: ViewOptions,
  context: Context,
): Promise<ExitCode> {
  const keyboard = openKeyboard(context)
  const notes: string[] = []
  const left = await interruptible(async (interrupt) => {
    const session = new Session({ target, options, interrupt, notes, context })
    const stop = () => session.leave()
    interrupt.signal.addEventListener('abort', stop)
    try {
      await session.run(keyboard.stream)
    } finally {
      interrupt.signal.removeEventListener('abort', stop)
      keyboard.close()
    }
  })
  for (const note of notes) context.warn(note)
  return left
}

interface SessionOptions {
  readonly target: ViewTarget
  readonly options: ViewOptions
  readonly interrupt: Interrupt
  /** Receives the warnings, which are printed at the end. */
  readonly notes: string[]
  readonly context: Context
}

/** The interval at which a followed dataset is polled. */
const TICK_MS = 1_000
/** The time without a key after which a query that is being typed is run. */
const TYPING_MS = 120

class Session {
  private state: State
  private screen: FullScreen | undefined
  private readonly settings: SessionOptions
  /** Resolves with the source when there are events, or when everything was read and there are none. */
  private readonly opened = deferred<RowSource>()
  private source: RowSource | undefined
  /** Resolves with a function that also reads what is appended to files; undefined for datasets. */
  private readonly opening = deferred<(() => void) | undefined>()
  /** Closes the source, once it is open. */
  private close: (() => Promise<void>) | undefined
  private readonly left = deferred<void>()
  /** The events that were copied. They are printed at the end, because not all terminals have a clipboard. */
  private readonly copied: string[] = []
  private readonly computations: Computations
  private typing: NodeJS.Timeout | undefined
  private ticking: NodeJS.Timeout | undefined
  private requests = new AbortController()
  private readonly lasting = new AbortController()
  private readonly saves: Promise<void>[] = []
  private generation = 0
  private isReady = false
  /** The reason for which the session ended, if there was nothing to show. */
  private failure: Error | undefined

  constructor(settings: SessionOptions) {
    this.settings = settings
    const { target, options, context } = settings
    const { columns = 80, rows = 24 } = context.io.stdout
    const isFollowing = () => this.state.reading?.isDone === true
    this.computations = new Computations((request) => this.ask(request), isFollowing)
    this.state = startState({
      size: { columns, rows },
      title: target.title,
      labels: target.labels,
      zone: options.timezone ?? UTC,
      now: clock(context.io),
      query: target.query,
      reading: target.kind === 'files' ? NOTHING_READ : undefined,
    })
  }

  /** Resolves when the user has left and the terminal is restored. */
  async run(input: ConstructorParameters<typeof FullScreen>[0]['input']): Promise<void> {
    const { io, flags } = this.settings.context
    // A rejection is reported by the requests that wait for the source.
    this.opened.promise.catch(() => {})
    const screen = new FullScreen({
      input,
      // The cells of the screen have no control characters.
      output: (io.stdout.unfiltered ?? io.stdout) as WriteStream & { readonly fd: number },
      color: colorOf(io.stdout, flags(), io.env) !== 'none',
      draw: (size) => draw({ ...this.state, size }),
      onKeys: (keys) => {
        for (const press of keys) {
          this.dispatch({ kind: 'key', press })
          // Keys that were typed before the problem of a prompt is shown are not for its text.
          if (this.state.message?.kind === 'error') break
        }
      },
      onResize: (size) => this.dispatch({ kind: 'resize', size }),
      onEnd: () => this.leave(),
    })
    this.screen = screen
    this.dispatch({ kind: 'resize', size: screen.size })
    try {
      await this.preview('head')
      const { signal } = this.settings.interrupt
      const opening = signal.aborted ? Promise.resolve() : this.open()
      opening.catch((error: unknown) => this.fail(error))
      await this.left.promise
      // Printed before the temporary store is removed, which takes a while when it is large.
      if (!signal.aborted && this.failure === undefined) this.printTaken()
      // A source is closed once it is open, also after a signal: otherwise its temporary directory would be left.
      await opening.catch(() => {})
    } finally {
      screen.close()
      clearInterval(this.ticking)
      clearTimeout(this.typing)
      this.computations.close()
      this.requests.abort()
      this.lasting.abort()
      await Promise.all(this.saves)
      await this.close?.()
    }
    if (this.failure !== undefined) throw this.failure
    const { trouble } = this.state.reading ?? {}
    if (trouble !== undefined) this.settings.notes.push(trouble)
  }

  /** Ends the session and restores the terminal immediately. */
  leave(): void {
    this.screen?.close()
    this.left.resolve()
  }

  /** Prints the events that were copied, and the command. */
  private printTaken(): void {
    const lines = [...this.copied, this.commandLine()]
    this.settings.context.io.stdout.write(lines.map((line) => `${line}\n`).join(''))
  }

  /** Returns the command that prints the rows on the screen. */
  private commandLine(): string {
    const { target, context } = this.settings
    const { query, counts, rows } = this.state
    const held = (rows.first ?? 0) + rows.items.length
    const line = queryCommandLine({
      apl: aplOf(query),
      target,
      context: contextOf(query),
      rows: Math.max(counts?.total ?? 0, held),
      flags: context.flags(),
    })
    const isStream = target.kind === 'files' && target.files.includes('-')
    return isStream ? `… | ${line}` : line
  }

  private dispatch(event: Event): void {
    const { state, requests } = update(this.state, event)
    this.state = state
    if (state.generation !== this.generation) {
      this.generation = state.generation
      this.requests.abort()
      this.requests = new AbortController()
    }
    this.screen?.update()
    for (const request of requests) this.carryOut(request)
  }

  private carryOut(request: Request): void {
    if (isAnswered(request)) {
      if (request.kind === 'save') return void this.saves.push(this.ask(request))
      if (isComputation(request)) return void this.computations.request(request)
      if (request.kind !== 'draft') return void this.ask(request)
      clearTimeout(this.typing)
      this.typing = setTimeout(() => void this.ask(request), TYPING_MS)
      return
    }
    switch (request.kind) {
      case 'quit':
        this.leave()
        break
      case 'suspend':
        this.screen?.suspend()
        break
      case 'redraw':
        this.screen?.refresh()
        break
      case 'preview':
        void this.preview(request.end)
        break
      case 'copy':
        this.copy(request.text)
        break
      case 'follow':
        void this.follow()
        break
      default:
        request satisfies never
    }
  }

  /** Carries out a request, and dispatches its result or its failure. */
  private async ask(request: AnsweredRequest): Promise<void> {
    // Rows are saved to the end, whatever the query on the screen is by then.
    const { signal } = request.kind === 'save' ? this.lasting : this.requests
    try {
      const { target, context } = this.settings
      const source = await this.opened.promise
      const surroundings = { source, target, context, signal, state: () => this.state }
      const answer = await answerTo(request, surroundings)
      if (!signal.aborted && answer !== undefined) this.dispatch(answer)
    } catch (error) {
      const { target, options, notes } = this.settings
      if (signal.aborted) {
        if (request.kind === 'save') notes.push(`\`${request.file}\` was not saved.`)
        return
      }
      // A dataset that is followed may be created later.
      const isFinal = request.kind === 'page' && this.isEmpty && options.follow !== true
      const reason = isFinal ? finalError(error, target) : undefined
      if (reason !== undefined) return this.abandon(reason)
      this.dispatch(failureEvent(request, error, target))
    }
  }

  /** True until something was read. */
  private get isEmpty(): boolean {
    const { rows, counts } = this.state
    return rows.items.length === 0 && counts === undefined
  }

  /** Ends the session, because there is nothing to show and nothing will be. */
  private abandon(error: Error): void {
    this.failure = error
    this.leave()
  }

  /** Shows the first or the last events of files, which are read directly. */
  private async preview(end: 'head' | 'tail'): Promise<void> {
    const rows = (await this.rowsAt(end)) ?? []
    if (rows.length > 0 || end === 'tail') this.dispatch({ kind: 'preview', rows, end })
    // Leaves time to draw the rows before the engine starts, which blocks this thread for a while.
    if (rows.length > 0) await new Promise((resolve) => setTimeout(resolve, 40))
  }

  /** Returns the events at an end of the files; undefined when they have to be read by the service. */
  private async rowsAt(end: 'head' | 'tail'): Promise<readonly ViewRow[] | undefined> {
    const { target, context } = this.settings
    if (target.kind !== 'files' || target.files.includes('-')) return undefined
    if (target.query.operators.length > 0 || target.range.length > 0) return undefined
    const { files, reading } = target
    if (reading.label !== undefined || reading.timestampFormat !== undefined) return undefined
    const read = readOptions(reading, context)
    const found = await previewFiles(files, { read, timestampField: namedTimeField(reading), end })
    return found?.rows
  }

  /** Copies a text, or the command, to the clipboard of the terminal. */
  private copy(text: string | undefined): void {
    if (text !== undefined) this.copied.push(text)
    const { env } = this.settings.context.io
    this.screen?.send(clipboardSequence(text ?? this.commandLine(), env))
  }

  /** Also reads what is appended to files, or polls a dataset every second. */
  private async follow(): Promise<void> {
    const follow = await this.opening.promise
    if (follow !== undefined) return follow()
    this.ticking ??= setInterval(() => this.dispatch({ kind: 'tick' }), TICK_MS)
  }

  private async open(): Promise<void> {
    const { target, options, interrupt, notes, context } = this.settings
    const range = timeRange(options, clock(context.io)())
    const common = { ...range, ...(options.param && { variables: options.param }) }
    const quiet = {
      ...context,
      info: () => {},
      warn: (text: string) => void notes.push(text),
      debug: () => {},
    }
    if (target.kind === 'files') {
      const { openViewInput } = await import('./input.js')
      const { files, reading } = target
      const input = await openViewInput(
        {
          files,
          reading,
          interrupt,
          onProgress: (state) => this.progressed(state),
          onFailure: (error) => this.fail(error),
        },
        quiet,
      )
      this.close = input.close
      this.source = openRowSource({ ...input, common })
      this.opening.resolve(input.follow)
      if (this.state.reading?.isDone || (this.state.reading?.events ?? 0) > 0) this.ready()
      return
    }
    const { settings } = await import('../../settings/settings.js')
    const { connect } = await import('../../connection/connect.js')
    const connection = connect(await settings(context.flags(), context.io.env), quiet)
    this.close = () => closeConnection(connection, interrupt)
    this.source = openRowSource({ connection, common })
    this.opening.resolve(undefined)
    this.ready()
  }

  private progressed(reading: NonNullable<State['reading']>): void {
    this.dispatch({ kind: 'reading', reading })
    if (reading.events > 0 || reading.isDone) this.ready()
  }

  private ready(): void {
    if (this.isReady || this.source === undefined) return
    this.isReady = true
    this.opened.resolve(this.source)
    this.dispatch({ kind: 'ready' })
    if (this.settings.options.follow) this.dispatch({ kind: 'follow' })
  }

  /** Reports that nothing more can be read. */
  private fail(error: unknown): void {
    this.opened.reject(error)
    if (this.isEmpty && error instanceof Error) {
      this.abandon(error)
      return
    }
    const { message } = failureOf(error)
    const { generation } = this.state
    this.dispatch({ kind: 'failed', generation, request: 'page', message, isRefused: false })
  }
}
