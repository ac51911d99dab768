// Events for views, and the events that a view and its command show.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { evqInProcess } from './evq-in-process.js'
import { temporaryDirectory } from './temporary.js'
import type { OpenedView } from './view.js'

/** Has the files of events. */
export const directory = temporaryDirectory()

/** An event a second, with a level, a status, a host and a nested object; the tenth has neither host nor status. */
export function eventAt(index: number) {
  const level = ['info', 'warn', 'error', 'debug'][index % 4]
  const time = new Date(Date.UTC(2026, 0, 31, 10, 0, index)).toISOString()
  const event = {
    _time: time,
    level,
    message: `event ${index} "of" it's $HOME`,
    client: { ip: `10.0.0.${index % 3}` },
  }
  return index === 10
    ? event
    : { ...event, status: 200 + (index % 5) * 100, host: `web-${index % 3}` }
}

export function fileOf(name: string, indexes: readonly number[]): string {
  const file = join(directory, name)
  writeFileSync(file, indexes.map((index) => `${JSON.stringify(eventAt(index))}\n`).join(''))
  return file
}

export const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => from + at)

/** The numbers of the events in texts. */
export function eventsIn(lines: readonly string[]): readonly number[] {
  return lines.flatMap((line) => {
    const found = /\bevent (\d+)\b/.exec(line)
    return found === null ? [] : [Number(found[1])]
  })
}

/** Runs the command that leaving prints. */
export async function eventsOfCommand(view: OpenedView): Promise<readonly number[]> {
  return eventsIn((await outputOfCommand(view)).split('\n'))
}

export async function rowsOfCommand(view: OpenedView): Promise<readonly object[]> {
  const lines = (await outputOfCommand(view)).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as object)
}

async function outputOfCommand(view: OpenedView): Promise<string> {
  const commandLine = view.commandLine()
  // A process has one engine.
  await view.close()
  return await outputOf(commandLine)
}

/** Runs a command with the words that a shell makes of it. */
export async function outputOf(commandLine: string): Promise<string> {
  const { stdout: words } = spawnSync('/bin/sh', ['-c', `printf '%s\\0' ${commandLine}`], {
    encoding: 'utf8',
  })
  const [evq, ...args] = words.split('\0').slice(0, -1)
  expect(evq).toBe('evq')
  const { status, stdout, stderr } = await evqInProcess([...args, '-o', 'ndjson'], { directory })
  expect([status, stderr]).toEqual([0, expect.anything()])
  return stdout
}
