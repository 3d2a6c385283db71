/** 画面を消さない: the screen stays on while photos are on their way, where the browser can do that. */
import { combineLatest, distinctUntilChanged, fromEvent, map, startWith, type Observable } from 'rxjs'
import type { PhotoProgress } from '#schemas/photo-queue.ts'

interface Parts {
  progress$: Observable<readonly PhotoProgress[]>
  /** `navigator.wakeLock`; undefined where there is none. */
  wakeLock: Pick<WakeLock, 'request'> | undefined
  page: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
}

/** Whether a photo is on its way now; one that waits for a signal keeps no screen on. */
const isSending = (progress: readonly PhotoProgress[]) =>
  progress.some(({ items }) => items.some(({ state }) => state === 'sending'))

/** @returns stops it */
export function keepAwake({ progress$, wakeLock, page }: Parts): () => void {
  if (!wakeLock) return () => undefined
  let held: Promise<WakeLockSentinel | undefined> | undefined
  const hold = () => {
    // a battery that is nearly empty refuses it
    held ??= wakeLock.request('screen').catch(() => undefined)
  }
  const release = () => {
    void held?.then((lock) => lock?.release()).catch(() => undefined)
    held = undefined
  }
  // the browser takes the lock away with the page out of sight
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
