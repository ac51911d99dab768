// Events in the shapes that programs write, generated with a seed: the same for each run.

/** A pseudo-random integer below a bound. */
function randomFrom(seed) {
  let state = seed >>> 0
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

const START = Date.UTC(2026, 0, 1)
const iso = (i, digits = 3) =>
  `${new Date(START + i * 37).toISOString().slice(0, -1)}${'0'.repeat(digits - 3)}Z`
const hex = (random, length) =>
  Array.from({ length: length / 4 }, () => random(65536).toString(16).padStart(4, '0')).join('')
const pick = (random, all) => all[random(all.length)]

const SERVICES = ['checkout', 'search', 'login', 'cart', 'mail', 'feed', 'billing', 'images']
const LEVELS = ['info', 'info', 'info', 'warn', 'error', 'debug']
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE']
const WORDS =
  'request handled by worker for customer after retry of upstream cache miss in region'.split(' ')
const sentence = (random, words) =>
  Array.from({ length: words }, () => pick(random, WORDS)).join(' ')
const ip = (random) => `10.${random(256)}.${random(256)}.${random(256)}`

function web(random, i) {
  return {
    _time: iso(i),
    level: pick(random, LEVELS),
    service: pick(random, SERVICES),
    method: pick(random, METHODS),
    path: `/api/v1/items/${random(5000)}`,
    status: pick(random, [200, 200, 200, 201, 304, 404, 500]),
    duration_ms: random(100000) / 100,
    bytes: random(50000),
    cached: random(3) === 0,
    trace_id: hex(random, 32),
    user_id: random(100000),
    client: { ip: ip(random), country: pick(random, ['de', 'fr', 'us', 'jp']) },
    message: `${sentence(random, 6)} worker-${random(64)}`,
  }
}

function flat(random, i) {
  return {
    _time: iso(i),
    level: pick(random, LEVELS),
    service: pick(random, SERVICES),
    status: 200 + random(300),
    duration_ms: random(100000) / 100,
    user_id: random(100000),
    message: `${sentence(random, 6)} ${random(10000)}`,
  }
}

function kubernetesAudit(random, i) {
  const user = `system:serviceaccount:kube-system:controller-${random(30)}`
  const resource = pick(random, ['pods', 'leases', 'configmaps', 'nodes', 'endpoints'])
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: pick(random, ['Metadata', 'Request', 'RequestResponse']),
    auditID: hex(random, 32),
    stage: 'ResponseComplete',
    requestURI: `/api/v1/namespaces/ns-${random(40)}/${resource}/item-${random(900)}?timeout=10s`,
    verb: pick(random, ['get', 'list', 'watch', 'update', 'patch']),
    user: {
      username: user,
      uid: hex(random, 32),
      groups: [
        'system:serviceaccounts',
        'system:serviceaccounts:kube-system',
        'system:authenticated',
      ],
      extra: { 'authentication.kubernetes.io/pod-name': [`controller-${random(300)}`] },
    },
    sourceIPs: [ip(random)],
    userAgent: 'kube-controller-manager/v1.31.0 (linux/amd64) kubernetes/9edcffc',
    objectRef: {
      resource,
      namespace: `ns-${random(40)}`,
      name: `item-${random(900)}`,
      apiVersion: 'v1',
      ...(random(3) === 0 && { resourceVersion: String(random(1e9)) }),
    },
    responseStatus: { metadata: {}, code: pick(random, [200, 200, 200, 404, 409]) },
    requestReceivedTimestamp: iso(i, 6),
    stageTimestamp: iso(i + 1, 6),
    annotations: {
      'authorization.k8s.io/decision': 'allow',
      'authorization.k8s.io/reason': `RBAC: allowed by ClusterRoleBinding "system:controller:${random(30)}"`,
    },
  }
}

