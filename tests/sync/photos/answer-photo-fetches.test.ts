/** Answers to the screens' fetch requests for photos (sync/photos/answer-photo-fetches), with answers that the test gives. */
import fc from 'fast-check'
import { Subject } from 'rxjs'
import { expect, test } from 'vitest'
import { answerPhotoFetches, type PhotoFetch } from '#sync/photos/pull-photos.ts'
import type { Gate } from '#sync/scheduler/scheduler.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { until } from '../../support/device.ts'

const AT_ONCE = 3
const NO_ANSWER: Outcome = { kind: 'unreachable' }

/** `fails`: number of failed answers before the good one. `later`: requested once this many others were answered. */
interface Photo {
  hangs: boolean
  fails: number
  later: number
}

/** A file store, and the photos that screens request from it. */
function scene(photos: readonly Photo[]) {
  const changed$ = new Subject<void>()
  const answered = new Set<string>()
  const tried: string[] = []
  const failed = new Map<string, number>()
  const failures: number[] = []
  let underWay = 0
  let most = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const answerOf =
    (key: string, { hangs, fails }: Photo) =>
    async () => {
      tried.push(key)
      most = Math.max(most, (underWay += 1))
      await (hangs ? released : new Promise((resolve) => setImmediate(resolve)))
      underWay -= 1
      const times = failed.get(key) ?? 0
      if (times < fails) {
        failed.set(key, times + 1)
        return NO_ANSWER
      }
      answered.add(key)
      changed$.next()
      return null
    }
  const due = async (): Promise<PhotoFetch[]> =>
    photos.flatMap((photo, n) =>
      answered.has(`p${n}`) || photo.later > answered.size
        ? []
        : { key: `p${n}`, answer: answerOf(`p${n}`, photo) },
    )
  const gate: Gate = {
    passed: async () => undefined,
    failed: (_, begunAt) => void failures.push(begunAt ?? Infinity),
    succeeded: () => undefined,
  }
  let clock = 0
  const ended = answerPhotoFetches({ due, changed$, gate, now: () => (clock += 1) })
  return { answered, tried, failures, release, ended, most: () => most, changed$ }
}

const keysOf = (photos: readonly Photo[], which: (photo: Photo) => boolean) =>
  photos.flatMap((photo, n) => (which(photo) ? `p${n}` : []))

test('[PL8] the law: fewer hang than there are places, and all others are answered, three at once and no more', async () => {
  const photo = fc.record({ hangs: fc.constant(false), fails: fc.nat(2), later: fc.nat(2) })
  const hanging = fc.record({ hangs: fc.constant(true), fails: fc.nat(1), later: fc.constant(0) })
  const day = fc
    .tuple(fc.array(photo, { minLength: 1, maxLength: 9 }), fc.array(hanging, { maxLength: AT_ONCE - 1 }))
    .chain(([quick, slow]) =>
      fc.shuffledSubarray([...quick, ...slow], { minLength: quick.length + slow.length }),
    )
  await fc.assert(
    fc.asyncProperty(day, async (photos) => {
      const { answered, release, ended, most } = scene(photos)
      // a photo with `later` is requested once that many others are there
      const quick = photos.filter(({ hangs }) => !hangs)
      const reached = quick.filter(({ later }) => later === 0).length
      const isAsked = ({ hangs, later }: Photo) => !hangs && later <= reached
      await until(() => keysOf(photos, isAsked).every((key) => answered.has(key)))
      release()
      await ended
      expect(most()).toBeLessThanOrEqual(AT_ONCE)
    }),
    // no shrinking, because each smaller case would wait as long
    { numRuns: 60, endOnFailure: true },
  )
})

test('[PL8a] what is answered for nothing comes after the others, and once for each round of them', async () => {
  const poison = { hangs: false, fails: 4, later: 0 }
  const { tried, ended } = scene([poison, ...Array.from({ length: 5 }, () => ({ ...poison, fails: 0 }))])
  await ended
  expect(new Set(tried.slice(0, 6)).size).toBe(6)
  expect(tried.slice(6)).toEqual(['p0', 'p0', 'p0', 'p0'])
})

test('[OC4] the gate is told when a call began: those that fail beside each other are one failure', async () => {
  const once = { hangs: false, fails: 1, later: 0 }
  const { failures, ended } = scene([once, once, once])
  await ended
  expect(failures.toSorted((a, b) => a - b)).toEqual([1, 2, 3])
})

test('[ST4] what the device refuses is thrown once the others have ended', async () => {
  let end = () => {}
  const slow = new Promise<null>((resolve) => (end = () => resolve(null)))
  const refusal = new DOMException('disk full', 'QuotaExceededError')
  let isOver = false
  const ended = answerPhotoFetches({
    due: async () => [
      ...(isOver ? [] : [{ key: 'slow', answer: () => slow.finally(() => (isOver = true)) }]),
      { key: 'refused', answer: () => Promise.reject(refusal) },
    ],
    changed$: new Subject(),
    gate: { passed: async () => undefined, failed: () => undefined, succeeded: () => undefined },
    now: () => 0,
  })
  const told = ended.catch((error: unknown) => ({ error, isOver }))
  end()
  expect(await told).toEqual({ error: refusal, isOver: true })
})
