import { PLAIN_NUMBER, parameter, type Signature } from './signature.js'

/** Exponential, logarithmic and trigonometric functions on real numbers. */
export const MATH_FUNCTIONS = {
  acos: {
    parameters: [parameter('value', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the arc cosine in radians; null outside of -1 to 1',
    example: 'print acos(1) // 0',
  },
  asin: {
    parameters: [parameter('value', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the arc sine in radians; null outside of -1 to 1',
    example: 'print asin(0) // 0',
  },
  atan: {
    parameters: [parameter('value', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the arc tangent in radians',
    example: 'print atan(0) // 0',
  },
  atan2: {
    parameters: [parameter('y', ...PLAIN_NUMBER), parameter('x', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the angle in radians between the x axis and the ray to the point (x, y)',
    example: 'print atan2(0, 1) // 0',
  },
  cos: {
    parameters: [parameter('radians', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the cosine of an angle in radians',
    example: 'print cos(0) // 1',
  },
  cot: {
    parameters: [parameter('radians', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the cotangent of an angle in radians; null where the sine is 0',
    example: 'print round(cot(pi() / 4), 9) // 1',
  },
  degrees: {
    parameters: [parameter('radians', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'radians converted to degrees',
    example: 'print degrees(pi()) // 180',
  },
  exp: {
    parameters: [parameter('value', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'e to the power of the value',
    example: 'print exp(0) // 1',
  },
  exp10: {
    parameters: [parameter('value', ...PLAIN_NUMBER)],
    result: 'real',
    summary: '10 to the power of the value',
    example: 'print exp10(3) // 1000',
  },
  exp2: {
    parameters: [parameter('value', ...PLAIN_NUMBER)],
    result: 'real',
    summary: '2 to the power of the value',
    example: 'print exp2(10) // 1024',
  },
  gamma: {
    parameters: [parameter('value', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the gamma function; null for 0 and negative whole numbers',
    example: 'print gamma(5) // 24',
  },
  log: {
    parameters: [parameter('value', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the natural logarithm; null for 0 and below',
    example: 'print log(1) // 0',
  },
  log10: {
    parameters: [parameter('value', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the logarithm to base 10; null for 0 and below',
    example: 'print log10(1000) // 3',
  },
  log2: {
    parameters: [parameter('value', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the logarithm to base 2; null for 0 and below',
    example: 'print log2(1024) // 10',
  },
  loggamma: {
    parameters: [parameter('value', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the natural logarithm of the absolute value of the gamma function',
    example: 'print loggamma(2) // 0',
  },
  pi: {
    parameters: [],
    result: 'real',
    summary: 'the constant pi',
    example: 'print round(pi(), 4) // 3.1416',
  },
  pow: {
    parameters: [parameter('base', ...PLAIN_NUMBER), parameter('exponent', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the base to the power of the exponent',
    example: 'print pow(2, 10) // 1024',
  },
  radians: {
    parameters: [parameter('degrees', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'degrees converted to radians',
    example: 'print round(radians(180), 4) // 3.1416',
  },
  sin: {
    parameters: [parameter('radians', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the sine of an angle in radians',
    example: 'print sin(0) // 0',
  },
  sqrt: {
    parameters: [parameter('value', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the square root; null below 0',
    example: 'print sqrt(144) // 12',
  },
  tan: {
    parameters: [parameter('radians', ...PLAIN_NUMBER)],
    result: 'real',
    summary: 'the tangent of an angle in radians',
    example: 'print tan(0) // 0',
  },
} satisfies Record<string, Signature>