function cloudTrail(random, i) {
  const name = pick(random, [
    'GetObject',
    'PutObject',
    'AssumeRole',
    'DescribeInstances',
    'Decrypt',
  ])
  const parameters = {
    GetObject: {
      bucketName: `bucket-${random(50)}`,
      key: `path/${hex(random, 16)}`,
      Host: 's3.amazonaws.com',
    },
    PutObject: {
      bucketName: `bucket-${random(50)}`,
      key: `path/${hex(random, 16)}`,
      'x-amz-acl': 'private',
    },
    AssumeRole: {
      roleArn: `arn:aws:iam::${random(9e8)}:role/r${random(30)}`,
      durationSeconds: 3600,
    },
    DescribeInstances: {
      instancesSet: { items: [{ instanceId: `i-${hex(random, 16)}` }] },
      filterSet: {},
    },
    Decrypt: null,
  }
  return {
    eventVersion: '1.08',
    userIdentity: {
      type: 'AssumedRole',
      principalId: `AROA${hex(random, 16)}:session-${random(500)}`,
      arn: `arn:aws:sts::123456789012:assumed-role/role-${random(50)}/session-${random(500)}`,
      accountId: '123456789012',
      sessionContext: {
        sessionIssuer: { type: 'Role', userName: `role-${random(50)}` },
        attributes: { creationDate: iso(i), mfaAuthenticated: 'false' },
      },
    },
    eventTime: iso(i),
    eventSource: pick(random, ['s3.amazonaws.com', 'sts.amazonaws.com', 'kms.amazonaws.com']),
    eventName: name,
    awsRegion: pick(random, ['us-east-1', 'eu-central-1']),
    sourceIPAddress: ip(random),
    userAgent: '[aws-sdk-java/1.12.400 Linux/5.10 OpenJDK_64-Bit_Server_VM/17]',
    requestParameters: parameters[name],
    responseElements: random(4) === 0 ? { 'x-amz-request-id': hex(random, 16) } : null,
    requestID: hex(random, 32),
    eventID: hex(random, 32),
    readOnly: random(2) === 0,
    resources: [
      {
        accountId: '123456789012',
        type: 'AWS::S3::Bucket',
        ARN: `arn:aws:s3:::bucket-${random(50)}`,
      },
      { type: 'AWS::S3::Object', ARN: `arn:aws:s3:::bucket-${random(50)}/path/${hex(random, 16)}` },
    ],
    eventType: 'AwsApiCall',
    managementEvent: true,
    recipientAccountId: '123456789012',
    eventCategory: 'Management',
  }
}

function pino(random, i) {
  const failed = random(30) === 0
  return {
    level: failed ? 50 : 30,
    time: START + i * 37,
    pid: 4711,
    hostname: `web-${random(12)}`,
    reqId: `req-${i.toString(36)}`,
    req: {
      id: i,
      method: pick(random, METHODS),
      url: `/api/v1/items/${random(5000)}?page=${random(20)}`,
      headers: {
        host: 'shop.example',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)',
        accept: '*/*',
      },
      remoteAddress: ip(random),
      remotePort: 1024 + random(60000),
    },
    res: {
      statusCode: failed ? 500 : 200,
      headers: { 'content-type': 'application/json', 'content-length': String(random(9000)) },
    },
    responseTime: random(100000) / 100,
    ...(failed && {
      err: {
        type: 'TypeError',
        message: 'Cannot read properties of undefined',
        stack: `TypeError: Cannot read\n    at handler (/app/src/${random(40)}.js:10:5)\n    at next (/app/node_modules/router.js:${random(500)}:3)`,
      },
    }),
    msg: failed ? 'request errored' : 'request completed',
  }
}

/** Python's `logging` as JSON, whose levels are normalized. */
function python(random, i) {
  return {
    timestamp: iso(i),
    levelname: pick(random, LEVELS).toUpperCase(),
    name: `app.${pick(random, SERVICES)}`,
    message: sentence(random, 8),
    lineno: random(900),
    taskName: null,
  }
}

function zap(random, i) {
  return {
    level: pick(random, LEVELS),
    ts: `#${1767225600 + i * 0.037 + random(1000) / 1e6}#`,
    logger: `app.${pick(random, SERVICES)}`,
    caller: `handler/serve.go:${random(400)}`,
    msg: sentence(random, 5),
    id: `#${4611686018427387904n + BigInt(random(2 ** 30)) * 4093n}#`,
    elapsed: random(1000000) / 1e6,
    attempt: random(5),
    backoff: `${random(900)}ms`,
  }
}

function span(random, i) {
  return {
    _time: iso(i, 9),
    trace_id: hex(random, 32),
    span_id: hex(random, 16),
    parent_span_id: hex(random, 16),
    name: `${pick(random, METHODS)} /api/${pick(random, SERVICES)}`,
    kind: pick(random, ['server', 'client', 'internal']),
    duration: random(1e9),
    'service.name': pick(random, SERVICES),
    attributes: {
      'http.request.method': pick(random, METHODS),
      'http.response.status_code': 200,
      'url.path': `/api/${random(2000)}`,
      'server.address': `host-${random(30)}`,
    },
    resource: {
      'host.name': `host-${random(30)}`,
      'k8s.pod.name': `pod-${hex(random, 8)}`,
      'telemetry.sdk.language': 'go',
    },
    events: Array.from({ length: random(3) }, () => ({
      name: 'exception',
      timestamp: iso(i, 9),
      attributes: { 'exception.type': 'IOError', 'exception.message': sentence(random, 4) },
    })),
    links: [],
    status: { code: pick(random, ['OK', 'UNSET']) },
  }
}

