import type { Signature } from '../signature.js'

/** Functions that read the notation of sizes, lists, paths and addresses, and write it. */
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
  },
  format_url: {
    parameters: [{ name: 'parts', accepts: ['dynamic'] }],
    result: 'string',
    summary:
      'the URL made of scheme, host, port, path, user, password, query and fragment; null for no object',
  },
  parse_bytes: {
    parameters: [
      { name: 'text', accepts: ['string'] },
      { name: 'base', accepts: ['int'], optional: true },
    ],
    result: 'int',
    summary: 'the number of bytes that `512 KB` and its like mean; 0 when it is none',
  },
  parse_csv: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'dynamic',
    summary: 'the values between the commas, as an array; quotes are taken off',
  },
  parse_json: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'dynamic',
    summary: 'the value that a JSON text denotes; a text that is not JSON stays a string',
  },
  parse_path: {
    parameters: [{ name: 'path', accepts: ['string'] }],
    result: 'dynamic',
    summary:
      'an object of what a path is made of: Scheme, RootPath, DirectoryPath, DirectoryName, Filename, Extension and AlternateDataStreamName',
  },
  parse_url: {
    parameters: [{ name: 'url', accepts: ['string'] }],
    result: 'dynamic',
    summary:
      'an object of what a URL is made of: scheme, host, port, path, username, password, query and fragment',
  },
  parse_urlquery: {
    parameters: [{ name: 'query', accepts: ['string'] }],
    result: 'dynamic',
    summary: 'an object of the parameters of a URL, decoded; of one that is there twice, the first',
  },
} satisfies Record<string, Signature>
