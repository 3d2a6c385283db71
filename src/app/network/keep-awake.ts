/** Keeps the screen on while photos are being sent (画面を消さない), if the browser supports wake locks. */
import { combineLatest, distinctUntilChanged, fromEvent, map, startWith, type Observable } from 'rxjs'
import type { PhotoProgress } from '#schemas/changes/photo-queue.ts'

interface KeepAwake {
  progress$: Observable<readonly PhotoProgress[]>
  /** `navigator.wakeLock`; undefined in browsers without it. */
  wakeLock: Pick<WakeLock, 'request'> | undefined
  page: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
}

/** True if at least one photo is being sent. Photos that wait do not count. */
const isSending = (progress: readonly PhotoProgress[]) =>
  progress.some(({ items }) => items.some(({ state }) => state === 'sending'))

/** Holds a wake lock while photos are being sent. @returns a function that stops and releases the lock */
export function keepAwake({ progress$, wakeLock, page }: KeepAwake): () => void {
  if (!wakeLock) return () => undefined
  let held: Promise<WakeLockSentinel | undefined> | undefined
  const hold = () => {
    held ??= wakeLock.request('screen').catch(() => undefined)
  }
  const release = () => {
    void held?.then((lock) => lock?.release()).catch(() => undefined)
    held = undefined
  }
  // The browser releases the lock when the page is hidden, so the lock is requested again when the page is visible.
  const visible$ = fromEvent(page, 'visibilitychange').pipe(
    startWith(null),
    map(() => page.visibilityState === 'visible'),
  )
  const wanted = combineLatest([progress$.pipe(map(isSending)), visible$])
    .pipe(
      map(([sending, visible]) => sending && visible),
      distinctUntilChanged(),
    )
    .subscribe((isWanted) => (isWanted ? hold() : release()))
  return () => {
    wanted.unsubscribe()
    release()
  }
}
