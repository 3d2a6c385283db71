import { withHeaders, type Layer } from '../demo-host.ts'
import { nothing, type Variant } from './variant.ts'

/** Every answer of the gateway, changed. */
const after =
  (change: (response: Response, request: Request) => Response): Layer =>
  (next) =>
  async (request) =>
    change(await next(request), request)

const front = (
  caughtBy: string,
  name: string,
  layer: Layer,
  verdict: Variant['verdict'] = 'fail',
): Variant => ({ caughtBy, name, verdict, front: layer })

const without = (header: string, word: RegExp) =>
  after((response) =>
    withHeaders(response, { [header]: (response.headers.get(header) ?? '').replace(word, '') }),
  )

const preflightOnly = (change: (response: Response) => Response) =>
  after((response, { method }) => (method === 'OPTIONS' ? change(response) : response))

const HEADERS = 'access-control-allow-headers'

/** Once it was too much it stays too much. */
const forEver: Layer = (next) => {
  let shut = false
  return async (request) => {
    const response = shut ? nothing(429) : await next(request)
    shut ||= response.status === 429
    return response
  }
}

export const betweenVariants: Variant[] = [
  front(
    'J1',
    '多すぎると 500',
    after((response) => (response.status === 429 ? nothing(500) : response)),
  ),
  front('J2', '待っても 429 のまま', forEver),
  front(
    'J3',
    'Retry-After がない',
    after((response) => withHeaders(response, { 'retry-after': null })),
    'lack',
  ),
  front(
    'J3',
    'Retry-After が読めない',
    after((response) =>
      response.status === 429 ? withHeaders(response, { 'retry-after': 'soon' }) : response,
    ),
  ),
  front(
    'K1',
    'OPTIONS に 401',
    preflightOnly(() => nothing(401)),
  ),
  front('K1', 'Idempotency-Key を許さない', without(HEADERS, /Idempotency-Key, /)),
  front('K1', 'PUT を許さない', without('access-control-allow-methods', /, PUT/)),
  front(
    'K1',
    'Authorization を * で許したつもり',
    preflightOnly((response) => withHeaders(response, { [HEADERS]: '*' })),
  ),
  front('K2', 'x-total-count を見せない', without('access-control-expose-headers', /x-total-count, /)),
  front('K3', 'ETag を見せて If-Match を許さない', without(HEADERS, /If-Match, /)),
  front(
    'K4',
    '誤りに Access-Control-Allow-Origin がない',
    after((response) =>
      response.status === 401 ? withHeaders(response, { 'access-control-allow-origin': null }) : response,
    ),
  ),
  front('K5', 'access_token を許さない', without(HEADERS, /, access_token/)),
  front('K6', 'ETag と Date を見せない', without('access-control-expose-headers', /ETag, /), 'lack'),
]
