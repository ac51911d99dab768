import { describe, expect, it } from 'vitest'
import { decodeError } from '../../../src/wire/http/error-body.js'

describe('decodeError', () => {
  it('reads the format of the interface', () => {
    const body = {
      code: 400,
      message: 'There is no field `statsu`.',
      detail: { errorType: 'compile', compileErrorCode: 'unknown-field', line: 1, column: 18 },
      problems: [
        {
          code: 'unknown-field',
          message: 'There is no field `statsu`.',
          span: { start: 17, end: 23 },
          label: 'close to `status`',
          help: 'fields here: status',
        },
      ],
    }
    expect(decodeError(JSON.stringify(body), 400)).toEqual(body)
  })

  it('ignores problems without a position or a message', () => {
    const problems = [{ code: 'a', message: 'b' }, { span: { start: 0, end: 1 } }, null, 3]
    expect(decodeError(JSON.stringify({ code: 400, message: 'm', problems }), 400)).toEqual({
      code: 400,
      message: 'm',
    })
  })

  it.each([
    ['{"error":"quota","message":"The quota is used up."}', 'The quota is used up.', 430],
    ['{"error":"dataset not found"}', 'dataset not found', 430],
    ['{"error":{"code":"limited","message":"Slow down."}}', 'Slow down.', 'limited'],
    ['{"code":"bad_request","message":"No."}', 'No.', 'bad_request'],
    ['{"detail":{"message":"No such function."}}', 'No such function.', 430],
    ['Bad gateway\n', 'Bad gateway', 430],
    ['<html><style>p{}</style><p>Sign in\n first</p></html>', 'Sign in first', 430],
    [
      '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>',
      '502 Bad Gateway nginx',
      430,
    ],
    ['<html><title>Sign in</title><img src="x"></html>', 'Sign in', 430],
    ['"just text"', '"just text"', 430],
    ['{}', 'The service responded with status 430.', 430],
    ['null', 'null', 430],
    ['', 'The service responded with status 430 and no message.', 430],
  ])('reads %s', (text, message, code) => {
    expect(decodeError(text, 430)).toMatchObject({ code, message })
  })

  it.each([
    ['<', `${'<'.repeat(300)}…`],
    ['<style ', 'The service responded with status 502 and no message.'],
  ])('reads a page with a million repetitions of %j', (text, message) => {
    expect(decodeError(text.repeat(1_000_000), 502).message).toBe(message)
  })

  it('truncates long text', () => {
    expect(decodeError('x'.repeat(5000), 502).message).toBe(`${'x'.repeat(300)}…`)
  })
})
