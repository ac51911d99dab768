import { common, first, type Signature, signature } from './signature.js'

const integerOf = signature('value: int|real', 'int')
const conditionOn = signature('value: int|real', 'bool')

export const NUMBER_FUNCTIONS = {
  abs: signature('value: int|real|timespan', first)('the absolute value', 'print abs(-3) // 3'),
  bin: signature(
    'value: int|real|datetime|timespan|dynamic, size: int|real|timespan',
    ([value, size]) => (value === 'int' && size === 'real' ? 'real' : (value ?? 'dynamic')),
  )(
    'the value rounded down to a multiple of the size; times count from 1970',
    'print bin(312, 100) // 300',
  ),
  bin_auto: signature('time: datetime', 'datetime')(
    'the time rounded down to a step that suits the time range of the query',
    "['logs'] | summarize count() by bin_auto(_time)",
  ),
  ceiling: integerOf('the value rounded up to an integer', 'print ceiling(1.2) // 2'),
  floor: integerOf('the value rounded down to an integer', 'print floor(1.8) // 1'),
  isfinite: conditionOn(
    'true if the number is neither infinite nor NaN; false for null',
    'print isfinite(1.5) // true',
  ),
  isinf: conditionOn('true if the number is infinite', 'print isinf(1.5) // false'),
  isint: signature('value', 'bool')(
    'true if the value is an integer; a string of digits is not',
    'print isint(42) // true',
  ),
  isnan: conditionOn('true if the value is NaN; null is not NaN', 'print isnan(1.5) // false'),
  max_of: signature('value, …', common)(
    'the largest argument, ignoring nulls',
    'print max_of(3, 7, 5) // 7',
  ),
  min_of: signature('value, …', common)(
    'the smallest argument, ignoring nulls',
    'print min_of(3, 7, 5) // 3',
  ),
  rand: signature('[range: int]', ([range]) => (range === undefined ? 'real' : 'int'))(
    'a random number from 0 to 1, exclusive, or a random integer below the range; different in each row',
    "['logs'] | where rand() < 0.01",
  ),
  round: signature('value: int|real, [precision: int]', 'real')(
    'the value rounded to a number of decimals, half away from zero',
    'print round(2.345, 1) // 2.3',
  ),
  sign: integerOf('-1, 0 or 1: the sign of the value', 'print sign(-3) // -1'),
} satisfies Record<string, Signature>
