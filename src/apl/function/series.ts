import { type Signature, signature } from './signature.js'

const elementwise = signature('array: dynamic', 'dynamic')
const pairwise = signature('left: int|real|dynamic, right: int|real|dynamic', 'dynamic')
const measureOfPair = signature('left: dynamic, right: dynamic', 'real')

/** Elementwise functions on arrays of numbers. The result for null or for a value that is not a number is null. */
export const SERIES_ELEMENT_FUNCTIONS = {
  series_abs: elementwise(
    'the absolute value of each element',
    'print series_abs(dynamic([-1, 2])) // [1,2]',
  ),
  series_acos: elementwise(
    'the arc cosine of each element, in radians; null outside of -1 to 1',
    'print series_acos(dynamic([1, 2])) // [0,null]',
  ),
  series_add: pairwise(
    'the sums of the elements of two arrays, as many as the shorter one has',
    'print series_add(dynamic([1, 2]), dynamic([10, 20])) // [11,22]',
  ),
  series_asin: elementwise(
    'the arc sine of each element, in radians; null outside of -1 to 1',
    'print series_asin(dynamic([0, 2])) // [0,null]',
  ),
  series_atan: elementwise(
    'the arc tangent of each element, in radians',
    'print series_atan(dynamic([0])) // [0]',
  ),
  series_ceiling: elementwise(
    'each element rounded up',
    'print series_ceiling(dynamic([1.2, 2])) // [2,2]',
  ),
  series_cos: elementwise(
    'the cosine of each element, in radians',
    'print series_cos(dynamic([0])) // [1]',
  ),
  series_divide: pairwise(
    'the quotients of the elements of two arrays, as many as the shorter one has; null for division by zero',
    'print series_divide(dynamic([1, 9]), dynamic([2, 3])) // [0.5,3]',
  ),
  series_equals: pairwise(
    'true where an element equals the one of another array, or a value',
    'print series_equals(dynamic([1, 2]), dynamic([1, 3])) // [true,false]',
  ),
  series_exp: elementwise(
    'e to the power of each element',
    'print series_exp(dynamic([0])) // [1]',
  ),
  series_fill_backward: elementwise(
    'each null replaced by the next number',
    'print series_fill_backward(dynamic([null, 2])) // [2,2]',
  ),
  series_fill_const: signature('array: dynamic, value: int|real', 'dynamic')(
    'each null replaced by one value',
    'print series_fill_const(dynamic([1, null]), 0) // [1,0]',
  ),
  series_fill_forward: elementwise(
    'each null replaced by the previous number; nulls at the start by the first number',
    'print series_fill_forward(dynamic([1, null])) // [1,1]',
  ),
  series_fill_linear: elementwise(
    'each null replaced by linear interpolation; nulls at the ends by the nearest number',
    'print series_fill_linear(dynamic([1, null, 3])) // [1,2,3]',
  ),
  series_floor: elementwise(
    'each element rounded down',
    'print series_floor(dynamic([1.8, 2])) // [1,2]',
  ),
  series_greater: pairwise(
    'true where an element is greater than the one of another array, or than a value',
    'print series_greater(dynamic([1, 3]), 2) // [false,true]',
  ),
  series_greater_equals: pairwise(
    'true where an element is at least the one of another array, or a value',
    'print series_greater_equals(dynamic([1, 2]), 2) // [false,true]',
  ),
  series_less: pairwise(
    'true where an element is less than the one of another array, or than a value',
    'print series_less(dynamic([1, 3]), 2) // [true,false]',
  ),
  series_less_equals: pairwise(
    'true where an element is at most the one of another array, or a value',
    'print series_less_equals(dynamic([2, 3]), 2) // [true,false]',
  ),
  series_log: elementwise(
    'the natural logarithm of each element; null for 0 and below',
    'print series_log(dynamic([1, 0])) // [0,null]',
  ),
  series_max: pairwise(
    'the larger of the elements of two arrays; null after the end of the shorter one',
    'print series_max(dynamic([1, 5]), dynamic([3, 2])) // [3,5]',
  ),
  series_min: pairwise(
    'the smaller of the elements of two arrays; null after the end of the shorter one',
    'print series_min(dynamic([1, 5]), dynamic([3, 2])) // [1,2]',
  ),
  series_multiply: pairwise(
    'the products of the elements of two arrays; null after the end of the shorter one',
    'print series_multiply(dynamic([2, 3]), dynamic([4, 5])) // [8,15]',
  ),
  series_not_equals: pairwise(
    'true where an element differs from the one of another array, or from a value',
    'print series_not_equals(dynamic([1, 2]), 1) // [false,true]',
  ),
  series_pow: signature('left: int|real|dynamic, exponent: int|real|dynamic', 'dynamic')(
    'each element to the power of an exponent, or of the one of another array',
    'print series_pow(dynamic([2, 3]), 2) // [4,9]',
  ),
  series_sign: elementwise(
    '-1, 0 or 1 for each element: its sign',
    'print series_sign(dynamic([-5, 0, 5])) // [-1,0,1]',
  ),
  series_sin: elementwise(
    'the sine of each element, in radians',
    'print series_sin(dynamic([0])) // [0]',
  ),
  series_subtract: pairwise(
    'the differences of the elements of two arrays; null after the end of the shorter one',
    'print series_subtract(dynamic([5, 7]), dynamic([1, 2])) // [4,5]',
  ),
  series_tan: elementwise(
    'the tangent of each element, in radians',
    'print series_tan(dynamic([0])) // [0]',
  ),
} satisfies Record<string, Signature>

