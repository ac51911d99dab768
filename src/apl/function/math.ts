import { PLAIN_NUMBER, type Signature } from './signature.js'

/** Exponential, logarithmic and trigonometric functions on real numbers. */
export const MATH_FUNCTIONS = {
  acos: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the arc cosine in radians; null outside of -1 to 1',
  },
  asin: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the arc sine in radians; null outside of -1 to 1',
  },
  atan: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the arc tangent in radians',
  },
  atan2: {
    parameters: [
      { name: 'y', accepts: PLAIN_NUMBER },
      { name: 'x', accepts: PLAIN_NUMBER },
    ],
    result: 'real',
    summary: 'the angle in radians between the x axis and the ray to the point (x, y)',
  },
  cos: {
    parameters: [{ name: 'radians', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the cosine of an angle in radians',
  },
  cot: {
    parameters: [{ name: 'radians', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the cotangent of an angle in radians; null where the sine is 0',
  },
  degrees: {
    parameters: [{ name: 'radians', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'radians converted to degrees',
  },
  exp: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'e to the power of the value',
  },
  exp10: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: '10 to the power of the value',
  },
  exp2: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: '2 to the power of the value',
  },
  gamma: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the gamma function; null for 0 and negative whole numbers',
  },
  log: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the natural logarithm; null for 0 and below',
  },
  log10: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the logarithm to base 10; null for 0 and below',
  },
  log2: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the logarithm to base 2; null for 0 and below',
  },
  loggamma: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the natural logarithm of the absolute value of the gamma function',
  },
  pi: {
    parameters: [],
    result: 'real',
    summary: 'the constant pi',
  },
  pow: {
    parameters: [
      { name: 'base', accepts: PLAIN_NUMBER },
      { name: 'exponent', accepts: PLAIN_NUMBER },
    ],
    result: 'real',
    summary: 'the base to the power of the exponent',
  },
  radians: {
    parameters: [{ name: 'degrees', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'degrees converted to radians',
  },
  sin: {
    parameters: [{ name: 'radians', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the sine of an angle in radians',
  },
  sqrt: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the square root; null below 0',
  },
  tan: {
    parameters: [{ name: 'radians', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the tangent of an angle in radians',
  },
} satisfies Record<string, Signature>
