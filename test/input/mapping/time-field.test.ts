import { describe, expect, it } from 'vitest'
import { mappingRewriter, objectMapping } from '../../../src/input/mapping/detect-mapping.js'
import { objectsIn } from '../../../src/input/mapping/sample.js'
import { parseTimestamp } from '../../../src/wire/time/timestamp.js'
import { rewrittenText } from './rewritten-text.js'

const NOW = parseTimestamp('2026-11-20T20:00:00Z')!
const mappingOf = (...events: readonly string[]) => objectMapping(objectsIn(events), { now: NOW })

describe('the field with the event time', () => {
  it.each([
    ['{"id":1,"timestamp_ns":1795168800000000000}', 'timestamp_ns'],
    ['{"id":1,"epochUs":1795168800000000}', 'epochUs'],
    ['{"id":1,"StartTimeUTC":"2026-11-20T10:00:00"}', 'StartTimeUTC'],
    ['{"properties":{"eventTimestamp":"2026-11-20T10:00:00Z"}}', 'properties.eventTimestamp'],
    ['{"EventData":{"UtcTime":"2026-11-20 10:00:00.123"}}', 'EventData.UtcTime'],
    [
      '{"System":{"TimeCreated":{"#attributes":{"SystemTime":"2026-11-20T10:00:00Z"}}}}',
      'System.TimeCreated.#attributes.SystemTime',
    ],
    ['{"metadata":{"eventCreationTime":1795168800123},"event":{}}', 'metadata.eventCreationTime'],
    ['{"timeUnixNano":"1795168800123456789","body":{}}', 'timeUnixNano'],
    ['{"repoType":1,"evtTime":"2026-11-20 10:00:00.123","access":"read"}', 'evtTime'],
    ['{"TimeGenerated [UTC]":"2026-11-20T10:00:00"}', 'TimeGenerated [UTC]'],
    ['{"CreationTime":"2026-11-20T10:00:00","Operation":"FileAccessed"}', 'CreationTime'],
    ['{"local_time":"20/Nov/2026:10:00:00 +0000","request":"GET / HTTP/1.1"}', 'local_time'],
    ['{"timestamp":"2026-11-20T10:00:00Z","@timestamp":"2026-11-20T10:00:01Z"}', '@timestamp'],
    ['{"_index":"a","_source":{"@timestamp":"2026-11-20T10:00:00Z"}}', '_source.@timestamp'],
    ['{"offset":0,"result":{"_time":"2026-11-20T10:00:00.123+00:00"}}', 'result._time'],
    ['{"type":"Feature","properties":{"time":1795168800123}}', 'properties.time'],
    ['{"startedDateTime":"2026-11-20T10:00:00.123Z","time":12.5}', 'startedDateTime'],
    ['{"when":"2026-11-20T10:00:00Z","content":{"ts":"2026-11-20T09:00:00Z"}}', 'when'],
    [
      '{"metadata":{"creationTimestamp":"2026-11-20T10:00:00Z"},"lastTimestamp":"2026-11-20T10:00:01Z","firstTimestamp":"2026-11-20T09:00:00Z"}',
      'lastTimestamp',
    ],
    ['{"metadata":{"creationTimestamp":"2026-11-20T10:00:00Z"}}', 'metadata.creationTimestamp'],
    ['{"at":"2026-11-20T10:00:00Z","action":"login"}', 'at'],
    ['{"_id":{"$oid":"65a0"},"ts":{"$date":"2026-11-20T10:00:00.123Z"}}', 'ts.$date'],
    [
      '{"createdAt":{"$date":{"$numberLong":"1795168800123"}},"msg":"a"}',
      'createdAt.$date.$numberLong',
    ],
    [
      '{"type":"ADDED","object":{"kind":"Event","lastTimestamp":"2026-11-20T10:00:00Z"}}',
      'object.lastTimestamp',
    ],
    [
      '{"type":"jdk.CPULoad","values":{"startTime":"2026-11-20T10:00:00.123456789Z"}}',
      'values.startTime',
    ],
    ['{"type":"m.room.message","origin_server_ts":1795168800123}', 'origin_server_ts'],
    ['{"Time (UTC)":"2026-11-20 10:00:00","Host":"a"}', 'Time (UTC)'],
    ['{"reqTimeSec":"1795168800.123","statusCode":"206"}', 'reqTimeSec'],
    ['{"Generate Time":"2026-11-20 10:00:00","Type":"THREAT"}', 'Generate Time'],
  ])('of %s is %s', (event, timestampField) => {
    expect(mappingOf(event)).toEqual({ timestampField })
  })

  it('is `_time`, and no other one, when its layout is known', () => {
    const event = '{"_time":"Nov 20 10:00:00","timestamp":"2026-11-20T10:00:00Z"}'
    expect(mappingOf(event)).toMatchObject({ timestampField: '_time' })
  })

  it('is found although the header of a table is repeated among its rows', () => {
    const row = (time: string) => JSON.stringify({ time, msg: time })
    const events = [row('2026-11-20T10:00:00Z'), row('time'), row('2026-11-20T10:00:01Z')]
    expect(mappingOf(...events)).toEqual({ timestampField: 'time' })
  })

  it.each([
    // The service reads it.
    '{"_time":"2026-11-20T10:00:00Z"}',
    // No other field is the time of events that have `_time`.
    '{"_time":"soon","timestamp":"2026-11-20T10:00:00Z"}',
    '{"data":{"time":"2026-11-20T10:00:00Z"}}',
    '{"validUntil":"2026-11-20T10:00:00Z"}',
    '{"time_us":250}',
    '{"at":"info","method":"GET"}',
    '{"timestamp":"03/04/2026 10:00:00"}',
  ])('is not found in %s', (event) => {
    expect(mappingOf(event)).toEqual({})
  })

  it.each([
    ['"Nov 20 10:00:00"', '2026-11-20T10:00:00Z'],
    ['"20.11.2026 10:00:00"', '2026-11-20T10:00:00Z'],
    ['"11/20/2026 11:00:00 AM"', '2026-11-20T11:00:00Z'],
    ['"\\/Date(1795168800123)\\/"', '2026-11-20T10:00:00.123Z'],
    ['"/Date(1795168800123+0100)/"', '2026-11-20T10:00:00.123Z'],
  ])('may have a time as lines do: %s', (text, time) => {
    const event = `{"id":7,"timestamp":${text}}`
    const rewrite = mappingRewriter(mappingOf(event), { now: () => NOW, times: {} })
    expect(JSON.parse(rewrittenText(event, rewrite))).toMatchObject({ _time: time, id: 7 })
  })
})
