import type { Type } from '../type.js'
import { type Parameter, PLAIN_NUMBER, type Signature } from './signature.js'

const SERIES: Parameter = { name: 'array', accepts: ['dynamic'] }
const LEFT_SERIES: Parameter = { name: 'left', accepts: ['dynamic'] }
const RIGHT_SERIES: Parameter = { name: 'right', accepts: ['dynamic'] }
const IMAGINARY: Parameter = { name: 'imaginary', accepts: ['dynamic'], optional: true }
/** An array, or one number for every element. */
const OPERANDS: readonly Type[] = ['int', 'real', 'dynamic']
const LEFT: Parameter = { name: 'left', accepts: OPERANDS }
const RIGHT: Parameter = { name: 'right', accepts: OPERANDS }

/** Elementwise functions on arrays of numbers. The result for null or for a value that is not a number is null. */
export const SERIES_ELEMENT_FUNCTIONS = {
  series_abs: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'the absolute value of each element',
  },
  series_acos: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'the arc cosine of each element, in radians; null outside of -1 to 1',
  },
  series_add: {
    parameters: [LEFT, RIGHT],
    result: 'dynamic',
    summary: 'the sums of the elements of two arrays, as many as the shorter one has',
  },
  series_asin: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'the arc sine of each element, in radians; null outside of -1 to 1',
  },
  series_atan: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'the arc tangent of each element, in radians',
  },
  series_ceiling: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'each element rounded up',
  },
  series_cos: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'the cosine of each element, in radians',
  },
  series_divide: {
    parameters: [LEFT, RIGHT],
    result: 'dynamic',
    summary:
      'the quotients of the elements of two arrays, as many as the shorter one has; null for division by zero',
  },
  series_equals: {
    parameters: [LEFT, RIGHT],
    result: 'dynamic',
    summary: 'true where an element equals the one of another array, or a value',
  },
  series_exp: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'e to the power of each element',
  },
  series_fill_backward: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'each null replaced by the next number',
  },
  series_fill_const: {
    parameters: [SERIES, { name: 'value', accepts: PLAIN_NUMBER }],
    result: 'dynamic',
    summary: 'each null replaced by one value',
  },
  series_fill_forward: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'each null replaced by the previous number; nulls at the start by the first number',
  },
  series_fill_linear: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'each null replaced by linear interpolation; nulls at the ends by the nearest number',
  },
  series_floor: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'each element rounded down',
  },
  series_greater: {
    parameters: [LEFT, RIGHT],
    result: 'dynamic',
    summary: 'true where an element is greater than the one of another array, or than a value',
  },
  series_greater_equals: {
    parameters: [LEFT, RIGHT],
    result: 'dynamic',
    summary: 'true where an element is at least the one of another array, or a value',
  },
  series_less: {
    parameters: [LEFT, RIGHT],
    result: 'dynamic',
    summary: 'true where an element is less than the one of another array, or than a value',
  },
  series_less_equals: {
    parameters: [LEFT, RIGHT],
    result: 'dynamic',
    summary: 'true where an element is at most the one of another array, or a value',
  },
  series_log: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'the natural logarithm of each element; null for 0 and below',
  },
  series_max: {
    parameters: [LEFT, RIGHT],
    result: 'dynamic',
    summary: 'the larger of the elements of two arrays; null after the end of the shorter one',
  },
  series_min: {
    parameters: [LEFT, RIGHT],
    result: 'dynamic',
    summary: 'the smaller of the elements of two arrays; null after the end of the shorter one',
  },
  series_multiply: {
    parameters: [LEFT, RIGHT],
    result: 'dynamic',
    summary: 'the products of the elements of two arrays; null after the end of the shorter one',
  },
  series_not_equals: {
    parameters: [LEFT, RIGHT],
    result: 'dynamic',
    summary: 'true where an element differs from the one of another array, or from a value',
  },
  series_pow: {
    parameters: [LEFT, { name: 'exponent', accepts: OPERANDS }],
    result: 'dynamic',
    summary: 'each element to the power of an exponent, or of the one of another array',
  },
  series_sign: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: '-1, 0 or 1 for each element: its sign',
  },
  series_sin: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'the sine of each element, in radians',
  },
  series_subtract: {
    parameters: [LEFT, RIGHT],
    result: 'dynamic',
    summary: 'the differences of the elements of two arrays; null after the end of the shorter one',
  },
  series_tan: {
    parameters: [SERIES],
    result: 'dynamic',
    summary: 'the tangent of each element, in radians',
  },
} satisfies Record<string, Signature>

/** Functions on an array of numbers as a whole; sums and statistics ignore nulls. */
export const SERIES_WHOLE_FUNCTIONS = {
  series_cosine_similarity: {
    parameters: [LEFT_SERIES, RIGHT_SERIES],
    result: 'real',
    summary: 'the cosine similarity of two arrays of the same length; null if one has only zeros',
  },
  series_dot_product: {
    parameters: [LEFT_SERIES, RIGHT_SERIES],
    result: 'real',
    summary: 'the dot product, over as many elements as the shorter one has',
  },
  series_fft: {
    parameters: [SERIES, IMAGINARY],
    result: 'dynamic',
    summary:
      'the Fourier transform: an array of the real parts and one of the imaginary parts; null if an element is not a number',
  },
  series_fir: {
    parameters: [SERIES, { name: 'kernel', accepts: ['dynamic'] }],
    result: 'dynamic',
    summary:
      'each element and those before it, weighted by a kernel that is scaled to a sum of 1 unless a weight is negative; null if an element is not a number',
  },
  series_ifft: {
    parameters: [SERIES, IMAGINARY],
    result: 'dynamic',
    summary:
      'the inverse Fourier transform: an array of the real parts and one of the imaginary parts; null if an element is not a number',
  },
  series_iir: {
    parameters: [
      SERIES,
      { name: 'numerators', accepts: ['dynamic'] },
      { name: 'denominators', accepts: ['dynamic'] },
    ],
    result: 'dynamic',
    summary: 'an infinite impulse response filter of the array; null if an element is not a number',
  },
  series_magnitude: {
    parameters: [SERIES],
    result: 'real',
    summary: 'the square root of the sum of the squares',
  },
  series_pearson_correlation: {
    parameters: [LEFT_SERIES, RIGHT_SERIES],
    result: 'real',
    summary: 'the Pearson correlation of two arrays of the same length, -1 to 1',
  },
  series_stats: {
    parameters: [SERIES],
    result: 'dynamic',
    summary:
      'an array of the smallest number and its index, the largest and its index, the mean, the variance and the standard deviation of a sample',
  },
  series_stats_dynamic: {
    parameters: [SERIES],
    result: 'dynamic',
    summary:
      'an object of the smallest number and its index, the largest and its index, the mean, the variance and the standard deviation of a sample',
  },
  series_sum: {
    parameters: [SERIES],
    result: 'real',
    summary: 'the sum of the numbers; 0 if there are none',
  },
} satisfies Record<string, Signature>
