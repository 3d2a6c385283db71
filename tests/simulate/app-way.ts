/**
 * The way of one tab to the CRM and the file store, on virtual time: the real schedulers, connectivity, probe and gates. What
 * all tabs share of them lies with the phone.
 */
import { map, merge, Observable, ReplaySubject, Subject } from 'rxjs'
import { createConnectivity, type Connectivity } from '#sync/runtime/connectivity.ts'
import type { Rank } from '#sync/scheduler/schedule.ts'
import {
  createSchedulers,
  reportOnline,
  requestCalls,
  type Gate,
  type Scheduler,
  type Schedulers,
} from '#sync/scheduler/scheduler.ts'
import type { Http } from '#sync/transport/http.ts'
import type { TrustedClock } from '#sync/lib/trusted-clock.ts'
import { PROBE_URL, REST } from './model-crm.ts'
import { sleepIn, type Proc } from './scheduler.ts'
import type { Phone } from './world.ts'

export interface AppWay {
  schedulers: Schedulers
  connectivity: Connectivity
  gateOf(scheduler: Scheduler, rank: Rank): Gate
  /** The user wishes something done now. */
  nudge(): void
}

export function appWay(device: Phone, proc: Proc, userId: string, wire: Http): AppWay {
  const { time, defect } = device.world
  const random = () => device.chance()
  const after$ = (ms: number) =>
    new Observable<void>((told) => {
      void sleepIn(time, proc, ms).then(() => {
        told.next()
        told.complete()
      })
    })
  // as `start-sync.ts` stops what ran for a user before: its gates let nobody through any more
  const stop$ = new ReplaySubject<void>(1)
  proc.onDeath(() => stop$.next())
  const honest = createSchedulers({
    now: () => time.now,
    wall: () => device.now(),
    random,
    after(ms, run) {
      const timer = after$(ms).subscribe(run)
      return () => timer.unsubscribe()
    },
    memory: (name) => (defect.memory ?? ((memory) => memory))(device.memoryOf(proc, name)),
  })
  const schedulers = defect.schedulers?.(honest) ?? honest
  const connectivity = createConnectivity({
    initial: true,
    events$: device.radio$,
    flag: () => true,
    visible$: new Observable((told) => told.next(true)),
    probe: () => schedulers.crm.probe(wire, PROBE_URL),
    isWindows: false,
    random,
    after$,
  })
  connectivity.cameOnline$.subscribe(() => reportOnline(schedulers))
  const nudge$ = new Subject<void>()
  const hurry$ = merge(nudge$, connectivity.cameOnline$)
  return {
    schedulers,
    connectivity,
    gateOf: (scheduler, rank) => {
      const gate = scheduler.gate({
        mayTry$: connectivity.mayTry$,
        sessionValid$: device.session$.pipe(map(() => device.isSignedIn(userId))),
        hurry$,
        stop$,
        rank,
      })
      return defect.gate?.(gate) ?? gate
    },
    nudge() {
      if (defect.wishForgets) for (const name of ['crm', 'files']) device.memoryOf(proc, name).set('')
      requestCalls(schedulers)
      nudge$.next()
    },
  }
}

/** As `http.ts` tells of the API's `Date`. */
export const datedBy =
  (keeper: TrustedClock, http: Http, date: () => number | null): Http =>
  async (call) => {
    const answer = await http(call)
    if (answer.kind === 'answer' && call.url.startsWith(`${REST}/`)) keeper.answered(date())
    return answer
  }
