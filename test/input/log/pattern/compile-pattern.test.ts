import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { translateGrok } from '../../../../src/input/log/pattern/compile-grok.js'
import { compilePattern } from '../../../../src/input/log/pattern/compile-pattern.js'
import { type LinePattern, PatternError } from '../../../../src/input/log/pattern/line-pattern.js'
import { RUNS } from '../../../support/runs.js'

/** The fields of a line, in the order of the pattern; undefined when the line does not match. */
function fieldsOf({ source, fields }: LinePattern, line: string) {
  const found = new RegExp(source).exec(Buffer.from(line).toString('latin1'))
  if (found === null) return undefined
  const written = fields.flatMap(({ name }, i) => {
    const value = found[i + 1]
    return value === undefined ? [] : [[name, Buffer.from(value, 'latin1').toString()]]
  })
  return Object.fromEntries(written) as Record<string, string>
}

const parsed = (pattern: string, line: string) => fieldsOf(compilePattern(pattern), line)
const typesOf = (pattern: string) =>
  compilePattern(pattern).fields.map(({ name, type }) => `${name}:${type}`)

function errorOf(compile: () => unknown): PatternError {
  try {
    compile()
  } catch (error) {
    if (error instanceof PatternError) return error
    throw error
  }
  throw new Error('The pattern was compiled.')
}

/** The text of the pattern to which the error refers. */
function markedBy(pattern: string): readonly [message: string, marked: string] {
  const { message, at, end } = errorOf(() => compilePattern(pattern))
  return [message, pattern.slice(at, end)]
}

/** The whole of a text that a grok pattern matches. */
const matchOf = (name: string, text: string) => parsed(`^(?:%{${name}:it})$`, text)?.it

describe('a pattern of APL', () => {
  it.each([
    [
      '"[" time "] " level " " message',
      '[10:00:01] WARN disk at 91 %',
      { time: '10:00:01', level: 'WARN', message: 'disk at 91 %' },
    ],
    ['user " did " action', 'ann did login', { user: 'ann', action: 'login' }],
    ["a '-' b '-' c", 'eu-b-1-2', { a: 'eu', b: 'b', c: '1-2' }],
    ['* "id=" id:long *', 'x y id=17, z', { id: '17' }],
    ['* "id=" id:long *', 'no id= but id=8', { id: '8' }],
    ['took:real "ms" *', '1.5ms and more', { took: '1.5' }],
    ['a, "/", b', 'x/y', { a: 'x', b: 'y' }],
    ['"a.b*" rest "]"', 'a.b*c]', { rest: 'c' }],
    ['@"C:\\" path', 'C:\\temp', { path: 'temp' }],
    ['"\\"" quoted "\\"\\t" rest', '"a b"\tc', { quoted: 'a b', rest: 'c' }],
    ["['http status'] ' ' http.path", '200 /x', { 'http status': '200', 'http.path': '/x' }],
    ['"prix " prix " €" *', 'prix 3 € net', { prix: '3' }],
    ['kind=regex @"\\w+=" a @"\\s+\\w+=" b', 'x=1   yy=2', { a: '1', b: '2' }],
    ['kind=regex "(get|post) " url', 'post /x', { url: '/x' }],
    ['a "-" b', '-', { a: '', b: '' }],
  ])('%s reads %s', (pattern, line, fields) => {
    expect(parsed(pattern, line)).toEqual(fields)
  })

  it.each([
    ['a "-" b', 'nodash'],
    ['"x" a', 'ax'],
    ['a "-" b "."', 'x-y.z'],
    ['"ID=" a', 'id=1'],
    ['kind=regex "x.y" a', 'x'],
  ])('%s does not match %s', (pattern, line) => {
    expect(parsed(pattern, line)).toBeUndefined()
  })

  it('has the types of APL', () => {
    const pattern = 'a:int "," b:double "," c:bool "," d:datetime "," e:time "," f:dynamic "," g'
    expect(typesOf(pattern)).toEqual([
      'a:long',
      'b:real',
      'c:bool',
      'd:datetime',
      'e:timespan',
      'f:dynamic',
      'g:string',
    ])
  })

  it.each([
    ['a:strin " " b', 'There is no type `strin`.', 'strin'],
    ['a: " " b', 'There is no type ``.', '"'],
    ['message * rest', 'Nothing marks the end of `message`; a string must follow.', 'message'],
    ['"open', 'This string is not closed.', '"open'],
    ['a " " ^b', 'Expected a quoted string, `*` or the name of a field, found `^`.', '^'],
    ['"x" *', 'The pattern has no fields.', '"x" *'],
    ['a "\\q" b', 'The escape `\\q` is not supported.', '\\q'],
    ['kind=glob a', 'There is no kind `glob` of patterns.', 'glob'],
    ['kind=regex "(" a', 'This `(` is not closed.', '"("'],
    ['', 'The pattern has no fields.', ''],
  ])('%s is rejected', (pattern, message, marked) => {
    expect(markedBy(pattern)).toEqual([message, marked])
  })
})

