/** One request to the collector (OTLP/HTTP, https://opentelemetry.io/docs/specs/otlp/#otlphttp). It is never tried again here. */
import { retryAfterMs } from '#sync/transport/retry-after.ts'
import type { Posted, Signal } from './when.ts'

interface Post {
  fetch: typeof globalThis.fetch
  /** Without `/v1/metrics`. */
  endpoint: string
  signal: Signal
  body: string
  /** Epoch ms. */
  now: number
}

const LONGEST_MS = 30_000
/** It is the content that is wrong, and will be next time; any other status may be the way there. */
const REJECTED: readonly number[] = [400, 413, 422]

export async function post({ fetch, endpoint, signal, body, now }: Post): Promise<Posted> {
  try {
    const answer = await fetch(`${endpoint}/v1/${signal}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: await zipped(body),
      // nothing of the app's session, nor where it is, goes along
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      redirect: 'error',
      priority: 'low',
      signal: AbortSignal.timeout(LONGEST_MS),
    })
    // status and headers say all: the body is not read, whatever its length
    void answer.body?.cancel().catch(() => undefined)
    // a page of a Wi-Fi or of the host is no answer of a collector
    if (answer.ok && isJson(answer)) return { kind: 'sent' }
    if (REJECTED.includes(answer.status)) return { kind: 'rejected' }
    return { kind: 'failed', retryAfterMs: retryAfterMs(answer.headers.get('retry-after'), now) }
  } catch {
    return { kind: 'failed', retryAfterMs: 0 }
  }
}

const isJson = (answer: Response) => (answer.headers.get('content-type') ?? '').includes('json')

const zipped = async (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
