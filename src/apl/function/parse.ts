import { optional, parameter, type Signature } from './signature.js'

/** Functions that parse and format sizes, lists, paths and URLs. */
export const PARSE_FUNCTIONS = {
  format_bytes: {
    parameters: [
      parameter('value', 'int', 'real', 'dynamic'),
      optional('precision', 'int'),
      optional('units', 'string'),
      optional('base', 'int'),
    ],
    result: 'string',
    summary: 'a number of bytes with a unit: `8 MB`; base 2 counts by 1024, base 10 by 1000',
    example: 'print format_bytes(8000000, 0, "MB") // "8 MB"',
  },
  format_url: {
    parameters: [parameter('parts', 'dynamic')],
    result: 'string',
    summary:
      'a URL from an object with scheme, host, port, path, user, password, query and fragment; null unless it is an object',
    example:
      'print format_url(dynamic({"scheme": "https", "host": "example.com", "path": "/cart"})) // "https://example.com/cart"',
  },
  parse_bytes: {
    parameters: [parameter('text', 'string'), optional('base', 'int')],
    result: 'int',
    summary: 'the number of bytes of a size such as `512 KB`; 0 if it is not a size',
    example: 'print parse_bytes("512 KB", 2) // 524288',
  },
  parse_csv: {
    parameters: [parameter('text', 'string')],
    result: 'dynamic',
    summary: 'the values of a line of CSV as an array, unquoted',
    example: 'print parse_csv("a,\\"b,c\\"") // ["a","b,c"]',
  },
  parse_json: {
    parameters: [parameter('text', 'string')],
    result: 'dynamic',
    summary: 'the value of a JSON text; a string that is not JSON stays a string',
    example: 'print parse_json("{\\"status\\": 200}").status // 200',
  },
  parse_path: {
    parameters: [parameter('path', 'string')],
    result: 'dynamic',
    summary:
      'the parts of a file path as an object: Scheme, RootPath, DirectoryPath, DirectoryName, Filename, Extension and AlternateDataStreamName',
    example: 'print parse_path("/var/log/app.log").Filename // "app.log"',
  },
  parse_url: {
    parameters: [parameter('url', 'string')],
    result: 'dynamic',
    summary:
      'the parts of a URL as an object: scheme, host, port, path, username, password, query and fragment',
    example: 'print parse_url("https://example.com:8443/cart").port // "8443"',
  },
  parse_urlquery: {
    parameters: [parameter('query', 'string')],
    result: 'dynamic',
    summary: 'the query parameters of a URL as an object, decoded; the first of each name',
    example: 'print parse_urlquery("page=2&sort=asc") // {"page":"2","sort":"asc"}',
  },
} satisfies Record<string, Signature>
