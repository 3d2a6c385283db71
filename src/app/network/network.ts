/**
 * Access to the CRM: `fetch` (in the demo the demo CRM's), the login, the schedulers with their circuit breakers, and the
 * connectivity, which follows from the results of calls and the browser's events. Loaded after the first paint.
 */
import { fromEvent, map, merge, startWith } from 'rxjs'
import { createConnectivity, type Connectivity } from '#sync/runtime/connectivity.ts'
import { callPattern, endpointsOf, loginCall } from '#sync/transport/endpoints.ts'
import { reportOnline, createSchedulers, afterTimeout, type Schedulers } from '#sync/scheduler/scheduler.ts'
import { createHttp, type EndedCall, type Http } from '#sync/transport/http.ts'
import { sharedNow } from '#sync/lib/ticks.ts'
import type { LoginResult } from '#sync/transport/login.ts'
import type { TabLocks } from '#sync/leadership/lease.ts'
import { createLocks } from '#sync/leadership/locks.ts'
import { scoped } from '#lib/browser/crm-scope.ts'
import type { Env } from '#app/config/env.ts'
import { countCalls, createRecorder } from '#app/diagnostics/recorder.ts'
import type { Diagnostics } from '#app/diagnostics/store.ts'

export type Network = ReturnType<typeof createNetwork>

type LoginDraft = Parameters<typeof loginCall>[1]

interface NetworkParts {
  env: Env
  scope: string
  fetch: typeof globalThis.fetch
  diagnostics: Diagnostics
}

export function createNetwork({ env, scope, fetch, diagnostics }: NetworkParts) {
  const recorder = createRecorder(diagnostics)
  const calls = countCalls()
  const endpoints = endpointsOf(env, location.origin)
  const ended = ({ url, ...call }: EndedCall) => {
    calls.count(call.status)
    recorder.add('call', {
      ...call,
      path: callPattern(url, endpoints),
      tookMs: Math.round(call.tookMs),
    })
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
    /** Notes that a call has ended, without its content. */
    ended,
    /** Records calls and state transitions (`diagnostics/store.ts`). */
    recorder,
    signIn: (draft: LoginDraft): Promise<LoginResult> => {
      // The user has pressed ログイン, so one call may begin before the circuit breaker's back-off is over.
      schedulers.crm.requestCall()
      return schedulers.crm.wait() > 0
        ? Promise.resolve({ kind: 'busy' })
        : signIn(schedulers.crm.guard(http), endpoints.login, draft)
    },
  }
}

/** Scopes the names of locks, so that each CRM has its own. */
const locksOf = (locks: TabLocks, scope: string): TabLocks => ({
  request: (name, run, patience) => locks.request(scoped(name, scope), run, patience),
  lead: (name, run, options) => locks.lead(scoped(name, scope), run, options),
})

/**
 * Writes to localStorage for the other tabs. If localStorage is full, the earlier item is removed, so that no tab reads a
 * state that no longer applies.
 */
function storeItem(name: string, text: string): void {
  try {
    localStorage.setItem(name, text)
  } catch {
    localStorage.removeItem(name)
  }
}

/**
 * Creates the schedulers. Their circuit breakers have their state in localStorage, so that a reload and the other tabs also
 * wait as long as the CRM has asked this tab to wait (sync RULES OC10).
 */
function sharedSchedulers(scope: string): Schedulers {
  const keyOf = (circuit: string) => scoped(`genba:circuit-${circuit}`, scope)
  const schedulers = createSchedulers({
    now: sharedNow,
    wall: Date.now,
    random: Math.random,
    after: afterTimeout,
    memory: (circuit) => ({
      get: () => localStorage.getItem(keyOf(circuit)),
      set: (text) => storeItem(keyOf(circuit), text),
    }),
  })
  window.addEventListener('storage', ({ key }) => {
    if (key === keyOf('crm')) schedulers.crm.storedStateChanged()
    if (key === keyOf('files')) schedulers.files.storedStateChanged()
  })
  return schedulers
}

/**
 * Calls the login and at the same time loads the code that parses the answer: ArkType takes a slow phone a second to load,
 * and the form does not need it (decisions/speed).
 */
async function signIn(http: Http, url: string, draft: LoginDraft): Promise<LoginResult> {
  const loading = import('#sync/transport/login.ts').catch(() => null)
  const answer = await http(loginCall(url, draft))
  const code = await loading
  // Without a signal, code that is not on the device cannot be loaded.
  return code ? code.login(answer, draft.userName) : { kind: 'unreachable' }
}

/**
 * Shares connectivity over all tabs. Only the leading tab syncs, so that the other tabs would not notice whether the CRM
 * answers. A tab whose connectivity changes at the end of a call posts the call's result, and every other tab treats the
 * result like that of a call of its own.
 */
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