describe('a regular expression', () => {
  it.each([
    ['(?<level>[A-Z]+) (?<message>.*)', 'INFO all well', { level: 'INFO', message: 'all well' }],
    ['(?P<a>\\d+)-(?P<b>\\d+)', '10-20', { a: '10', b: '20' }],
    ['((?:x|y)+)(z)(?<rest>.*)', 'xyzw', { rest: 'w' }],
    ['(?<a>(?<b>\\d)\\d)', '12', { a: '12', b: '1' }],
    ['(?i)error: (?<what>[a-c]+)', 'ERROR: aBC', { what: 'aBC' }],
    ['(?<a>(?i:ok)|fail)', 'OK', { a: 'OK' }],
    ['^(?:(?i)a)b(?<rest>.*)', 'Abc', { rest: 'c' }],
    ['(?<q>["\']).*?\\k<q>(?<rest>.*)', "'a'b", { q: "'", rest: 'b' }],
    ['(?P<q>x)(?P=q)(?<rest>.)', 'xxy', { q: 'x', rest: 'y' }],
    ['(?<a>\\S+)', 'voilà là', { a: 'voilà' }],
    ['(?<a>[é-]+) (?<b>é+)', 'é-é éé', { a: 'é-é', b: 'éé' }],
    ['(?<a>\\u00e9\\x{e8})', 'éè', { a: 'éè' }],
    ['(?<a>a++)b', 'aaab', { a: 'aaa' }],
    ['(?>x|y)(?<a>\\w{,2})', 'xabc', { a: 'ab' }],
    ['(?<a>[[:alpha:]_]+)(?<b>[^[:space:]]+)', 'ab_1,2 c', { a: 'ab_', b: '1,2' }],
    ['\\Qa.b(\\E(?<a>.)', 'a.b(c', { a: 'c' }],
    ['(?<a>[]x]+)', 'y]x', { a: ']x' }],
    ['(?<a>x(?#comment)y)', 'xy', { a: 'xy' }],
    ['\\A(?<a>\\d+)\\z', '12', { a: '12' }],
    ['(?<a>.+)', 'one\ntwo', { a: 'one\ntwo' }],
    ['(?<http.status:int>\\d+) {(?<b>\\w+)}', '200 {x}', { 'http.status': '200', b: 'x' }],
    ['(?<=id )(?<id>\\d+)(?! )', 'id 12', { id: '12' }],
  ])('%s reads %s', (pattern, line, fields) => {
    expect(parsed(pattern, line)).toEqual(fields)
  })

  it('has types after the names', () => {
    expect(typesOf('(?<a>.)(?<b:long>.)(?<[c][d]:real>.)')).toEqual([
      'a:string',
      'b:long',
      'c.d:real',
    ])
  })

  it.each([
    ['(?<a>x', 'This `(` is not closed.', '('],
    ['(?<a>x))', 'There is no `(` for this `)`.', ')'],
    ['(?<a>[x)', 'This `[` is not closed.', '['],
    ['(?<a>*)', '`*` has nothing to repeat.', '*'],
    ['(?<a>x**)', '`*` has nothing to repeat.', '*'],
    ['(?<a>x{3,2})', 'The bounds of a quantifier are reversed.', '{3,2}'],
    ['(?<a>[z-a])', 'The bounds of a range are reversed.', 'z-a'],
    ['(?<a>\\p{L})', 'The escape `\\p` is not supported.', '\\p'],
    ['(?<a>x)\\1', 'The escape `\\1` is not supported.', '\\1'],
    ['(?<a>x)\\k<b>', 'No group `b` precedes this.', '\\k<b>'],
    ['(?<>x)', 'The name of a field is missing.', '>'],
    ['(?<a b>x)', '`a b` is not a name of a field.', 'a b'],
    ['(?<a:strin>x)', 'There is no type `strin`.', 'strin'],
    ['(?<a>[[:letter:]])', 'There is no class `[:letter:]`.', '[:letter:]'],
    ['(?<a>[^é])', 'Ranges and negated classes can only have ASCII characters.', 'é'],
    ['(?x)(?<a>.)', 'This kind of group is not supported.', '(?x'],
    ['(?<a>x)\\', 'The pattern ends with a backslash.', '\\'],
  ])('%s is rejected', (pattern, message, marked) => {
    expect(markedBy(pattern)).toEqual([message, marked])
  })

  it('that is too large is rejected', () => {
    const { message } = errorOf(() => compilePattern(`(?<x>${'a'.repeat(130_000)})`))
    expect(message).toMatch(/^The regular expression is not valid: .* too large\.$/)
  })
})

