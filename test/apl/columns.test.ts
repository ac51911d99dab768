import { describe, expect, it } from 'vitest'
import { checked, columns } from './support.js'

/** Returns the names of the columns of a query's result. */
function names(steps: string): readonly string[] {
  return checked(`logs | ${steps}`).columns.map((column) => column.name)
}

function idOf(text: string, name: string): number | undefined {
  return checked(text).columns.find((column) => column.name === name)?.id
}

describe('columns of a result', () => {
  it('are the fields of the dataset in order', () => {
    expect(columns('logs | where ok | sort by status | limit 5').slice(0, 3)).toEqual([
      '_time: datetime',
      'status: int',
      'duration: real',
    ])
  })

  it('are named after the aggregation and its field', () => {
    expect(
      names('summarize count(), avg(duration), percentile(duration, 95), max(geo.city)'),
    ).toEqual(['count_', 'avg_duration', 'percentile_duration', 'max_geo.city'])
  })

  it('are named after the aggregation alone when its argument is no field', () => {
    expect(names('summarize countif(status > 1), sum(status * 2)')).toEqual(['countif_', 'sum_'])
  })

  it('are numbered when their names would repeat', () => {
    expect(names('summarize count(), count(), count()')).toEqual(['count_', 'count_1', 'count_2'])
    expect(names('summarize count(), count_ = sum(status)')).toEqual(['count_1', 'count_'])
    expect(names('project status, status')).toEqual(['status', 'status1'])
  })

  it('start with the keys of a summarize', () => {
    expect(names('summarize n = count() by service, m = method')).toEqual(['service', 'm', 'n'])
  })

  it('keep the name of a binned field and of a path', () => {
    expect(
      names(
        "summarize count() by bin(_time, 1h), bin(status, 100), geo.city, attributes['a']['b']",
      ),
    ).toEqual(['_time', 'status', 'geo.city', 'attributes.a.b', 'count_'])
  })

  it('are numbered for expressions without a name', () => {
    expect(names('project status + 1, status, duration * 2')).toEqual([
      'Column1',
      'status',
      'Column2',
    ])
    expect(names('summarize count() by tolower(method), status + 1')).toEqual([
      'Column1',
      'Column2',
      'count_',
    ])
    expect(names('summarize max(status) - min(status)')).toEqual(['Column1'])
    expect(names('project Column1 = 1 | extend 2')).toEqual(['Column1', 'Column2'])
  })

  it('are one column named Count after count', () => {
    expect(columns('logs | count')).toEqual(['Count: int'])
  })

  it('keep their position when extend replaces them', () => {
    expect(names('project status, method, uri | extend method = 1, new = 2')).toEqual([
      'status',
      'method',
      'uri',
      'new',
    ])
  })

  it('are the remaining ones after project-away', () => {
    expect(
      names("project status, geo.city, geo.country, ['user agent'] | project-away geo.*"),
    ).toEqual(['status', 'user agent'])
    expect(names('project status, method, message | project-away m*e, status')).toEqual(['method'])
  })

  it('may be written in quotes', () => {
    expect(names('project "Error rate" = status, [\'a b\'] = method')).toEqual([
      'Error rate',
      'a b',
    ])
  })

  it('are all or the listed ones after distinct', () => {
    expect(names('project status, method | distinct *')).toEqual(['status', 'method'])
    expect(names('distinct service, geo.city')).toEqual(['service', 'geo.city'])
  })
})

describe('ids of columns', () => {
  it('stay the same for columns that are kept', () => {
    const before = idOf('logs', 'status')
    expect(idOf('logs | extend n = 1 | project n, status | sort by n', 'status')).toBe(before)
    expect(idOf('logs | project a = status, status', 'status')).toBe(before)
  })

  it('are new for computed columns', () => {
    const before = idOf('logs', 'status')
    expect(idOf('logs | extend status = status + 1', 'status')).not.toBe(before)
    expect(idOf('logs | project a = status', 'a')).not.toBe(before)
    expect(idOf('logs | summarize count() by status', 'status')).not.toBe(before)
  })

  it('are unique within a query', () => {
    const query = checked(
      'logs | extend a = 1, a2 = 2 | project a, b = a, c = a2 | summarize count() by b | distinct *',
    )
    const ids = query.operators.flatMap((operator) => {
      if (operator.kind === 'summarize') return [...operator.by, ...operator.aggregates]
      return operator.kind === 'extend' || operator.kind === 'distinct' ? operator.computed : []
    })
    const all = [...query.source.columns, ...ids.map(({ column }) => column)].map(({ id }) => id)
    expect(new Set(all).size).toBe(all.length)
  })

  it('stay the same when a column is assigned to itself', () => {
    expect(checked('logs | extend status | extend status = status').operators).toEqual([])
    expect(checked('logs | project status, method').operators.map(({ kind }) => kind)).toEqual([
      'project',
    ])
    const kinds = checked('logs | project status, b = status').operators.map(({ kind }) => kind)
    expect(kinds).toEqual(['extend', 'project'])
  })
})
