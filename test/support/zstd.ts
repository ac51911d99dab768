/** Output of the program `zstd`, because Node has no compressor before 22.15. */
export const ZSTD = {
  /** `zstd` of `{"a":1}` and `{"a":2}`, a line each: one frame with its length and a checksum. */
  two: base64('KLUv/SQQgQAAeyJhIjoxfQp7ImEiOjJ9Cu7trPI='),
  /** `zstd -19` of 50,000 lines `{"n":1}` from a pipe: several blocks, a window of 8 MiB. */
  repeated: base64(
    'KLUv/QRohAAAQHsibiI6MX0KAQD1//PLBUQAAAABAP3/ywsQRAAAAAEA/f85AAI9AAAAAQB92gMghpwbqQ==',
  ),
  /** `zstd -19` of `mixedText()`: compressed literals and sequences. */
  mixed: base64(
    [
      'KLUv/WT2FV0eAIpH/AogQImoDRhZtZGqxWvxiuqj8zMMA8Bkd3fvtKXSYXgYkwO9AKIAnABRFsI+FzdMUiRqFkGh',
      '+WQDYRQdGuLVsB+gcVMiCGUbBz1AJCoQsbgGww4ahY9DtkElRA6XUYWSNFjwEMckDHLK4Pk1zDjSIQVrpYdLRmLB',
      'ni12YIrRvEBhe5IhB2gZkVYux8eOAK22FuXPwQSIVEgpdlnow0iCBtbjFraBquMV9SJJRwaWPUKVRC4cHHjuDVMc',
      '5bvsMxhxchGBVcRLIgmDiNMcIqAwxE8hCXTEiQywYEgGxDCQGAISYoAMCgHnzHOC5+XOjJ2bOnN+h8fHgNIVRGtW',
      '89NsaM4zr5mVMh9ubmxWJHsWWwQMrYqylgeWfWWzMlZZX05cPqQyYu+EfsDJn4FXGveFw27XXb/Pd6Y7WXtRm0m7',
      'Qds5J4/ZgcoC0W3bT7ZtcmryZrKCyYdLbkxhSEYUC0My8mAYkpEUGZKRfazDmlCpiAk9R2IJSyniiYQdTlok4Vlt',
      'aMKRCJh1zVmM/ol84uCd5y4A2e2o///9X/pz/VVfSZ9BvzlfYX4sygm6N7IVj+R7003TMdMV05NLP1g6otITT0cS',
      'HKcjykjpSKKx63Do2rkuXN+t09ZJrZevGa+btOmsNo9qBKUiRKg+9U1tpc6r12olqQ+bbjStyGwsMA8YlxhZIh6V',
      '9tPmNKa0LjpR9CHRCEQnDg0cw2MUMo0j5DDaCV17Pg0AC4bo2UWAdNORe9z/9mf7rP1+r3jPpH2zeoXqwSIVIVRE',
      'dNp4mP6lt+vRek16ZfMHzSMyn8C8xSXDsIQalQaO5+18pfwtXhWfJH5BPHP4hOHBKWQ8xwLIaI6E3/v1fnlPvO/d',
      'FbszdW9+V/gIFukKWlsiteeR9qPdzo5m17Irtx9sRyR7YusLLYWRtWhgDTiubqtX1e91dT1J9WX/glaoMnDFevsb',
      'smcZDhJIEKAY8GNeqyAGJ2v7K5xoIzYiauLpf19gVHyTSISq1E3/qxGKqib5KbQ4KjsbZenodVugCvVLdiLuymX6',
      'VYjC0tj+LspMHJkRJWvqqX7oR+USdWvUO1vfLJahv0lkRJXl6e+Cg/2AHRHdhu9tN43crtiMxSZUMcvbkNwslx0I',
      'Ghl3+8o6XSYutEFksu7uB/2GGuXgJlQ+GhSTtkXfTOyNw24SssqleHiBVBGp8KPHW+6iObQRuCXKo2K8J4FVoafd',
      'oJNARRoOxdZ2ZwOKREw1Lj97qx5ERGOUJFs5pJ4Trt7s01qHSFPy2kFGixtboAv+YLT8MM0S4NAKwmxHqw==',
    ].join(''),
  ),
  /** `zstd --ultra -22 --long=31` of `{"b":1}` and a line end: it requires 2 GiB. */
  wide: base64('KLUv/QSoQQAAeyJiIjoxfQoOi8Rn'),
  /** `zstd --long=24` of 200,000 lines `{"n":1}`: a window of 16 MiB, which HTTP does not allow. */
  wider: base64(
    'KLUv/QRwhAAAQHsibiI6MX0KAQD1/8sLF0wAAAh7AQD8/zkQAkwAAAh7AQD8/zkQAkwAAAh7AQD8/zkQAkwAAAh7AQD8/zkQAkwAAAh7AQD8/zkQAkwAAAh7AQD8/zkQAkwAAAh7AQD8/zkQAlQAAAABAP3/AwCQNyBUAAAAAQD9/wMAkDcgVAAAAAEA/f8DAJA3IFQAAAABAP3/AwCQNyBVAAAAAQD96QAA7A0ImnxvEg==',
  ),
} as const

/** A skippable frame: four free bits, a length, bytes to ignore. */
export const SKIPPABLE = Buffer.from('5a2a4d1803000000616263', 'hex')

export function mixedText(): string {
  const lines = Array.from({ length: 300 }, (_, n) =>
    JSON.stringify({ n, at: ((n * 7919) % 1000).toString(36) }),
  )
  return `${lines.join('\n')}\n`
}

function base64(text: string): Buffer {
  return Buffer.from(text, 'base64')
}
