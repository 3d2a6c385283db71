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
  // nginx takes an interim answer (103) for the whole one, and its status line goes out whatever `r.status` is set to: for a
  // browser, what follows it would be an answer of its own. An error in here ends the connection without an answer.
  if (r.status < 200) throw new Error(`an interim answer of an upstream is refused: ${r.status}`)
  for (const name in r.headersOut) {
    if (!PASSED.includes(name.toLowerCase())) delete r.headersOut[name]
  }
}

export default { passListed }
