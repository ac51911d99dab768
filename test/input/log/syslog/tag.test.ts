import { expect, it } from 'vitest'
import { tagAt } from '../../../../src/input/log/syslog/tag.js'

it.each([
  ['cron[17]: x', { app: 'cron', pid: '17', end: 9 }],
  ['cron[17] x', { app: 'cron', pid: '17', end: 8 }],
  ['cron[17]', { app: 'cron', pid: '17', end: 8 }],
  ['cron[]: x', { app: 'cron', pid: '', end: 7 }],
  ['cron: x', { app: 'cron', pid: '', end: 5 }],
  ['cron:', { app: 'cron', pid: '', end: 5 }],
  ['cron[17]x', undefined],
  ['cron[1 7]: x', undefined],
  ['cron:x', undefined],
  ['35: x', undefined],
  ['cron x', undefined],
  ['[17]: x', undefined],
  ['', undefined],
])('reads the tag of %j', (line, tag) => {
  expect(tagAt(line, 0)).toEqual(tag)
})

/** The same in the words of a regular expression. */
const TAG = /([^\s:[\]]+)(?:\[([^\]\s]*)\](?::|(?= )|$)|:(?= |$))/y

it('reads the tags that the expression matches', () => {
  const signs = ['a', ' ', ':', '[', ']', '\xa0']
  for (let number = 0; number < signs.length ** 6; number++) {
    const line = Array.from({ length: 6 }, (_, at) => signs[Math.floor(number / 6 ** at) % 6]).join(
      '',
    )
    TAG.lastIndex = 0
    const [, app, pid = ''] = TAG.exec(line) ?? []
    const expected = app === undefined ? undefined : `${app} ${pid} ${TAG.lastIndex}`
    const tag = tagAt(line, 0)
    if ((tag && `${tag.app} ${tag.pid} ${tag.end}`) !== expected) expect(tag, line).toBe(expected)
  }
})
