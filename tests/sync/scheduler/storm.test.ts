/** The API is down, and what answers the probe is up: how often a phone calls. Real RxDB, the whole sync, real time. */
import { expect, test } from 'vitest'
import { enter, nth, replicationScene } from '../../support/replication.ts'

const app = replicationScene()
const DOWN_MS = 12_000
/** Waits between calls are real ones, and as many times shorter. */
const HASTE = 4
const MOST_CALLS = 12

const page = (status: number) =>
  new Response('<html>down</html>', { status, headers: { 'Content-Type': 'text/html' } })

/** How the API is down; what does not even let a second call through in this time has its own limit. */
const KINDS: [kind: string, most: number, answer: () => Response][] = [
  ['503', MOST_CALLS, () => page(503)],
  ['503 with Retry-After: 60', 6, () => new Response('', { status: 503, headers: { 'Retry-After': '60' } })],
  ['500', MOST_CALLS, () => Response.json({ errors: '故障' }, { status: 500 })],
  ['502, HTML of a gateway', MOST_CALLS, () => page(502)],
  ['a captive portal', MOST_CALLS, () => page(200)],
  ['connection reset', MOST_CALLS, () => Response.error()],
]

const isProbe = ({ url }: Request) => new URL(url).pathname.endsWith('/check')
/** Calls of one phone to the main API and to the probe, which a CRM that is down answers no more. */
function down(answer: () => Response) {
  const calls: string[] = []
  const fetch = async (request: Request) => {
    calls.push(`${request.method} ${new URL(request.url).pathname}`)
    if (isProbe(request)) return new Response(null, { status: 204 })
    const instead = answer()
    if (instead.type === 'error') throw new TypeError('Failed to fetch')
    return instead
  }
  return { calls, fetch }
}
const seconds = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test.each(KINDS)(
  '[OC4][OC10] the probe answers, the API does not (%s): at most %i calls of a phone',
  async (_, most, answer) => {
    app.phone.haste = HASTE
    const device = await app.open()
    const [request] = await app.freeRequests(device)
    const { calls, fetch } = down(answer)
    app.phone.between = fetch
    await enter(device, nth(request ? [request] : [], 0))
    await seconds(DOWN_MS / HASTE)
    expect(calls.length).toBeGreaterThan(0)
    // the calls beyond, by name
    expect(calls.slice(most)).toEqual([])
  },
)
