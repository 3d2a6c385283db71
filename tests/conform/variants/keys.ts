import { broken, isCall, lacking, nothing, resent, type Variant } from './variant.ts'
import type { Layer } from '../demo-host.ts'

const NEW_NOTE = /noteLocationArea\/?$/

const secondIs409: Layer = (next) => {
  const seen = new Set<string>()
  return async (request) => {
    const key = request.headers.get('idempotency-key') ?? ''
    if (key && seen.has(key)) return nothing(409)
    const response = await next(request)
    if (response.status < 300) seen.add(key)
    return response
  }
}

/** Answers are remembered once they are given: what comes meanwhile is acted on, too. */
const racing: Layer = (next) => {
  const inside = new Map<string, number>()
  return async (request) => {
    const key = request.headers.get('idempotency-key') ?? ''
    const others = inside.get(key) ?? 0
    inside.set(key, others + 1)
    const renamed =
      key && others > 0
        ? await resent(request, { headers: (headers) => headers.set('idempotency-key', `${key}-${others}`) })
        : request
    // long enough that those sent together do meet
    await new Promise((resolve) => setTimeout(resolve, 100))
    return next(renamed).finally(() => inside.set(key, (inside.get(key) ?? 1) - 1))
  }
}

/** Where the caller is gone before the answer, the key is forgotten. */
const forgetting: Layer = (next) => {
  const seen = new Map<string, number>()
  return async (request) => {
    const key = request.headers.get('idempotency-key') ?? ''
    const times = seen.get(key) ?? 0
    seen.set(key, times + 1)
    const isDropped = request.headers.get('connection') === 'close' || times > 0
    return next(
      key && isDropped
        ? await resent(request, { headers: (headers) => headers.delete('idempotency-key') })
        : request,
    )
  }
}

/** A refusal is remembered by its key as well. */
const remembering: Layer = (next) => {
  const refused = new Map<string, number>()
  return async (request) => {
    const key = request.headers.get('idempotency-key') ?? ''
    const before = refused.get(key)
    if (key && before) return nothing(before)
    const response = await next(request)
    if (key && response.status >= 400) refused.set(key, response.status)
    return response
  }
}

/** The same content is the same record. */
const byContent: Layer = (next) => async (request) => {
  if (!isCall(request, 'POST', NEW_NOTE)) return next(request)
  const text = await request.clone().text()
  return next(
    await resent(request, {
      headers: (headers) =>
        headers.set('idempotency-key', String(text.length) + encodeURIComponent(text).slice(-60)),
    }),
  )
}

export const keyVariants: Variant[] = [
  {
    caughtBy: 'E1',
    name: 'Idempotency-Key を見ない',
    verdict: 'lack',
    options: { honourIdempotency: false },
  },
  {
    caughtBy: 'E4',
    name: 'Idempotency-Key を見ない（入館）',
    verdict: 'lack',
    options: { honourIdempotency: false },
  },
  broken('E1', '同じ鍵の二度目に 409', secondIs409),
  lacking('E2', '同時の同じ鍵を二つとも受ける', racing),
  lacking('E3', '切れた接続の鍵を忘れる', forgetting),
  broken('E3', '切れた接続のあとの同じ鍵に 409', secondIs409),
  broken('E5', '内容が同じなら一つにする', byContent),
  broken('E6', '断ったことも鍵で覚える', remembering),
]
