import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.js'
import { ask, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'

// Each function with literals, with fields of one type, with fields of several types, and with
// elements of an array as arguments: the result must be the same. It is from the documentation or computed by hand.

type Argument = string | number | boolean | null | readonly unknown[] | object
type Example = readonly [call: string, args: readonly Argument[], expected: unknown]

const EXAMPLES: readonly Example[] = [
  ['base64_decode_toarray(A)', ['aGVsbG8='], [104, 101, 108, 108, 111]],
  ['base64_decode_toarray(A)', ['AAH/'], [0, 1, 255]],
  ['base64_decode_toarray(A)', ['no base64!'], []],
  ['base64_decode_tostring(A)', ['VGhpcyBpcyBhIHRlc3QgbWVzc2FnZQ=='], 'This is a test message'],
  ['base64_encode_fromarray(A)', [[192, 168, 0, 1]], 'wKgAAQ=='],
  ['base64_encode_fromarray(A)', [[256]], ''],
  ['base64_encode_fromarray(A)', [['a']], ''],
  ['base64_encode_tostring(A)', ['application/json'], 'YXBwbGljYXRpb24vanNvbg=='],
  ['coalesce(A, B, C)', ['', null, 'Unknown'], 'Unknown'],
  ['countof(A, B)', ['/', '/api/v1/users/12345/posts/67890/comments'], 7],
  ['countof(A, B)', ['aa', 'aaa'], 1],
  ['countof(A, B)', ['', 'aaa'], 0],
  ['countof_regex(A, B)', ['[0-9]+', '/api/12/x/345'], 2],
  ['countof_regex(A, B)', ['x*', 'axb'], 1],
  ['extract(A, B, C)', ['/users/([0-9]+)', 1, '/users/12345'], '12345'],
  ['extract(A, B, C)', ['/users/([0-9]+)', 0, 'a /users/12345 b'], '/users/12345'],
  ['extract(A, B, C)', ['/users/([0-9]+)', 1, 'zz'], null],
  ['extract(A, B, C)', ['a(b)?', 1, 'a'], ''],
  ['extract_all(A, dynamic([1]), B)', ['([0-9]+)', '/api/users/123/posts/456'], ['123', '456']],
  [
    'extract_all(A, dynamic([2, 1]), B)',
    ['([a-z])([0-9])', 'a1 b2'],
    [
      ['1', 'a'],
      ['2', 'b'],
    ],
  ],
  ['extract_all(A, dynamic([0]), B)', ['[a-z]', 'x1y'], ['x', 'y']],
  ['extract_all(A, dynamic([1]), B)', ['(a)|b', 'ab'], ['a', '']],
  ['extract_all(A, dynamic([1]), B)', ['(q)', 'ab'], []],
  [
    'extract_all(A, dynamic([1, 2]), B)',
    ['(a)(.)', 'a|a,a+'],
    [
      ['a', '|'],
      ['a', ','],
      ['a', '+'],
    ],
  ],
  ['format_bytes(A, B)', [8765432, 2], '8.36 MB'],
  ['format_bytes(A, B)', [456789, 2], '446.08 KB'],
  ['format_bytes(A)', [1536], '2 KB'],
  ['format_bytes(A)', [0], '0 Bytes'],
  ['format_bytes(A)', [1023], '1023 Bytes'],
  ['format_bytes(A, B)', [-2048, 1], '-2.0 KB'],
  ['format_bytes(A)', ['9223372036854775807n'], '8 EB'],
  ['format_bytes(A, B, C)', ['9223372036854775807n', 0, 'Bytes'], '9223372036854775807 Bytes'],
  ['format_bytes(A, B, C, D)', [1500, 1, '', 10], '1.5 kB'],
  ['format_bytes(A, B, C)', [1572864, 2, 'MiB'], '1.50 MiB'],
  ['format_bytes(A, B, C, D)', [1500000, 0, 'kB', 10], '1500 kB'],
  ['format_bytes(A, B, C)', [1, 0, 'pounds'], null],
  ['format_bytes(A)', [1e300], null],
  ['format_url(A)', [{ scheme: 'https', host: 'h.com', path: '/a' }], 'https://h.com/a'],
  [
    'format_url(A)',
    [{ scheme: 'http', host: 'localhost', port: 8080, path: '/frontend' }],
    'http://localhost:8080/frontend',
  ],
  [
    'format_url(A)',
    [
      {
        scheme: 'https',
        host: 'h',
        path: 'p',
        user: 'u',
        password: 'p',
        query: 'x=1',
        fragment: 'f',
      },
    ],
    'https://u:p@h/p?x=1#f',
  ],
  [
    'format_url(A)',
    [{ scheme: 'https', host: 'h', query: { a: 'b c', n: 1 } }],
    'https://h?a=b%20c&n=1',
  ],
  ['format_url(A)', [[1]], null],
  ['indexof(A, B, C)', ['/api/v2/users', '/v', 0], 4],
  ['indexof(A, B, C)', ['/api/products', '/v', 0], -1],
  ['indexof(A, B)', ['aéb', 'b'], 2],
  ['indexof(A, B, C)', ['abcdefg', 'cde', -5], 2],
  ['indexof(A, B, C)', ['abcdefg', 'cde', 100], -1],
  ['indexof(A, B, C)', ['abc', '', 3], 3],
  ['indexof(A, B, C)', ['abc', '', 4], -1],
  ['indexof(A, B, C)', ['abc', '', -5], 0],
  ['indexof(A, B, C, D)', ['abc', '', 4, -1], -1],
  ['indexof(A, B, C, D)', ['abcdefg', 'cde', 1, 4], 2],
  ['indexof(A, B, C, D)', ['abcdefg', 'cde', 1, 2], -1],
  ['indexof(A, B, C, D, E)', ['abcdefgabcdefg', 'cde', 1, 11, 2], 9],
  ['indexof(A, B, C, D, E)', ['abcdefgabcdefg', 'cde', 1, -1, 3], -1],
  ['indexof(A, B, C, D, E)', ['abc', 'b', 0, -1, 0], null],
  ['indexof_regex(A, B)', ['/api/user-12345/settings', 'user-[0-9]+'], 5],
  ['indexof_regex(A, B)', ['/api', 'zz'], -1],
  ['indexof_regex(A, B, C, D)', ['a1 b2 c3', '[0-9]', 0, 2], 4],
  ['indexof_regex(A, B, C, D, E)', ['abcabcdefg', 'a.c', 0, 2, 9], 3],
  ['indexof_regex(A, B, C, D, E)', ['abcabc', 'a.c', 1, 2, -1], -1],
  ['indexof_regex(A, B, C)', ['éabc', 'a', 1], 1],
  ['indexof_regex(A, B)', ['abc', ''], 0],
  ['indexof_regex(A, B, C, D)', ['日本', 'x*', 0, 3], 2],
  ['indexof_regex(A, B, C)', ['abcabc', 'a', -1], null],
  ['indexof_regex(A, B, C, D)', ['abcabc', 'a', 0, 0], null],
  ['indexof_regex(A, B, C, D, E)', ['abcabc', 'a', 0, 1, -2], null],
  ['parse_bytes(A)', ['512 KB'], 524288],
  ['parse_bytes(A)', ['256 KiB'], 262144],
  ['parse_bytes(A)', ['1.5 GB'], 1610612736],
  ['parse_bytes(A)', ['x'], 0],
  ['parse_bytes(A)', ['7'], 7],
  ['parse_bytes(A)', ['9007199254740993 Bytes'], '9007199254740993n'],
  ['parse_bytes(A)', ['8 ZB'], 0],
  ['parse_bytes(A, B)', ['512 KB', 10], 512000],
  ['parse_bytes(A, B)', ['256 KB', 2], 262144],
  ['parse_csv(A)', ['a,"b,""c""",d'], ['a', 'b,"c"', 'd']],
  ['parse_csv(A)', [',a,,"",'], ['', 'a', '', '', '']],
  ['parse_csv(A)', ['200,201'], ['200', '201']],
  ['parse_path(A).DirectoryPath', ['/api/v1/messages/users'], '/api/v1/messages'],
  ['parse_path(A).DirectoryName', ['/api/v1/messages/users'], 'messages'],
  ['parse_path(A).Filename', ['/api/v1/messages/users'], 'users'],
  ['parse_path(A).Extension', ['/api/v1/messages/users'], ''],
  [
    'parse_path(A)',
    ['file://C:/temp/file.tar.gz:some.exe'],
    {
      Scheme: 'file',
      RootPath: 'C:',
      DirectoryPath: 'C:/temp',
      DirectoryName: 'temp',
      Filename: 'file.tar.gz',
      Extension: 'gz',
      AlternateDataStreamName: 'some.exe',
    },
  ],
  ['parse_path(A).DirectoryPath', ['\\\\shared\\users\\temp\\file.txt'], '\\\\shared\\users\\temp'],
  ['parse_path(A).DirectoryPath', ['file.txt'], ''],
  [
    'parse_url(A)',
    ['https://u:p@h.com:8080/p/a?x=1#f'],
    {
      scheme: 'https',
      host: 'h.com',
      port: '8080',
      path: '/p/a',
      username: 'u',
      password: 'p',
      query: 'x=1',
      fragment: 'f',
    },
  ],
  ['parse_url(A).host', ['https://[::1]:80/'], '[::1]'],
  ['parse_url(A).path', ['/api/users?a=b'], '/api/users'],
  [
    'parse_urlquery(A)',
    ['?user_id=12345&action=checkout'],
    { user_id: '12345', action: 'checkout' },
  ],
  ['parse_urlquery(A)', ['a%20b=1+2%2B3&c&&d==&c=9'], { 'a b': '1 2+3', c: '', d: '=' }],
  ['quote(A)', ['a "b" \\ c/d\n'], '"a \\"b\\" \\\\ c/d\\n"'],
  ['regex_quote(A)', ['a.b*'], 'a\\.b\\*'],
  ['replace_regex(A, B, C)', ['^(2[0-9]{2})$', 'SUCCESS-$1', '200'], 'SUCCESS-200'],
  ['replace_regex(A, B, C)', ['x*', '-', 'axß日'], '-a--ß-日-'],
  ['replace_regex(A, B, C)', ['(日?)', '<$1>', 'ß日'], '<>ß<日><>'],
  ['replace(A, B, C)', ['[a-z]+@[a-z]+[.][a-z]{2,}', '[EMAIL]', 'x=user@example.com'], 'x=[EMAIL]'],
  ['replace_string(A, B, C)', ['.100', '.XXX', '192.168.1.100'], '192.168.1.XXX'],
  ['reverse(A)', ['/admin'], 'nimda/'],
  ['reverse(A)', ['aé🦆'], '🦆éa'],
  ['split(A, B)', ['/api/v1', '/'], ['', 'api', 'v1']],
  ['strcat(A, B, C)', ['GET', '-', 200], 'GET-200'],
  ['strcat(A, B)', ['a', null], 'a'],
  ['strcat_delim(A, B, C, D)', [',', 'GET', 200, '/api/users'], 'GET,200,/api/users'],
  ['strcat_delim(A, B, C)', ['-', true, null], 'true-'],
  ['strcmp(A, B)', ['DELETE', 'GET'], -1],
  ['strcmp(A, B)', ['GET', 'GET'], 0],
  ['strcmp(A, B)', ['b', 'a'], 1],
  ['string_size(A)', ['hé'], 3],
  ['strip_ansi_escapes(A)', ['\x1b[31mred\x1b[0m!'], 'red!'],
  ['strip_ansi_escapes(A)', ['\x1b]8;;http://h\x07link\x1b]8;;\x07'], 'link'],
  ['strlen(A)', ['hé'], 2],
  ['strrep(A, B, C)', ['ab', 3, '-'], 'ab-ab-ab'],
  ['strrep(A, B)', ['=', 5], '====='],
  ['strrep(A, B)', [7, 2], '77'],
  ['strrep(A, B)', ['ab', -1], ''],
  ['strlen(strrep(A, B))', ['é', 5000], 1024],
  ['substring(A, B, C)', ['/api/users', 1, 4], 'api/'],
  ['substring(A, B)', ['abc', 10], ''],
  ['substring(A, B)', ['abc', -5], 'abc'],
  ['substring(A, B, C)', ['abc', -2, 1], 'b'],
  ['substring(A, B, C)', ['abc', -5, 2], 'ab'],
  ['substring(A, B)', ['abc', '9223372036854775807n'], ''],
  ['tolower(A)', ['GÄT'], 'gät'],
  ['totitle(A)', ['get it'], 'Get it'],
  ['totitle(A)', ['éa'], 'Éa'],
  ['toupper(A)', ['error_é'], 'ERROR_É'],
  [
    'translate(A, B, C)',
    ['0123456789abcdefghijklmnopqrstuvwxyz', '##########*', 'bd6d8f17-2b8d-4b71-af20-f23dc8d20202'],
    '**#*#*##-#*#*-#*##-**##-*##**#*#####',
  ],
  ['translate(A, B, C)', ['aeiou', '', 'product-catalog'], 'prdct-ctlg'],
  ['translate(A, B, C)', ['aab', 'xyz', 'abca'], 'xzcx'],
  ['trim(A, B)', ['/', '/api/login/'], 'api/login'],
  ['trim(A, B)', ['é☠', 'é☠x☠é'], 'x'],
  ['trim(A, B)', ['', ' x '], ' x '],
  ['trim_end(A, B)', ['/?&', '/api/users/?'], '/api/users'],
  ['trim_end_regex(A, B)', ['[0-9]+$', '/api/users/12'], '/api/users/'],
  ['trim_end_regex(A, B)', ['ab|c', 'xabcab'], 'x'],
  ['trim_regex(A, B)', ['[/]+', '/api/users/'], 'api/users'],
  ['trim_space(A)', [' \t/api/data \n'], '/api/data'],
  ['trim_space(A)', ['\u00a0\u2003x y\u0085'], 'x y'],
  ['trim_start(A, B)', ['/', '/api/users'], 'api/users'],
  ['trim_start(A, B)', ['./', './../../etc/passwd'], 'etc/passwd'],
  ['trim_start_regex(A, B)', ['https?://[^/]+', 'https://api.example.com/api/users'], '/api/users'],
  [
    'unicode_codepoints_from_string(A)',
    ['user☠️999'],
    [117, 115, 101, 114, 9760, 65039, 57, 57, 57],
  ],
  ['unicode_codepoints_from_string(A)', ['🦆'], [129_414]],
  ['unicode_codepoints_to_string(A)', [[72, 84, 84, 80]], 'HTTP'],
  ['unicode_codepoints_to_string(A)', [[233, 9760, 129_414]], 'é☠🦆'],
  ['unicode_codepoints_to_string(A)', [[55296]], null],
  ['unicode_codepoints_to_string(A)', [[]], ''],
  ['url_decode(A)', ['service%3Dfrontend%26version%3D1.0'], 'service=frontend&version=1.0'],
  ['url_encode(A)', ['hello world & special chars'], 'hello%20world%20%26%20special%20chars'],
  [
    'dynamic_to_json(A)',
    [{ b: [1, { z: 1, a: 'x,y' }], 'a.b': null }],
    '{"a.b":null,"b":[1,{"a":"x,y","z":1}]}',
  ],
  [
    'dynamic_to_json(A)',
    [{ m: 'GET', d: 150, n: { z: {}, a: [] } }],
    '{"d":150,"m":"GET","n":{"a":[],"z":{}}}',
  ],
  ['dynamic_to_json(A)', [[{ b: '"#1#{}', a: [[1], []] }]], '[{"a":[[1],[]],"b":"\\"#1#{}"}]'],
  ['dynamic_to_json(A)', [5], '5'],
  ['dynamic_to_json(A)', ['x'], 'x'],
  ['toarray(A)', ['123'], ['123']],
  ['toarray(A)', [{ a: 1, b: 'x' }], [1, 'x']],
  ['toarray(A)', [[1, 'b']], [1, 'b']],
  ['toarray(A)', [null], []],
  ['tobool(A)', ['T'], true],
  ['tobool(A)', ['false'], false],
  ['tobool(A)', ['x'], null],
  ['tobool(A)', [2], true],
  ['todatetime(A)', ['2024-06-24'], '2024-06-24T00:00:00Z'],
  ['todatetime(A)', ['garbage'], null],
  ['todatetime(A)', ['May 8, 2009 5:57:51 PM'], '2009-05-08T17:57:51Z'],
  ['todatetime(A)', ['2006-01-02T15:04:05+0700'], '2006-01-02T08:04:05Z'],
  ['todatetime(A)', ['1900-01-01'], '1900-01-01T00:00:00Z'],
  ['todatetime(A)', ['1800-01-01'], null],
  ['todatetime(A)', ['2300-01-01'], null],
  ['todatetime(A)', ['2026-02-30'], null],
  ['todatetime(A)', ['2026-01-31T24:00:00Z'], null],
  ['todatetime(A)', ['2026-01-31T10:00:60Z'], null],
  ['todatetime(A)', ['12:34:56'], null],
  ['todatetime(A)', ['12:34:56.5 PM'], null],
  ['todatetime(A)', ['12:34:56Z'], null],
  ['todatetime(A)', ['12:34:56 +02:00'], null],
  ['todatetime(A)', ['12:34:56 24 Jun 2024'], '2024-06-24T12:34:56Z'],
  ['todatetime(A)', ['2026-01-31T23:59:59.999999999Z'], '2026-01-31T23:59:59.999999999Z'],
  ['todatetime(A)', [1000000000], '1970-01-01T00:00:01Z'],
  ['todouble(A)', ['1e3'], 1000],
  ['todouble(A)', ['abc'], null],
  ['todouble(A)', [true], 1],
  ['todynamic(A)', ['{"a":1}'], { a: 1 }],
  ['todynamic(A)', ['{bad'], null],
  ['tohex(A, B)', [12345, 8], '00003039'],
  ['tohex(A)', [256], '100'],
  ['tohex(A)', [-256], 'ffffffffffffff00'],
  ['tohex(A)', [0], '0'],
  ['tohex(A)', ['no'], null],
  ['toint(A)', ['+5'], 5],
  ['toint(A)', ['5.7'], null],
  ['toint(A)', ['0x1A'], null],
  ['toint(A)', [-2.7], -2],
  ['toint(A)', [1e30], null],
  ['tolong(A)', ['-3'], -3],
  ['toreal(A)', ['-1.5'], -1.5],
  ['tostring(totimespan(A))', ['-1.5h'], '-1h30m0s'],
  ['tostring(totimespan(A))', ['2h45m'], '2h45m0s'],
  ['tostring(totimespan(A))', ['300ms'], '300ms'],
  ['tostring(totimespan(A))', [80000000000], '1m20s'],
  ['toint(totimespan(A))', ['2562047h47m16.854775807s'], '9223372036854775807n'],
  ['toint(totimespan(A))', ['2562047h47m16.854775808s'], null],
  ['toint(totimespan(A))', ['2502h0.000000001s'], '9007200000000001n'],
  ['toint(totimespan(A))', ['0.5ns'], 1],
  ['toint(totimespan(A))', ['1d'], null],
  ['toint(totimespan(A))', ['999999.999999999h'], '3599999999999996400n'],
  ['toint(totimespan(A))', ['1000000.5h'], '3600001800000000000n'],
  ['toint(totimespan(A))', ['0.0005µs'], 1],
  ['toint(totimespan(A))', ['0.000499999µs'], 0],
  ['tostring(todatetime(A))', ['2024-01-01T00:00:00.120Z'], '2024-01-01T00:00:00.12Z'],
  ['hash(A) == hash(B)', ['a', 'a'], true],
  ['hash(A) == hash(A, B)', ['a', 1], false],
  ['hash_md5(A)', ['World'], 'f5a7924e621e84c9280a9a27e1bcb7f6'],
  ['hash_sha1(A)', ['World'], '70c07ec18ef89c5309bbb0937f3a6342411e1fdd'],
  ['hash_sha256(A)', ['World'], '78ae647dc5544d227130a0682a51e30bc7777fbb6d8a8f17007463a3ecd1d524'],
  ['strlen(hash_sha512(A))', ['World'], 128],
  ['hash_md5(A)', [200], '3644a684f98ea8fe223c713b77189a77'],
  ['gettype(A)', ['x'], 'string'],
  ['gettype(A)', [5], 'long'],
  ['gettype(A)', [true], 'bool'],
  ['gettype(A)', [1.5], 'real'],
  ['gettype(A)', [[1]], 'array'],
  ['gettype(A)', [{ a: 1 }], 'dictionary'],
  ['isascii(A)', ['abc'], true],
  ['isascii(A)', ['é'], false],
  ['isbool(A)', [true], true],
  ['isbool(A)', [1], false],
  ['isbool(A)', ['true'], false],
  ['iscc(A)', ['4111111111111111'], true],
  ['iscc(A)', ['4111111111111112'], false],
  ['iscc(A)', ['378282246310005'], true],
  ['iscc(A)', ['1234567890123456'], false],
  ['isempty(A)', [''], true],
  ['isempty(A)', [null], true],
  ['isimei(A)', ['356938035643809'], true],
  ['isimei(A)', ['356938035643808'], false],
  ['isimei(A)', ['35693803564380'], false],
  ['ismap(A)', [{ a: 1 }], true],
  ['ismap(A)', [[1]], false],
  ['ismap(A)', ['{'], false],
  ['isnotempty(A)', [null], false],
  ['isnotempty(A)', ['a'], true],
  ['isnotnull(A)', [''], true],
  ['isnull(A)', [''], false],
  ['isreal(A)', [123.11], true],
  ['isreal(A)', [5], true],
  ['isreal(A)', ['5'], false],
  ['isreal(A)', [null], false],
  ['isstring(A)', ['404'], true],
  ['isstring(A)', [404], false],
  ['isutf8(A)', ['é'], true],
  [
    'find_pair(A, B, C)',
    [['env:production', 'server:web01'], 'server', '*'],
    { key: 'server', separator: ':', value: 'web01' },
  ],
  [
    'find_pair(A, B, C)',
    [['env:production', 5, 'a.b:web01'], 'a.*', 'web*1'],
    { key: 'a.b', separator: ':', value: 'web01' },
  ],
  ['find_pair(A, B, C)', [['axb:1'], 'a.b', '*'], null],
  ['find_pair(A, B, C, D)', [['k=v=w'], 'k', '*', '='], { key: 'k', separator: '=', value: 'v=w' }],
  ['pair(A, B)', ['method', 'GET'], { key: 'method', separator: ':', value: 'GET' }],
  ['pair(A, B, C)', ['n', 5, '='], { key: 'n', separator: '=', value: '5' }],
  ['parse_pair(A)', ['a:b:c'], { key: 'a', separator: ':', value: 'b:c' }],
  ['parse_pair(A)', ['abc'], { key: '', separator: ':', value: 'abc' }],
  ['parse_pair(A, B)', ['a::b', '::'], { key: 'a', separator: '::', value: 'b' }],
]

const NAMES = ['A', 'B', 'C', 'D', 'E']

/** The call with its arguments replaced. */
function withArguments(call: string, replace: (i: number) => string): string {
  return call.replace(/\b[A-E]\b/g, (name) => replace(NAMES.indexOf(name)))
}

/** JSON; an integer beyond 2^53 is a string with an `n`. */
function jsonOf(value: Argument): string {
  const isLarge = typeof value === 'string' && /^\d+n$/.test(value)
  return isLarge ? value.slice(0, -1) : JSON.stringify(value)
}

function decoded(json: string): unknown {
  return /^-?\d{16,}$/.test(json) ? `${json}n` : JSON.parse(json)
}

function literalOf(value: Argument): string {
  if (value === null) return 'dynamic(null)'
  if (typeof value === 'object') return `dynamic(${JSON.stringify(value)})`
  const escaped = /\\u([0-9a-f]{4})/g
  const characters = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))
  return jsonOf(value).replace(escaped, characters).replace('e+', 'e')
}

