import { describe, expect, it } from 'vitest'
import { LEVEL_SOURCES, levelSourceOf } from '../../../src/input/mapping/level-source.js'
import { objectsIn } from '../../../src/input/mapping/sample.js'

const source = (...lines: string[]) => levelSourceOf(objectsIn(lines))?.name

describe('the source of levels', () => {
  it('is none for events whose levels are normalized, so that they are sent as they are', () => {
    expect(source('{"level":"info","msg":"a"}', '{"level":"error","msg":"b"}')).toBe(undefined)
    expect(source('{"level":"info","msg":"a"}', '{"level":"WARN","msg":"b"}')).toBe('level')
    expect(source('{"severity":"info","message":"a"}')).toBe('severity')
  })

  it('is known for words and numbers of Azure', () => {
    const resource = '"resourceId":"/SUBSCRIPTIONS/1","operationName":"x","category":"y"'
    expect(source(`{${resource},"level":"Error"}`, `{${resource},"level":"4"}`)).toBe('azure')
    const levels = LEVEL_SOURCES.find(({ name }) => name === 'azure')!
    expect(['1', '2', '3', '4', '5', 'Critical', '6'].map(levels.read)).toEqual([
      ...['critical', 'error', 'warn', 'info', 'debug', 'critical'],
      undefined,
    ])
  })

  it("is known for Monolog's numbers and for Elasticsearch's exports", () => {
    const monolog = (level: number, name: string) =>
      `{"message":"a","level":${level},"level_name":"${name}","channel":"app"}`
    expect(source(monolog(400, 'ERROR'), monolog(250, 'NOTICE'))).toBe('monolog')
    const levels = LEVEL_SOURCES.find(({ name }) => name === 'monolog')!
    expect(['100', '200', '250', '300', '400', '500', '550', '600', '7'].map(levels.read)).toEqual([
      ...['debug', 'info', 'notice', 'warn', 'error', 'critical', 'alert', 'emergency'],
      undefined,
    ])
    expect(source('{"_index":"a","_source":{"log":{"level":"error"}}}')).toBe('_source/log/level')
    expect(source('{"_source":{"level":"error"}}')).toBe(undefined)
  })

  it('is a word for the level whose number is in `level`', () => {
    expect(source('{"msg":"a","level":"0","prio":"Warning"}')).toBe('prio')
    expect(source('{"msg":"a","level":3,"severity":"error"}')).toBe('severity')
    expect(source('{"msg":"a","level":"boss","severity":"error"}')).toBe(undefined)
    expect(source('{"msg":"a","level":3,"logLevel":"error"}')).toBe(undefined)
  })

  it('is known for the context of roarr, the fields of winston, and npm', () => {
    const roarr = (context: string) =>
      `{"context":${context},"message":"a","sequence":"0","time":1795168800000,"version":"2.0.0"}`
    expect(source(roarr('{"logLevel":30}'), roarr('{"logLevel":50}'), roarr('{}'))).toBe('roarr')
    expect(source('{"@fields":{"level":"info"},"@message":"a"}')).toBe('@fields/level')
    const levels = LEVEL_SOURCES.find(({ name }) => name === 'level')!
    expect(['http', 'silly', 'h'].map(levels.read)).toEqual(['info', 'trace', undefined])
  })

  it('is known when some cells of a table are empty', () => {
    const rows = ['N/A', '-', '', 'null', 'ERROR'].map(
      (level) => `{"Severity":"${level}","Message":"a"}`,
    )
    expect(source(...rows)).toBe('Severity')
    expect(source('{"Severity":"N/A","Message":"a"}')).toBe(undefined)
    expect(source('{"Severity":"Low","Message":"a"}', ...rows)).toBe(undefined)
  })

  it('is a number from 0 to 4 in exports of Application Insights', () => {
    expect(source('{"itemType":"trace","severityLevel":3,"message":"a"}')).toBe('insights')
    expect(source('{"AppRoleName":"a","SeverityLevel":"1","Message":"a"}')).toBe('insights traces')
    const levels = LEVEL_SOURCES.find(({ name }) => name === 'insights')!
    expect(['0', '1', '2', '3', '4', '5'].map(levels.read)).toEqual([
      ...['trace', 'info', 'warn', 'error', 'critical'],
      undefined,
    ])
  })

  it.each([
    ['{"labels":{"level":"error"},"line":"a"}', 'labels/level'],
    ['{"labels":{"detected_level":"error"},"line":"a"}', 'labels/detected_level'],
    ['{"line":"a","fields":{"level":"warn"}}', 'fields/level'],
    ['{"id":"1","attributes":{"status":"error","message":"a"}}', 'attributes/status'],
    ['{"eventMessage":"a","messageType":"Error"}', 'messageType'],
    ['{"displayMessage":"a","severity":"WARN"}', 'severity'],
    ['{"display_message":"a","severity":"WARN"}', 'severity'],
    ['{"_raw":"a","log_level":"WARN"}', 'log_level'],
    ['{"Level":"Warning","Log":"System","Event":"a"}', 'Level'],
    ['{"Severity Level":"Warning","Content":"a"}', 'Severity Level'],
    ['{"Operation name":"a","Level":"Informational"}', 'Level'],
    ['{"Log Level":"WARN","Details":"a"}', 'Log Level'],
    ['{"RenderedDescription":"a","EventLevelName":"Warning"}', 'EventLevelName'],
    ['{"EntryType":"Information","Source":"disk","Message":"a"}', 'EntryType'],
    ['{"Date":"x","Host":"h","Service":"s","Status":"warn","Message":"a"}', 'Status'],
    ['{"device":"SFW","log_id":"010102600002","priority":"Warning"}', 'priority'],
    ['{"device_id":"FEVM02","log_id":"0002002810","pri":"warning","msg":"a"}', 'pri'],
    ['{"at":"2026-11-20T10:00:00Z","ns":["app"],"sev":"Warning","msg":""}', 'sev'],
    ['{"labels":{"level":"error"}}', undefined],
    ['{"attributes":{"status":"error"}}', undefined],
    ['{"ddsource":"nodejs","status":"error","message":"a"}', 'status'],
    ['{"status":"error","message":"a"}', undefined],
  ])('of the export %s is %s', (event, name) => {
    expect(source(event)).toBe(name)
  })

  it('is a field that a tenth of the events have', () => {
    const progress = Array.from({ length: 8 }, () => '{"message":"reading","percent":7}')
    const failed = '{"message":"archive exists","levelname":"ERROR"}'
    expect(source(failed, ...progress)).toBe('levelname')
    expect(source(failed, ...progress, ...progress)).toBe(undefined)
  })

  it('needs a message in half of the events', () => {
    const failed = '{"level":"ERROR","cause":{"name":"Error"}}'
    expect(source('{"level":"INFO","msg":"a"}', failed)).toBe('level')
    expect(source('{"level":"INFO","msg":"a"}', failed, failed)).toBe(undefined)
  })
})
