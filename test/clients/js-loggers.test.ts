import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { WinstonTransport } from '@axiomhq/winston'
import { expect, it } from 'vitest'
import winston from 'winston'
import { specifiedService } from '../specification/service.js'
import { until } from '../support/until.js'

// The hosted service's transports for the loggers of Node, unmodified.

const PINO = join(import.meta.dirname, 'pino.js')

const service = specifiedService()

it.each(['url', 'edgeUrl'])('stores what pino logs, with `%s`', async (option) => {
  const dataset = `pino-${option.toLowerCase()}`
  const token = service.firstApiToken()
  const began = Date.now()
  const options = { dataset, token, [option]: service.address() }
  await promisify(execFile)(process.execPath, [PINO, JSON.stringify(options)])
  const rows = await service.rows(
    `['${dataset}'] | sort by msg desc | project level, msg, pid, ['user.id'], ['err.type'], ['err.message']`,
  )
  expect(rows).toEqual([
    ['info', 'signed in', 7, 42, null, null],
    ['error', 'failed', 7, null, 'TypeError', 'no such page'],
  ])
  const times = (await service.rows(`['${dataset}'] | project _time`)).map(([time]) =>
    Date.parse(String(time)),
  )
  for (const time of times) expect(time).toBeGreaterThanOrEqual(began)
})

it.each(['url', 'edgeUrl'])('stores what winston logs, with `%s`', async (option) => {
  const dataset = `winston-${option.toLowerCase()}`
  const errors: Error[] = []
  const transport = new WinstonTransport({
    dataset,
    token: service.firstApiToken(),
    [option]: service.address(),
    onError: (error: Error) => errors.push(error),
  })
  const logger = winston.createLogger({
    level: 'debug',
    format: winston.format.json(),
    defaultMeta: { service: 'web' },
    transports: [transport],
  })
  logger.info('signed in', { user: { id: 42 }, _time: '2026-01-01T10:00:00Z' })
  logger.debug('asked')
  // The transport sends its events a second later.
  await until(async () => (await service.rows(`['${dataset}']`)).length === 2, 'two events')
  const rows = await service.rows(
    `['${dataset}'] | sort by message desc | project level, message, service, ['user.id']`,
  )
  expect(rows).toEqual([
    ['info', 'signed in', 'web', 42],
    ['debug', 'asked', 'web', null],
  ])
  expect(await service.rows(`['${dataset}'] | where level == 'info' | project _time`)).toEqual([
    ['2026-01-01T10:00:00Z'],
  ])
  expect(errors).toEqual([])
})
