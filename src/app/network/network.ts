/** Access to the CRM: `fetch`, login, schedulers with circuit breakers, connectivity; and the start of the sync. */
import {
  fromEvent,
  map,
  merge,
  startWith,
  defer,
  firstValueFrom,
  ReplaySubject,
  retry,
  takeUntil,
  timer,
} from 'rxjs'
import { createConnectivity, type Connectivity } from '#sync/runtime/connectivity.ts'
import { callPattern, endpointsOf, loginCall } from '#sync/transport/endpoints.ts'
import { reportOnline, createSchedulers, afterTimeout, type Schedulers } from '#sync/scheduler/scheduler.ts'
import { createHttp, type EndedCall, type Http } from '#sync/transport/http.ts'
import { sharedNow } from '#sync/lib/backoff.ts'
import type { LoginResult } from '#sync/transport/login.ts'
import { type TabLocks, createLocks } from '#sync/leadership/lease.ts'
import { scoped } from '#lib/browser/crm-scope.ts'
import { storeText } from '#lib/browser/stored-json.ts'
import type { Env } from '#app/config/env.ts'
import { countCalls, createRecorder } from '#app/diagnostics/recorder.ts'
import type { Diagnostics } from '#app/diagnostics/store.ts'
import { whenIdle } from '#sync/lib/slices.ts'
import type { Sync } from '#sync/runtime/start-sync.ts'
import type { SyncParts } from '#sync/runtime/start-calls.ts'

export type Network = ReturnType<typeof createNetwork>
type LoginDraft = Parameters<typeof loginCall>[1]

type NetworkParts = { env: Env; scope: string; fetch: typeof globalThis.fetch; diagnostics: Diagnostics }

export function createNetwork({ env, scope, fetch, diagnostics }: NetworkParts) {
  const recorder = createRecorder(diagnostics)
  const calls = countCalls()
  const endpoints = endpointsOf(env, location.origin)
  const ended = ({ url, ...call }: EndedCall) => {
    calls.count(call.status)
    recorder.add('call', { ...call, path: callPattern(url, endpoints), tookMs: Math.round(call.tookMs) })
  }
  const http = createHttp({ fetch, securityKey: env.securityKey, onEnded: ended })
  const schedulers = sharedSchedulers(scope)
  const visible$ = fromEvent(document, 'visibilitychange').pipe(
    startWith(null),
    map(() => document.visibilityState === 'visible'),
  )
  const connectivity = createConnectivity({
    initial: navigator.onLine,
    events$: merge(
      fromEvent(window, 'online').pipe(map(() => true)),
      fromEvent(window, 'offline').pipe(map(() => false)),
    ),
    flag: () => navigator.onLine,
    visible$,
    probe: () => schedulers.crm.probe(http, endpoints.probe),
    isWindows: /Windows/.test(navigator.userAgent),
    random: Math.random,
  })
  connectivity.cameOnline$.subscribe(() => reportOnline(schedulers))
  return {
    env,
    scope,
    fetch,
    calls,
    connectivity: sharedOverTabs(connectivity, scoped('genba-reached', scope)),
    schedulers,
    visible$,
    locks: locksOf(createLocks(navigator.locks), scope),
    ended,
    recorder,
    signIn: (draft: LoginDraft): Promise<LoginResult> => {
      // A tap on ログイン allows one call before the circuit breaker's back-off is over.
      schedulers.crm.requestCall()
      return schedulers.crm.wait() > 0
        ? Promise.resolve({ kind: 'busy' })
        : signIn(schedulers.crm.guard(http), endpoints.login, draft)
    },
  }
}

const locksOf = (locks: TabLocks, scope: string): TabLocks => ({
  request: (name, run, patience) => locks.request(scoped(name, scope), run, patience),
  lead: (name, run, options) => locks.lead(scoped(name, scope), run, options),
})

/** Creates the schedulers. Circuit breakers keep their state in localStorage, for tabs and reloads (OC10). */
function sharedSchedulers(scope: string): Schedulers {
  const keyOf = (circuit: string) => scoped(`genba:circuit-${circuit}`, scope)
  const schedulers = createSchedulers({
    now: sharedNow,
    wall: Date.now,
    random: Math.random,
    after: afterTimeout,
    memory: (circuit) => ({
      get: () => localStorage.getItem(keyOf(circuit)),
      set: (text) => storeText(keyOf(circuit), text),
    }),
  })
  window.addEventListener('storage', ({ key }) => {
    if (key === keyOf('crm')) schedulers.crm.storedStateChanged()
    if (key === keyOf('files')) schedulers.files.storedStateChanged()
  })
  return schedulers
}

/** Calls the login and loads the answer's parser meanwhile, because ArkType takes a second (decisions/speed). */
async function signIn(http: Http, url: string, draft: LoginDraft): Promise<LoginResult> {
  const loading = import('#sync/transport/login.ts').catch(() => null)
  const answer = await http(loginCall(url, draft))
  const code = await loading
  // The parser is missing if the phone loses the signal before the parser is loaded.
  return code ? code.login(answer, draft.userName) : { kind: 'unreachable' }
}

/** Shares connectivity between tabs, because only one tab syncs: a change after a call counts in each tab. */
function sharedOverTabs(connectivity: Connectivity, name: string): Connectivity {
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }) => connectivity.begin()(data === true))
  return {
    ...connectivity,
    begin() {
      const end = connectivity.begin()
      return (reached) => {
        const before = connectivity.isOnline()
        end(reached)
        if (connectivity.isOnline() !== before) channel.postMessage(reached)
      }
    },
  }
}

const RETRY_MS = 30_000

/** Returns a sync whose code loads after the first paint. A sync that is stopped earlier never starts. */
export function startSyncLater(firstPaint: Promise<void>, parts: SyncParts): Sync {
  const stop$ = new ReplaySubject<void>(1)
  const load = async () => {
    await firstPaint
    await whenIdle()
    return import('#sync/runtime/start-sync.ts')
  }
  const waitForRetry = (problem: unknown) => {
    parts.report(String(problem))
    return timer(RETRY_MS)
  }
  const started$ = defer(load).pipe(
    retry({ delay: waitForRetry }),
    takeUntil(stop$),
    map(({ startSync }) => startSync(parts)),
  )
  const started = firstValueFrom(started$, { defaultValue: null })
  return {
    async stop() {
      stop$.next()
      await (await started)?.stop()
    },
  }
}
