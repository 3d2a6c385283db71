/** How one user's calls reach the CRM: the wire, the circuits, the tokens and the gates of the lanes. */
import { merge, Subject, takeUntil, type Observable } from 'rxjs'
import { reportsFrom } from './connectivity.ts'
import { createGate, type PullGate } from '#sync/scheduler/gate.ts'
import type { SyncParts } from './sync-parts.ts'
import { TICKS } from '../lib/ticks.ts'
import { createTrustedClock } from '#sync/lib/trusted-clock.ts'
import { createApi } from '#sync/scheduler/api.ts'
import type { Circuit } from '#sync/scheduler/circuit.ts'
import { RANKS, type Rank } from '#sync/scheduler/lanes.ts'
import { wished } from '#sync/scheduler/circuits.ts'
import { endpointsOf } from '../transport/endpoints.ts'
import { createHttp } from '../transport/http.ts'
import { createSessionTokens } from '../transport/session-tokens.ts'

export type Calls = ReturnType<typeof startCalls>

export function startCalls(parts: SyncParts, stop$: Observable<void>) {
  const { env, user, sessions, connectivity, circuits, locks, random, ticks = TICKS } = parts
  const time = createTrustedClock({ ...parts.time, wall: parts.clock.now })
  const { rest, refresh, files } = endpointsOf(env, parts.origin)
  const stopped = new AbortController()
  const { signal } = stopped
  const wire = createHttp({
    fetch: parts.fetch,
    securityKey: env.securityKey,
    stopped: signal,
    // the others may be elsewhere, and need not say the time
    heard(url, told) {
      if (!url.startsWith(`${rest}/`)) return
      time.answered(told.date)
      parts.heardTime?.(told)
    },
    leftOut: tellOnce(parts),
    ...(parts.ended && { ended: parts.ended }),
    ...(parts.timeoutMs && { timeoutMs: parts.timeoutMs }),
  })
  const http = circuits.crm.guard(wire, { stopped: signal })
  const tokens = createSessionTokens({ store: sessions, http, locks, refreshUrl: refresh, userId: user.id })
  const begin = reportsFrom(connectivity, circuits.crm, signal)
  const api = createApi({ http, tokens, rest, now: parts.clock.now, answers: parts.answers, begin })
  const nudge$ = new Subject<void>()
  nudge$.pipe(takeUntil(stop$)).subscribe(() => wished(circuits))
  const hurry$ = merge(nudge$, connectivity.cameOnline$)
  const { sessionValid$ } = parts
  const gateOf = (circuit: Circuit, rank: Rank): PullGate =>
    createGate({
      mayTry$: connectivity.mayTry$,
      sessionValid$,
      hurry$,
      stop$,
      circuit,
      rank,
      random,
      ...ticks,
    })
  return {
    api,
    time,
    ticks,
    clock: { ...parts.clock, borneOut: time.borneOut },
    nudge$,
    gate: (rank: Rank = RANKS.pull) => gateOf(circuits.crm, rank),
    /** The file store's way. */
    files: {
      http: circuits.files.guard(wire, { stopped: signal }),
      url: files,
      tokens,
      gate: (rank: Rank) => gateOf(circuits.files, rank),
    },
    /** A call under way ends as one whose outcome is unknown: it is read back at the next start. */
    abort: () => stopped.abort(),
  }
}

/** The same answers come every few minutes: what was left out of them is told once in a run (RULES PL11), to people too. */
function tellOnce({ report, leftOut }: SyncParts) {
  const told = new Set<string>()
  return (path: string, what: readonly string[]) => {
    const line = `${path}: left out ${what.join(', ')}`
    if (told.has(line)) return
    if (told.size === 0) leftOut?.()
    told.add(line)
    report(line)
  }
}
