/** Defects of when calls are made, and of who may renew a session. */
import { tap } from 'rxjs'
import type { Scheduler, Schedulers } from '#sync/scheduler/scheduler.ts'
import type { Answer } from '#sync/transport/outcome.ts'
import type { Defect, Planted } from './defect.ts'

const ofEach =
  (change: (scheduler: Scheduler) => Partial<Scheduler>): NonNullable<Defect['schedulers']> =>
  ({ crm, files }): Schedulers => ({
    crm: { ...crm, ...change(crm) },
    files: { ...files, ...change(files) },
  })

export const stormDefects: readonly Planted[] = [
  {
    name: 'a probe’s answer ends the back-off',
    slow: true,
    defect: {
      schedulers: ofEach(({ guard, probe }) => ({
        probe: (http, url) =>
          probe(http, url).pipe(
            tap((isAnswered) => void (isAnswered && guard(http)({ method: 'GET', url }))),
          ),
      })),
    },
  },
  {
    name: 'Retry-After is known to one tab, and until it is closed',
    defect: {
      memory() {
        let kept: string | null = null
        return { get: () => kept, set: (text) => void (kept = text) }
      },
    },
  },
  {
    name: 'Retry-After is taken for a failure like others',
    defect: {
      http: (http) => async (call) => {
        const answer = await http(call)
        return answer.kind === 'answer' ? { ...answer, retryAfter: null } : answer
      },
    },
  },
  {
    name: 'a refused token of the file store is an answer of use',
    slow: true,
    defect: {
      schedulers: ofEach(({ guard }) => ({
        guard: (http, options) => async (call) => {
          let heard: Answer | null = null
          const told = await guard(async (asked) => {
            heard = await http(asked)
            const isRefused = heard.kind === 'answer' && heard.status === 401 && asked.url.endsWith('/token')
            return isRefused ? { ...heard, status: 422 } : heard
          }, options)(call)
          return heard ?? told
        },
      })),
    },
  },
  {
    name: 'a wish ends the wait of all lanes',
    slow: true,
    defect: { wishForgets: true },
  },
  {
    name: 'a session is compared, and set a little later',
    slow: true,
    defect: {
      sessions: (sessions, { sleep }) => ({
        ...sessions,
        async replace(known, next) {
          const held = await sessions.read()
          await sleep(1_000)
          if (held?.accessToken !== known.accessToken) return false
          await sessions.overwrite(known, next)
          return true
        },
      }),
    },
  },
  {
    name: 'a write that fails is tried again at once',
    // few days have a full disk at such a moment
    slow: true,
    defect: { gate: (gate) => ({ ...gate, failed: () => undefined }) },
  },
  {
    name: 'the device’s clock alone says that a day is over',
    defect: { timeKeeper: (time, wall) => ({ ...time, saveNow: wall, isInDoubt: () => false }) },
  },
]
