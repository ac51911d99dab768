import { expect, it } from 'vitest'
import { fileLabels } from '../../../../src/cli/commands/view/file-labels.js'

it.each([
  ['a single file', ['app.log'], []],
  ['names', ['/var/log/orders.log', 'gateway.log'], ['orders ', 'gateway']],
  ['different extensions', ['app.log', 'app.log.1.gz'], ['app.log     ', 'app.log.1.gz']],
  ['dates before an extension', ['a.2026-01.log', 'a.2026-02.log'], ['a.2026-01', 'a.2026-02']],
  ['dates', ['a.2026', 'a.2027'], ['a.2026', 'a.2027']],
  ['extensions of two parts', ['a.json.gz', 'b.json.gz'], ['a', 'b']],
  ['hidden files', ['x/.log', 'y/.log'], ['x', 'y']],
  ['directories', ['pods/shop/api/app.log', 'pods/shop/web/app.log'], ['api', 'web']],
  ['a directory and none', ['app.log', 'old/app.log'], ['app    ', 'old/app']],
  ['a twin besides', ['x/a.log', 'y/a.log', 'y/b.log'], ['x/a', 'y/a', 'y/b']],
  ['standard input', ['-', 'app.log'], ['-      ', 'app.log']],
  ['wide characters', ['日本.log', 'a.log'], ['日本', 'a   ']],
  ['long names', ['gateway-of-all-orders', 'b'], ['gateway-of-all-…', 'b               ']],
  [
    'long names with different ends',
    ['checkout-7d9f8b6c54-abcde', 'checkout-7d9f8b6c54-fghij'],
    ['abcde', 'fghij'],
  ],
  [
    'long words',
    ['a23456789012345678-x', 'b23456789012345678-x'],
    ['a23456789012345…', 'b23456789012345…'],
  ],
  [
    'long words with different ends',
    ['a2345678901234567x', 'a2345678901234567y'],
    ['…45678901234567x', '…45678901234567y'],
  ],
  ['shared words', ['shop-api-2026-11.old', 'shop-backend-2026-11.old'], ['api    ', 'backend']],
  [
    'a name that begins another',
    ['checkout-api', 'checkout-api-2'],
    ['checkout-api  ', 'checkout-api-2'],
  ],
])('tells files apart: %s', (_, files, labels) => {
  expect([...fileLabels(files).values()]).toEqual(labels)
})
