import type { Type } from '../../src/apl/type.js'

/** APL literals: common values and edge cases. */
export const LITERALS: Readonly<Record<Type, readonly string[]>> = {
  bool: ['true', 'false', 'bool(null)'],
  int: [
    ...['0', '1', '-1', '2', '3', '5', '10', '100', '1000', '4294967296', 'int(null)'],
    ...['9223372036854775807', '-9223372036854775808', '1767225600'],
  ],
  real: ['0.0', '0.5', '-1.5', '2.5', '1e308', '1e-300', '99.9', 'real(null)', '-0.0'],
  string: [
    ...['""', '"GET"', '"é🦆"', '"\\u0000"', '"it\'s \\\\ \\" `"', '"%_"', '"{x:Int8}"', "'--'"],
    ...['"192.168.1.1"', '"10.0.0.0/8"', '"2001:db8::1"', '"2001:db8::/32"', '"300.1.1.1"'],
    ...['"2026-01-01"', '"1h"', '"1.5"', '"-7"', '"true"', '"1e999"', '"12 KB"', '"a=1;b=2"'],
    ...[
      '"{\\"a\\":[1,{\\"b\\":null}]}"',
      '"[1,2"',
      '"a,\\"b\\",c"',
      '"https://u:p@h.com:80/p?x=1#f"',
    ],
    ...['"day"', '"week"', '"nanosecond"', '"[0-9]+"', '"(a)(b)?"', '"("', '"$.a[*]"', '"$0 $9"'],
    ...[
      '"user:x"',
      '"*"',
      '"aGVsbG8="',
      '"%zz%41"',
      '"gpt-4"',
      '"\\n\\t "',
      '"A B"',
      '"KB"',
      'string(null)',
    ],
  ],
  datetime: [
    ...['datetime(2026-01-01)', 'datetime(1900-01-01)', 'datetime(2262-04-11T23:00:00Z)'],
    ...['now()', 'ago(1h)', 'datetime(null)', 'datetime(1970-01-01T00:00:00.000000001Z)'],
  ],
  timespan: ['1h', '0s', '1d', '5m', '1ms', '100000d', '-1h', 'timespan(null)', '7d'],
  dynamic: [
    ...['dynamic([1,2,3])', 'dynamic([])', 'dynamic({"a":1,"b":{"c":[2]}})', 'dynamic(null)'],
    ...['dynamic("x")', 'dynamic([[1],[null,"x"]])', 'dynamic([true,false])', 'dynamic({})'],
    ...['dynamic(["a","b","a"])', 'dynamic([0.5,null,1e300])', 'dynamic(5)', 'dynamic([-1,0])'],
    ...['dynamic([{"role":"user","content":"q"},{"role":"assistant","content":7}])'],
    ...['dynamic(["10.0.0.0/8","x"])', 'dynamic([9223372036854775807])', 'dynamic(["a:b",":"])'],
  ],
}
