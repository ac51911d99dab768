import { describe, expect, it } from 'vitest'
import { decodeLegacyResult } from '../../../src/wire/http/legacy-result.js'
import { matchesTable, seriesTable, totalsTable } from '../../../src/wire/http/legacy-table.js'

/** Returns the names and types of a table, and its rows as JSON. */
function shown({ fields, columns }: ReturnType<typeof matchesTable>) {
  return {
    fields: fields.map(({ name, type }) => `${name}: ${type}`),
    rows: (columns[0] ?? []).map((_, row) => columns.map((cells) => cells[row])),
  }
}

const GROUPS = `{
  "status": {"rowsMatched": 3, "messages": null},
  "matches": null,
  "buckets": {
    "series": [
      {"startTime": "2026-01-01T10:00:00Z", "endTime": "2026-01-01T10:01:00Z", "groups": [
        {"id": 18446744073709551615, "group": {"service": "a"}, "aggregations": [{"op": "SUM", "value": 9007199254740993}, {"op": "SUM", "value": 1.50}]}
      ]},
      {"startTime": "2026-01-01T10:01:00Z", "endTime": "2026-01-01T10:02:00Z", "groups": null}
    ],
    "totals": [
      {"id": 0, "group": {"service": "a"}, "aggregations": [{"op": "SUM", "value": 9007199254740993}, {"op": "SUM", "value": 1.50}]},
      {"id": 1, "group": {"service": null}, "aggregations": null}
    ]
  }
}`

describe('a legacy response', () => {
  it('becomes rows with the fields of all of them, exact and in order', () => {
    const result = decodeLegacyResult(`{
      "status": {"rowsMatched": 2, "minCursor": "a", "maxCursor": "b"},
      "matches": [
        {"_time": "2026-01-01T10:00:00.000000001Z", "_sysTime": "2026-01-01T10:00:01Z", "_rowId": "b", "data": {"big": 9007199254740993, "z": {"k": [1, "x"]}}},
        {"_time": "2026-01-01T10:00:00Z", "_sysTime": "2026-01-01T10:00:01Z", "_rowId": "a", "data": {"big": -1, "new": true, "z": null}}
      ],
      "fieldsMetaMap": {"logs": [{"name": "big", "type": "integer|string"}, {"name": "new", "type": ""}]}
    }`)
    expect(result.status).toMatchObject({ rowsMatched: 2, minCursor: 'a', maxCursor: 'b' })
    expect(shown(matchesTable(result))).toEqual({
      fields: [
        '_time: datetime',
        '_sysTime: datetime',
        '_rowId: string',
        'big: integer|string',
        'new: boolean',
        'z: object',
      ],
      rows: [
        [
          '"2026-01-01T10:00:00.000000001Z"',
          '"2026-01-01T10:00:01Z"',
          '"b"',
          '9007199254740993',
          'null',
          '{"k": [1, "x"]}',
        ],
        ['"2026-01-01T10:00:00Z"', '"2026-01-01T10:00:01Z"', '"a"', '-1', 'true', 'null'],
      ],
    })
  })

  it('becomes a row per group, and per group and interval', () => {
    const result = decodeLegacyResult(GROUPS)
    expect(shown(totalsTable(result))).toEqual({
      fields: ['service: string', 'SUM: integer', 'SUM_2: float'],
      rows: [
        ['"a"', '9007199254740993', '1.50'],
        ['null', 'null', 'null'],
      ],
    })
    expect(totalsTable(result).groups).toEqual([{ name: 'service' }])
    expect(shown(seriesTable(result))).toEqual({
      fields: ['_time: datetime', 'service: string', 'SUM: integer', 'SUM_2: float'],
      rows: [['"2026-01-01T10:00:00Z"', '"a"', '9007199254740993', '1.50']],
    })
  })

  it.each(['{"matches":null,"buckets":null}', '{"buckets":{"series":null,"totals":null}}'])(
    'is empty without data: %s',
    (text) => {
      const result = decodeLegacyResult(text)
      expect(result).toMatchObject({ matches: [], series: [], totals: [] })
      expect(shown(matchesTable(result))).toEqual({ fields: [], rows: [] })
    },
  )

  it.each([
    '',
    '{}',
    'null and more',
    '[]',
    '{"matches":{}}',
    '{"matches":[1]}',
    '{"buckets":{"totals":[{"aggregations":[{"value":1}]}]}}',
    '<html>',
  ])('is rejected when it has another shape: %j', (text) => {
    expect(() => decodeLegacyResult(text)).toThrow('Unexpected response')
  })
})