function eventOf(row: number, fields: Readonly<Record<string, string>>): string {
  const members = Object.entries(fields).map(([name, value]) => `"${name}":${value}`)
  return `{"_time":"2026-01-01T00:00:00Z","row":${row},${members.join(',')}}`
}

/** An event with each argument of each example, and one with values of other types. */
const EVENTS = [
  eventOf(1, { ...fieldsOf(jsonOf), ...arrays() }),
  eventOf(2, {
    ...fieldsOf((value) => (typeof value === 'string' ? '1' : '"x"')),
    ...{ noText: '"x"', noNumber: '1', nothing: '[1]' },
  }),
]

function fieldsOf(write: (value: Argument) => string): Record<string, string> {
  const named = EXAMPLES.flatMap(([, args], n) =>
    args.flatMap((value, i) => (isScalar(value) ? [[`e${n}_${i}`, write(value)]] : [])),
  )
  return Object.fromEntries(named)
}

function arrays(): Record<string, string> {
  const named = EXAMPLES.map(([, args], n) => [`all${n}`, `[${args.map(jsonOf).join(',')}]`])
  return Object.fromEntries(named)
}

let engine: Engine
let world: World

beforeAll(async () => {
  engine = await openTestEngine()
  const plain = await layOut(engine, { table: 'plain', events: EVENTS.slice(0, 1), hot: true })
  const mixed = await layOut(engine, { table: 'mixed', events: EVENTS, hot: true })
  const repeated = await layOut(engine, {
    ...{ table: 'repeated', events: EVENTS.slice(0, 1), hot: true },
    hasDictionaries: true,
  })
  const datasets = new Map([
    ['plain', plain],
    ['mixed', mixed],
    ['repeated', repeated],
  ])
  world = { engine, datasets, now: 0n }
})