/** Functions on an array of numbers as a whole; sums and statistics ignore nulls. */
export const SERIES_WHOLE_FUNCTIONS = {
  series_cosine_similarity: measureOfPair(
    'the cosine similarity of two arrays of the same length; null if one has only zeros',
    'print series_cosine_similarity(dynamic([1, 0]), dynamic([0, 1])) // 0',
  ),
  series_dot_product: measureOfPair(
    'the dot product, over as many elements as the shorter one has',
    'print series_dot_product(dynamic([1, 2]), dynamic([3, 4])) // 11',
  ),
  series_fft: signature('array: dynamic, [imaginary: dynamic]', 'dynamic')(
    'the Fourier transform: an array of the real parts and one of the imaginary parts; null if an element is not a number',
    'print series_fft(dynamic([5])) // [[5],[0]]',
  ),
  series_fir: signature('array: dynamic, kernel: dynamic', 'dynamic')(
    'each element and those before it, weighted by a kernel that is scaled to a sum of 1 unless a weight is negative; null if an element is not a number',
    'print series_fir(dynamic([2, 4, 6]), dynamic([1, 1])) // [1,3,5]',
  ),
  series_ifft: signature('array: dynamic, [imaginary: dynamic]', 'dynamic')(
    'the inverse Fourier transform: an array of the real parts and one of the imaginary parts; null if an element is not a number',
    'print series_ifft(dynamic([2, 0]), dynamic([0, 0])) // [[1,1],[0,0]]',
  ),
  series_iir: signature('array: dynamic, numerators: dynamic, denominators: dynamic', 'dynamic')(
    'an infinite impulse response filter of the array; null if an element is not a number',
    'print series_iir(dynamic([1, 2, 3]), dynamic([1]), dynamic([1, -1])) // [1,3,6]',
  ),
  series_magnitude: signature('array: dynamic', 'real')(
    'the square root of the sum of the squares',
    'print series_magnitude(dynamic([3, 4])) // 5',
  ),
  series_pearson_correlation: measureOfPair(
    'the Pearson correlation of two arrays of the same length, -1 to 1',
    'print series_pearson_correlation(dynamic([1, 2, 3]), dynamic([2, 4, 6])) // 1',
  ),
  series_stats: elementwise(
    'an array of the smallest number and its index, the largest and its index, the mean, the variance and the standard deviation of a sample',
    'print series_stats(dynamic([1, 2, 3])) // [1,0,3,2,2,1,1]',
  ),
  series_stats_dynamic: elementwise(
    'an object of the smallest number and its index, the largest and its index, the mean, the variance and the standard deviation of a sample',
    'print series_stats_dynamic(dynamic([1, 2, 3])).max // 3',
  ),
  series_sum: signature('array: dynamic', 'real')(
    'the sum of the numbers; 0 if there are none',
    'print series_sum(dynamic([1, 2, 3])) // 6',
  ),
} satisfies Record<string, Signature>
