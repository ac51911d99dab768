import { type Signature, signature } from './signature.js'

const ofNumber = signature('value: int|real', 'real')
const ofRadians = signature('radians: int|real', 'real')

export const MATH_FUNCTIONS = {
  acos: ofNumber('the arc cosine in radians; null outside of -1 to 1', 'print acos(1) // 0'),
  asin: ofNumber('the arc sine in radians; null outside of -1 to 1', 'print asin(0) // 0'),
  atan: ofNumber('the arc tangent in radians', 'print atan(0) // 0'),
  atan2: signature('y: int|real, x: int|real', 'real')(
    'the angle in radians between the x axis and the ray to the point (x, y)',
    'print atan2(0, 1) // 0',
  ),
  cos: ofRadians('the cosine of an angle in radians', 'print cos(0) // 1'),
  cot: ofRadians(
    'the cotangent of an angle in radians; null where the sine is 0',
    'print round(cot(pi() / 4), 9) // 1',
  ),
  degrees: ofRadians('radians converted to degrees', 'print degrees(pi()) // 180'),
  exp: ofNumber('e to the power of the value', 'print exp(0) // 1'),
  exp10: ofNumber('10 to the power of the value', 'print exp10(3) // 1000'),
  exp2: ofNumber('2 to the power of the value', 'print exp2(10) // 1024'),
  gamma: ofNumber(
    'the gamma function; null for 0 and negative whole numbers',
    'print gamma(5) // 24',
  ),
  log: ofNumber('the natural logarithm; null for 0 and below', 'print log(1) // 0'),
  log10: ofNumber('the logarithm to base 10; null for 0 and below', 'print log10(1000) // 3'),
  log2: ofNumber('the logarithm to base 2; null for 0 and below', 'print log2(1024) // 10'),
  loggamma: ofNumber(
    'the natural logarithm of the absolute value of the gamma function',
    'print loggamma(2) // 0',
  ),
  pi: signature('', 'real')('the constant pi', 'print round(pi(), 4) // 3.1416'),
  pow: signature('base: int|real, exponent: int|real', 'real')(
    'the base to the power of the exponent',
    'print pow(2, 10) // 1024',
  ),
  radians: signature('degrees: int|real', 'real')(
    'degrees converted to radians',
    'print round(radians(180), 4) // 3.1416',
  ),
  sin: ofRadians('the sine of an angle in radians', 'print sin(0) // 0'),
  sqrt: ofNumber('the square root; null below 0', 'print sqrt(144) // 12'),
  tan: ofRadians('the tangent of an angle in radians', 'print tan(0) // 0'),
} satisfies Record<string, Signature>
