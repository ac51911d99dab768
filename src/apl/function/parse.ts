import { type Signature, signature } from './signature.js'

export const PARSE_FUNCTIONS = {
  format_bytes: signature(
    'value: int|real|dynamic, [precision: int], [units: string], [base: int]',
    'string',
  )(
    'a number of bytes with a unit: `8 MB`; base 2 counts by 1024, base 10 by 1000',
    'print format_bytes(8000000, 0, "MB") // "8 MB"',
  ),
  format_url: signature('parts: dynamic', 'string')(
    'a URL from an object with scheme, host, port, path, user, password, query and fragment; null unless it is an object',
    'print format_url(dynamic({"scheme": "https", "host": "example.com", "path": "/cart"})) // "https://example.com/cart"',
  ),
  parse_bytes: signature('text: string, [base: int]', 'int')(
    'the number of bytes of a size such as `512 KB`; 0 if it is not a size',
    'print parse_bytes("512 KB", 2) // 524288',
  ),
  parse_csv: signature('text: string', 'dynamic')(
    'the values of a line of CSV as an array, unquoted',
    'print parse_csv("a,\\"b,c\\"") // ["a","b,c"]',
  ),
  parse_json: signature('text: string', 'dynamic')(
    'the value of a JSON text; a string that is not JSON stays a string',
    'print parse_json("{\\"status\\": 200}").status // 200',
  ),
  parse_path: signature('path: string', 'dynamic')(
    'the parts of a file path as an object: Scheme, RootPath, DirectoryPath, DirectoryName, Filename, Extension and AlternateDataStreamName',
    'print parse_path("/var/log/app.log").Filename // "app.log"',
  ),
  parse_url: signature('url: string', 'dynamic')(
    'the parts of a URL as an object: scheme, host, port, path, username, password, query and fragment',
    'print parse_url("https://example.com:8443/cart").port // "8443"',
  ),
  parse_urlquery: signature('query: string', 'dynamic')(
    'the query parameters of a URL as an object, decoded; the first of each name',
    'print parse_urlquery("page=2&sort=asc") // {"page":"2","sort":"asc"}',
  ),
} satisfies Record<string, Signature>