describe('grok', () => {
  it.each([
    [
      '%{IP:client} %{WORD:method} %{URIPATHPARAM:request} %{NUMBER:bytes:int} %{NUMBER:duration:float}',
      '55.3.244.1 GET /index.html 15824 0.043',
      {
        client: '55.3.244.1',
        method: 'GET',
        request: '/index.html',
        bytes: '15824',
        duration: '0.043',
      },
    ],
    [
      '%{TIMESTAMP_ISO8601:timestamp} \\[%{DATA:thread}\\] %{LOGLEVEL:level} +%{JAVACLASS:logger} - %{GREEDYDATA:message}',
      '2026-11-20 15:16:47,163 [main] INFO  org.acme.App - started',
      {
        timestamp: '2026-11-20 15:16:47,163',
        thread: 'main',
        level: 'INFO',
        logger: 'org.acme.App',
        message: 'started',
      },
    ],
    [
      '%{COMBINEDAPACHELOG}',
      '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)"',
      {
        clientip: '127.0.0.1',
        ident: '-',
        auth: 'frank',
        timestamp: '10/Oct/2000:13:55:36 -0700',
        verb: 'GET',
        request: '/apache_pb.gif',
        httpversion: '1.0',
        response: '200',
        bytes: '2326',
        referrer: '"http://www.example.com/start.html"',
        agent: '"Mozilla/4.08 [en] (Win98; I ;Nav)"',
      },
    ],
    [
      '%{SYSLOGLINE}',
      'Mar  7 04:02:13 avas clamd[11165]: /var/amavis/x: Worm.Mydoom FOUND',
      {
        timestamp: 'Mar  7 04:02:13',
        logsource: 'avas',
        program: 'clamd',
        pid: '11165',
        message: '/var/amavis/x: Worm.Mydoom FOUND',
      },
    ],
    [
      '%{HTTPD_ERRORLOG}',
      '[Mon Aug 31 16:27:04.664 2026] [core:error] [pid 42:tid 7] [client 10.0.0.9:4711] AH00126: Invalid URI',
      {
        timestamp: 'Mon Aug 31 16:27:04.664 2026',
        module: 'core',
        loglevel: 'error',
        pid: '42',
        tid: '7',
        clientip: '10.0.0.9',
        clientport: '4711',
        errorcode: 'AH00126',
        message: 'Invalid URI',
      },
    ],
    [
      '%{NGINXERRORLOG}',
      '2026/11/20 10:00:00 [error] 42#7: *11 open() "/x" failed (2: No such file or directory)',
      {
        timestamp: '2026/11/20 10:00:00',
        loglevel: 'error',
        pid: '42',
        tid: '7',
        connection: '11',
        message: 'open() "/x" failed (2: No such file or directory)',
      },
    ],
    [
      '%{RUBY_LOGGER}',
      'I, [2026-11-20T10:00:00.123456 #9]  INFO -- web: up',
      {
        timestamp: '2026-11-20T10:00:00.123456',
        pid: '9',
        loglevel: 'INFO',
        progname: 'web',
        message: 'up',
      },
    ],
    ['%{WORD:[http][method]} (?<rest>.*)', 'GET /x', { 'http.method': 'GET', rest: '/x' }],
    ['(?:%{IP:peer}|%{WORD:peer}) done', 'db7 done', { peer: 'db7' }],
    ['(%{INT:a})?,%{INT:b}', ',7', { b: '7' }],
    [
      '%{USER:a}@%{HOSTNAME:b}:%{POSINT:c}',
      'ann@db.acme.test:5432',
      { a: 'ann', b: 'db.acme.test', c: '5432' },
    ],
    ['%{NUMBER:v}%', '99.5%', { v: '99.5' }],
  ])('%s reads %s', (pattern, line, fields) => {
    expect(parsed(pattern, line)).toEqual(fields)
  })

  it.each([
    ['IPV4', '255.1.20.3'],
    ['IPV6', '::1'],
    ['IPV6', 'fe80::1%eth0'],
    ['IPV6', '2001:db8:0:1:2:3:4:5'],
    ['IPV6', '2001:db8::'],
    ['IPV6', '::ffff:10.0.0.1'],
    ['IPV6', '1:2:3:4:5:6:10.0.0.1'],
    ['IPV6', '1:2:3:4:5:6:7::'],
    ['MAC', '00:1b:63:84:45:e6'],
    ['UUID', '7f3cde12-53f1-4a29-8f3b-0123456789ab'],
    ['QUOTEDSTRING', '"a \\" b"'],
    ['PATH', '/var/log/app(1).log'],
    ['PATH', 'C:\\logs\\app.log'],
    ['URI', 'https://ann:pw@acme.test:8443/a/b?c=d&e=%20'],
    ['EMAILADDRESS', 'ann.b+c@acme.test'],
    ['HOSTPORT', 'db.acme.test:5432'],
    ['LOGLEVEL', 'Warning'],
    ['MONTH', 'September'],
    ['HTTPDATE', '01/Mar/2026:10:00:00 +0100'],
    ['SYSLOGTIMESTAMP', 'Mar  1 10:00:00'],
    ['TIMESTAMP_ISO8601', '2026-11-20T15:16:47.163+01:00'],
    ['DATESTAMP_RFC2822', 'Fri, 20 Nov 2026 15:16:47 +0100'],
    ['DATE', '20.11.2026'],
    ['NUMBER', '-17.25'],
    ['BASE16NUM', '0xDEADbeef'],
    ['JAVACLASS', 'org.acme.App$Inner'],
  ])('%s matches %s', (name, text) => {
    expect(matchOf(name, text)).toBe(text)
  })

  it.each([
    ['IPV4', '256.1.2.3'],
    ['IPV4', '1.2.3'],
    ['IPV6', '1:2:3'],
    ['IPV6', '1::2::3'],
    ['IPV6', '1:2:3:4:5:6:7:8:9'],
    ['UUID', '7f3cde12-53f1-4a29-8f3b'],
    ['TIME', '24:00:00'],
    ['MONTHDAY', '32'],
    ['POSINT', '0'],
    ['INT', '1.5'],
    ['WORD', 'a b'],
    ['LOGLEVEL', 'informal'],
  ])('%s does not match %s', (name, text) => {
    expect(matchOf(name, text)).toBeUndefined()
  })

  it('has the types of grok and of APL', () => {
    const pattern = '%{INT:a:int} %{INT:b:long} %{NUMBER:c:float} %{WORD:d:boolean} %{WORD:e}'
    expect(typesOf(pattern)).toEqual(['a:long', 'b:long', 'c:real', 'd:bool', 'e:string'])
  })

  it('prefers the patterns of the caller, which may refer to built-in ones', () => {
    const library = new Map([
      ['TIME', '\\d{2}h%{MINUTE}'],
      ['AT', 'at %{TIME:time}'],
    ])
    expect(fieldsOf(translateGrok('%{AT} %{WORD:w}', library), 'at 10h42 go')).toEqual({
      time: '10h42',
      w: 'go',
    })
  })

  it.each([
    ['%{IPADRESS:a}', 'There is no grok pattern `IPADRESS`.', '%{IPADRESS:a}'],
    ['x %{WORD:a', 'This `%{` is not closed.', '%{'],
    ['x %{WORD:a:strin}', 'There is no type `strin`.', 'strin'],
    ['x %{WORD:}', 'The name of a field is missing.', '}'],
    ['%{WORD}', 'The pattern has no fields.', '%{WORD}'],
    ['%{WORD:a} (', 'This `(` is not closed.', '('],
  ])('%s is rejected', (pattern, message, marked) => {
    expect(markedBy(pattern)).toEqual([message, marked])
  })

  it('suggests a pattern with a similar name', () => {
    expect(errorOf(() => compilePattern('%{GREEDYDAT:a}')).help).toBe('close to `GREEDYDATA`')
  })

  it('reports errors in a pattern of the caller for the reference to it', () => {
    const library = new Map([['BAD', '((']])
    const { message, at, end } = errorOf(() => translateGrok('x %{BAD:a}', library))
    expect([message, at, end]).toEqual(['This `(` is not closed.', 2, 10])
  })
})

