import type { Signature } from './signature.js'

/** Functions that parse and format sizes, lists, paths and URLs. */
export const PARSE_FUNCTIONS = {
  format_bytes: {
    parameters: [
      { name: 'value', accepts: ['int', 'real', 'dynamic'] },
      { name: 'precision', accepts: ['int'], optional: true },
      { name: 'units', accepts: ['string'], optional: true },
      { name: 'base', accepts: ['int'], optional: true },
    ],
    result: 'string',
    summary: 'a number of bytes with a unit: `8 MB`; base 2 counts by 1024, base 10 by 1000',
    example: 'print format_bytes(8000000, 0, "MB") // "8 MB"',
  },
  format_url: {
    parameters: [{ name: 'parts', accepts: ['dynamic'] }],
    result: 'string',
    summary:
      'a URL from an object with scheme, host, port, path, user, password, query and fragment; null unless it is an object',
    example:
      'print format_url(dynamic({"scheme": "https", "host": "example.com", "path": "/cart"})) // "https://example.com/cart"',
  },
  parse_bytes: {
    parameters: [
      { name: 'text', accepts: ['string'] },
      { name: 'base', accepts: ['int'], optional: true },
    ],
    result: 'int',
    summary: 'the number of bytes of a size such as `512 KB`; 0 if it is not a size',
    example: 'print parse_bytes("512 KB", 2) // 524288',
  },
  parse_csv: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'dynamic',
    summary: 'the values of a line of CSV as an array, unquoted',
    example: 'print parse_csv("a,\\"b,c\\"") // ["a","b,c"]',
  },
  parse_json: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'dynamic',
    summary: 'the value of a JSON text; a string that is not JSON stays a string',
    example: 'print parse_json("{\\"status\\": 200}").status // 200',
  },
  parse_path: {
    parameters: [{ name: 'path', accepts: ['string'] }],
    result: 'dynamic',
    summary:
      'the parts of a file path as an object: Scheme, RootPath, DirectoryPath, DirectoryName, Filename, Extension and AlternateDataStreamName',
    example: 'print parse_path("/var/log/app.log").Filename // "app.log"',
  },
  parse_url: {
    parameters: [{ name: 'url', accepts: ['string'] }],
    result: 'dynamic',
    summary:
      'the parts of a URL as an object: scheme, host, port, path, username, password, query and fragment',
    example: 'print parse_url("https://example.com:8443/cart").port // "8443"',
  },
  parse_urlquery: {
    parameters: [{ name: 'query', accepts: ['string'] }],
    result: 'dynamic',
    summary: 'the query parameters of a URL as an object, decoded; the first of each name',
    example: 'print parse_urlquery("page=2&sort=asc") // {"page":"2","sort":"asc"}',
  },
} satisfies Record<string, Signature>