afterAll(() => engine.close())

function literal(n: number, i: number): string {
  return literalOf(EXAMPLES[n]![1][i]!)
}

/** Members of an object would be separate fields. */
function field(n: number, i: number): string {
  return isScalar(EXAMPLES[n]![1][i]!) ? `e${n}_${i}` : literal(n, i)
}

function isScalar(value: Argument): boolean {
  return value !== null && typeof value !== 'object'
}

/** A missing field of the argument's type. */
function missing(n: number, i: number): string {
  const value = EXAMPLES[n]![1][i]
  if (typeof value === 'number') return 'noNumber'
  return typeof value === 'string' && !/^\d+n$/.test(value) ? 'noText' : 'nothing'
}

/** Functions that do not return null for null. */
const TOTAL =
  /^(coalesce|strcat|strcat_delim|toarray|dynamic_to_json|tostring|gettype|is(?!ascii|cc|imei|utf8)[a-z]+|hash)\(/

const TOGETHER = 25

const ALL = [...EXAMPLES.keys()]

/** The calls of the examples, with replaced arguments. */
async function values(
  dataset: string,
  argument: (example: number, i: number) => string,
  examples = ALL,
) {
  const calls = examples.map((n) => withArguments(EXAMPLES[n]![0], (i) => argument(n, i)))
  const found: unknown[] = []
  for (let start = 0; start < calls.length; start += TOGETHER) {
    const some = calls.slice(start, start + TOGETHER).map((call, i) => `v${i} = ${call}`)
    const { rows } = await ask(world, `${dataset} | where row == 1 | project ${some.join(', ')}`)
    found.push(...rows[0]!.map(decoded))
  }
  return labelled(found, examples)
}

function labelled(found: readonly unknown[], examples = ALL): Record<string, unknown> {
  const label = (n: number) => `${n}: ${EXAMPLES[n]![0]} of ${JSON.stringify(EXAMPLES[n]![1])}`
  return Object.fromEntries(examples.map((n, i) => [label(n), found[i]]))
}

const EXPECTED = labelled(EXAMPLES.map(([, , expected]) => expected))

describe('string and type functions', () => {
  it('accept literals', async () => {
    expect(await values('plain', literal)).toEqual(EXPECTED)
  })

  it('accept fields of one type', async () => {
    expect(await values('plain', field)).toEqual(EXPECTED)
  })

  it('accept fields with few values, which are stored with a dictionary', async () => {
    expect(await values('repeated', field)).toEqual(EXPECTED)
  })

  it('accept fields of several types', async () => {
    expect(await values('mixed', field)).toEqual(EXPECTED)
  })

  it('accept elements of arrays', async () => {
    expect(await values('plain', (n, i) => `all${n}[${i}]`)).toEqual(EXPECTED)
  })

  it('return null for null', async () => {
    const calls = EXAMPLES.map(([call]) => call)
    for (const place of NAMES.keys()) {
      const partial = ALL.filter((n) => !TOTAL.test(calls[n]!) && calls.indexOf(calls[n]!) === n)
      const examples = partial.filter((n) => place < EXAMPLES[n]![1].length)
      const argument = (n: number, i: number) => (i === place ? missing : literal)(n, i)
      const found = await values('mixed', argument, examples)
      expect(found).toEqual(
        labelled(
          examples.map(() => null),
          examples,
        ),
      )
    }
  })
})