describe('any pattern', () => {
  const part = fc.constantFrom(
    ...[
      '(',
      ')',
      '(?<a>',
      '(?<b:long>',
      '(?:',
      '(?i)',
      '(?',
      '[',
      ']',
      '[^',
      '{',
      '}',
      '{2}',
      '{,',
    ],
    ...[
      '*',
      '+',
      '?',
      '|',
      '.',
      '^',
      '$',
      '\\',
      '\\d',
      '\\k<a>',
      '\\Q',
      '-',
      'é',
      'x',
      '"',
      "'",
      '@"',
    ],
    ...['%{', '%{INT:n}', '%{X', ':', 'long', ' ', ',', '*', '[:alpha:]', '\u{1f600}', '\n', '\0'],
  )
  const pattern = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))

  it('compiles, or is rejected with a position in it', () => {
    fc.assert(
      fc.property(pattern, (text) => {
        try {
          const { source, fields } = compilePattern(text)
          const groups = new RegExp(`${source}|`).exec('')!.length - 1
          expect(groups).toBe(fields.length)
        } catch (error) {
          if (!(error instanceof PatternError)) throw error
          expect(error.at).toBeGreaterThanOrEqual(0)
          expect(error.at).toBeLessThanOrEqual(text.length)
          expect(error.end).toBeGreaterThan(error.at)
        }
      }),
      { numRuns: 100 * RUNS },
    )
  })

  it('of escaped characters matches exactly these', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        const escaped = text.replace(/[\\^$.|?*+()[\]{}%]/g, '\\$&')
        expect(parsed(`^(?<all>${escaped})$`, text)).toEqual({ all: text })
      }),
    )
  })
})
