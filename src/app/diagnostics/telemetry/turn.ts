/**
 * One turn, taken by every tab every few minutes:
 *
 *     look ─→ fold into what is kept ─→ a sample, each 15 minutes ─→ claim ─→ one request ─→ what was taken goes
 *
 * Each arrow is one transaction, so tabs need no leader here: a tab that stands still holds up nobody.
 */
import { retryAfterMs } from '#sync/transport/retry-after.ts'
import { logsBody, metricsBody, resourceOf, sampleText } from './encode.ts'
import type { Facts } from './facts.ts'
import { fold, increased, up } from './fold.ts'
import type { KeptTelemetry } from './kept.ts'
import type { TelemetryStore } from './kept-store.ts'
import { COUNTERS } from './metrics.ts'
import {
  claim,
  isInSample,
  isSampleDue,
  type Posted,
  type Sent,
  settled,
  type Signal,
  withSample,
} from './when.ts'

export interface TurnParts {
  store: Pick<TelemetryStore, 'update'>
  look(): Promise<Facts>
  /** What it found was not kept. */
  lost(facts: Facts): void
  online(): boolean
  endpoint: string
  sample: number
  /** The browser's user agent. */
  agent: string
  fetch: typeof globalThis.fetch
  random: () => number
}

export async function takeTurn(parts: TurnParts): Promise<void> {
  const facts = await parts.look()
  const folded = parts.store.update((kept) => fold(kept, facts, isInSample(kept.id, parts.sample)))
  const kept = await folded.catch((error: unknown) => {
    parts.lost(facts)
    throw error
  })
  if (isSampleDue(kept, facts.at)) await takeSample(kept, facts, parts)
  await send(facts, parts)
}

async function takeSample(
  kept: KeptTelemetry,
  facts: Facts,
  { store, sample, agent }: TurnParts,
): Promise<void> {
  const counted = increased(kept, [up(COUNTERS.samples, {})])
  const resource = resourceOf(kept.id, facts.version, agent)
  const text = await sampleText(counted, facts, resource, isInSample(kept.id, sample))
  await store.update((now) => {
    // meanwhile another tab may have taken it, or the device have another id
    if (!isSampleDue(now, facts.at) || now.id !== kept.id) return now
    return withSample(increased(now, [up(COUNTERS.samples, {})]), facts.at, text)
  })
}

async function send(
  facts: Facts,
  { store, online, endpoint, agent, fetch, random }: TurnParts,
): Promise<void> {
  const { at: now, queue, version } = facts
  let signal: Signal | null = null
  const kept = await store.update((before) => {
    const claimed = claim(before, { now, online: online(), queue })
    signal = claimed.signal
    return claimed.kept
  })
  if (signal === null) return
  const { body, sent } = outgoing(kept, signal, resourceOf(kept.id, version, agent), version)
  const posted = await post({ fetch, endpoint, signal, body, now })
  await store.update((after) => (after.id === kept.id ? settled(after, sent, posted, now, random()) : after))
}

function outgoing(
  { samples, events }: KeptTelemetry,
  signal: Signal,
  resource: ReturnType<typeof resourceOf>,
  version: string,
): { body: string; sent: Sent } {
  return signal === 'metrics'
    ? { body: metricsBody(samples), sent: { samples: samples.map(({ at }) => at), events: [] } }
    : { body: logsBody(events, resource, version), sent: { samples: [], events } }
}

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

/** One request to the collector (OTLP/HTTP, https://opentelemetry.io/docs/specs/otlp/#otlphttp). It is never tried again here. */
async function post({ fetch, endpoint, signal, body, now }: Post): Promise<Posted> {
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