function kubernetesLog(random, i) {
  return {
    time: iso(i, 9),
    stream: pick(random, ['stdout', 'stderr']),
    log: `${iso(i)} ${pick(random, LEVELS).toUpperCase()} ${sentence(random, 9)}\n`,
    kubernetes: {
      pod_name: `api-${hex(random, 8)}`,
      namespace_name: `ns-${random(40)}`,
      pod_id: hex(random, 32),
      labels: {
        app: pick(random, SERVICES),
        'pod-template-hash': hex(random, 8),
        'app.kubernetes.io/name': pick(random, SERVICES),
      },
      annotations: { [`checksum/config-${random(60)}`]: hex(random, 16) },
      host: `node-${random(30)}`,
      container_name: pick(random, SERVICES),
      container_image: `registry.example/${pick(random, SERVICES)}:1.${random(40)}`,
    },
  }
}

function rails(random, i) {
  return {
    '@timestamp': iso(i),
    '@version': '1',
    method: pick(random, METHODS),
    path: `/orders/${random(100000)}`,
    format: 'html',
    controller: 'OrdersController',
    action: pick(random, ['show', 'index', 'create']),
    status: 200,
    duration: random(100000) / 100,
    view: random(10000) / 100,
    db: random(10000) / 100,
    params: {
      id: String(random(100000)),
      ...(random(4) === 0 && { filter: { state: ['open', 'paid'], page: random(9) } }),
    },
    tags: random(5) === 0 ? ['request', 'slow'] : ['request'],
    message: `[200] GET /orders (OrdersController#show)`,
  }
}

function lambda(random, i) {
  const type = pick(random, ['platform.start', 'function', 'function', 'platform.report'])
  const record = {
    'platform.start': { requestId: hex(random, 32), version: '$LATEST' },
    function: `[INFO] ${sentence(random, 8)}`,
    'platform.report': {
      requestId: hex(random, 32),
      metrics: {
        durationMs: random(9000) / 10,
        billedDurationMs: random(900),
        memorySizeMB: 256,
        maxMemoryUsedMB: random(256),
      },
      status: 'success',
      spans: [{ name: 'responseLatency', start: iso(i), durationMs: random(90) }],
    },
  }[type]
  return { time: iso(i), type, record }
}

function wide(random, i) {
  const event = { _time: iso(i), id: i }
  for (let n = 0; n < 15; n++)
    event[`field_${random(400)}`] = n % 2 === 0 ? random(10000) : `value ${random(5000)}`
  return event
}

/** A snapshot of all sensors of a device: events with many fields, each in every event. */
function telemetry(random, i) {
  const event = { _time: iso(i), device: `device-${random(40)}` }
  for (let n = 0; n < 200; n++) {
    const values = [random(1000), random(100_000) / 100, `state ${random(9)}`, random(20) > 0]
    event[`sensor_${n}`] = values[n % values.length]
  }
  return event
}

function mixed(random, i) {
  return {
    _time: iso(i),
    id: i,
    value: pick(random, [random(1000), `text ${random(1000)}`, random(2) === 0]),
    code: random(20) === 0 ? 'none' : random(600),
    detail: random(3) === 0 ? { reason: sentence(random, 3) } : sentence(random, 3),
    service: pick(random, SERVICES),
    message: sentence(random, 8),
  }
}

/** 2 % of the events have arrays, 3 % are errors with fields of their own, and every 100,000th has a new field. */
function webMixed(random, i) {
  const event = web(random, i)
  if (random(50) === 0) event.tags = ['a', 'b', pick(random, WORDS)]
  if (random(33) === 0)
    event.error = {
      kind: pick(random, ['Timeout', 'Refused', 'Reset']),
      message: sentence(random, 6),
      attempt: random(5),
    }
  if (i % 100_000 === 99_999) event[`new_${i}`] = i
  return event
}

const STATEMENTS = Array.from({ length: 300 }, (_, n) => sentence(randomFrom(n), 40 + (n % 40)))

/** One of a few hundred long strings, a few of them more often than the others, at irregular times. */
function slowQuery(random, i) {
  return {
    _time: iso(i + random(3)),
    database: pick(random, ['shop', 'billing', 'feed']),
    statement: STATEMENTS[Math.floor(random(1000) ** 2 / 3334)],
    rows: random(1000),
    duration_ms: random(100000) / 100,
  }
}

