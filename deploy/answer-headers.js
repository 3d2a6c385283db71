// For nginx with libnginx-mod-http-js: of an answer of the CRM, the file store and the collector only these headers pass
// (docs/decisions/hosting.md).
const PASSED = [
  'accept-ranges',
  'age',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'etag',
  'retry-after',
  'vary',
  'x-total-count',
]

function passListed(r) {
  // nginx takes an interim answer (103) for the whole one: what follows it would go out as an answer of its own.
  if (r.status < 200) r.status = 502
  for (const name in r.headersOut) {
    if (!PASSED.includes(name.toLowerCase())) delete r.headersOut[name]
  }
}

export default { passListed }
