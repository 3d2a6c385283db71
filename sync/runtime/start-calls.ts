/** Creates what one user's calls to the CRM need: HTTP, schedulers, tokens, and the gates that delay pulls and pushes. */
import { merge, Subject, takeUntil, type Observable } from 'rxjs'
import { reportsFrom } from './connectivity.ts'
import type { SyncParts } from './sync-parts.ts'
import { TICKS } from '../lib/backoff.ts'
import { createTrustedClock } from '#sync/lib/trusted-clock.ts'
import { createApi } from '#sync/scheduler/api.ts'
import { RANKS, type Rank } from '#sync/scheduler/schedule.ts'
import { requestCalls, type PullGate, type Scheduler } from '#sync/scheduler/scheduler.ts'
import { endpointsOf } from '../transport/endpoints.ts'
import { createHttp } from '../transport/http.ts'
import { createSessionTokens } from '../transport/session-tokens.ts'

export type Calls = ReturnType<typeof startCalls>

export function startCalls(parts: SyncParts, stop$: Observable<void>) {
  const { env, user, sessions, connectivity, schedulers, locks, ticks = TICKS } = parts
  const time = createTrustedClock({ ...parts.time, wall: parts.clock.now })
  const { rest, refresh, files } = endpointsOf(env, parts.origin)
  const stopped = new AbortController()
  const { signal } = stopped
  const wire = createHttp({
    fetch: parts.fetch,
    securityKey: env.securityKey,
    stopped: signal,
    // Only the CRM's answers count, because the clocks of other servers may differ.
    onServerTime(url, reported) {
      if (!url.startsWith(`${rest}/`)) return
      time.answered(reported.date)
      parts.onServerTime?.(reported)
    },
    onOmitted: reportOnce(parts),
    ...(parts.onCallEnded && { onEnded: parts.onCallEnded }),
    ...(parts.timeoutMs && { timeoutMs: parts.timeoutMs }),
  })
  const http = schedulers.crm.guard(wire, { stopped: signal })
  const tokens = createSessionTokens({ store: sessions, http, locks, refreshUrl: refresh, userId: user.id })
  const begin = reportsFrom(connectivity, schedulers.crm, signal)
  const { answers, clock } = parts
  const api = createApi({ http, scheduler: schedulers.crm, tokens, rest, now: clock.now, answers, begin })
  const nudge$ = new Subject<void>()
  nudge$.pipe(takeUntil(stop$)).subscribe(() => requestCalls(schedulers))
  const hurry$ = merge(nudge$, connectivity.cameOnline$)
  const { sessionValid$ } = parts
  const gateOf = (scheduler: Scheduler, rank: Rank): PullGate =>
    scheduler.gate({ rank, mayTry$: connectivity.mayTry$, sessionValid$, hurry$, stop$ })
  return {
    api,
    time,
    ticks,
    clock: { ...clock, expiryNow: time.expiryNow },
    nudge$,
    gate: (rank: Rank = RANKS.pull) => gateOf(schedulers.crm, rank),
    files: {
      http: schedulers.files.guard(wire, { stopped: signal }),
      url: files,
      tokens,
      gate: (rank: Rank) => gateOf(schedulers.files, rank),
    },
    /** Aborts all calls. The outcome of a write is then unknown, so the next start reads it back. */
    abort: () => stopped.abort(),
  }
}

/** Returns a function that reports which values of an answer exceeded the limits (RULES PL11), each report only once. */
function reportOnce({ report, onOmitted }: SyncParts) {
  const reported = new Set<string>()
  return (path: string, what: readonly string[]) => {
    const line = `${path}: left out ${what.join(', ')}`
    if (reported.has(line)) return
    if (reported.size === 0) onOmitted?.()
    reported.add(line)
    report(line)
  }
}