/** A number is between `#` where its digits matter. */
const text = (event) => JSON.stringify(event).replace(/"#([-.\d]+)#"/g, '$1')

/** Doubles of all lengths, of which a third are in a fifth of the events. */
function metrics(random, i) {
  const device = random(2000)
  const numbers = Array.from({ length: 40 }, (_, k) => k).filter(
    (k) => k < 25 || (device + k) % 5 === 0,
  )
  const value = (k) =>
    [random(1000), (random(1e4) + k) / 100, (random(1e9) / 7) * k, random(2) && random(1e9) / 3][
      k % 4
    ]
  return {
    _time: iso(i),
    device: `dev-${device}`,
    site: `site${device % 37}`,
    up: i + random(900),
    ok: random(100) > 0,
    gps: [50 + device / 500, 8 + device / 300],
    m: Object.fromEntries(numbers.map((k) => [`s${k}`, value(k)])),
  }
}

/** Twelve of five hundred fields, the first of which are more frequent. */
function rareFields(random, i) {
  const names = Array.from({ length: 12 }, () => Math.floor((random(1000) / 1000) ** 2 * 500))
  const fields = names.map((k) => [`f${k}`, k % 3 === 0 ? random(1e5) : hex(random, 4)])
  return { _time: iso(i), message: sentence(random, 2), ...Object.fromEntries(fields) }
}

/** Measurements of a sensor, as an array. */
const samples = (random, i) => ({
  _time: iso(i),
  device: `dev-${random(500)}`,
  seq: i,
  lat: random(90_000_000) / 1e6,
  lon: random(180_000_000) / 1e6,
  samples: Array.from({ length: 16 }, () => random(20_000) / 1e4),
  ok: random(20) > 0,
})

/** The time of the events in the shapes whose time is not `_time`. */
export const TIMES = {
  'Kubernetes audit log': 'requestReceivedTimestamp',
  CloudTrail: 'eventTime',
  pino: 'time',
  python: 'timestamp',
  zap: 'ts',
  'Kubernetes container log': 'time',
  'Rails (lograge)': '@timestamp',
  'AWS Lambda': 'time',
}

export const SHAPES = {
  flat,
  'flat, 2 % with an array': (random, i) => ({
    ...flat(random, i),
    ...(random(50) === 0 && { tags: ['a', 'b'] }),
  }),
  'an array in each': (random, i) => ({ ...flat(random, i), tags: ['a', pick(random, WORDS)] }),
  'several types in a field': mixed,
  '400 fields': wide,
  'telemetry with 200 fields': telemetry,
  'Kubernetes audit log': kubernetesAudit,
  CloudTrail: cloudTrail,
  pino,
  python,
  zap,
  'strings with escapes': (random, i) => ({
    ...flat(random, i),
    path: `C:\\dir\\${random(900)}\\"file"\t${random(90)}`,
    body: `{"a":"${random(900)}","b":"\u00e9\u4e2d"}\n`,
  }),
  // A key with a quote, and a path of Windows.
  'keys with escapes': (random, i) => ({
    ...flat(random, i),
    'C:\\dir': random(900),
    tags: { 'in "quotes"': random(9) },
  }),
  'long messages': (random, i) => ({ ...flat(random, i), message: sentence(random, 60) }),
  spans: span,
  'Kubernetes container log': kubernetesLog,
  'Rails (lograge)': rails,
  'AWS Lambda': lambda,
  'web, errors, arrays, new fields': webMixed,
  'repeated long strings': slowQuery,
  'device metrics': metrics,
  'arrays of numbers': samples,
  'rare fields': rareFields,
  'times as in mail': (random, i) => ({
    ...flat(random, i),
    _time: new Date(START + i * 370).toUTCString(),
  }),
  'numbers of twenty places': (random, i) => ({
    ...flat(random, i),
    cost: `#${(random(1e9) / 7e9).toFixed(20)}#`,
  }),
}

const CHUNK_LENGTH = 1 << 20

/** Yields lines of events of a shape, about so many bytes. */
export function* shapeChunks(name, bytes) {
  const random = randomFrom(name.length * 7919 + 1)
  let chunk = ''
  let written = 0
  for (let i = 0; written < bytes; i++) {
    chunk += `${text(SHAPES[name](random, i))}\n`
    if (chunk.length < CHUNK_LENGTH) continue
    written += chunk.length
    yield chunk
    chunk = ''
  }
}
