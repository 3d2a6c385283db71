/** The count on the app icon, and vibration. Both do nothing on devices without support. */
import { combineLatest, distinctUntilChanged, fromEventPattern, map, startWith, type Observable } from 'rxjs'
import { unsentElsewhere } from '#data/context/other-crms.ts'
import type { CrmState } from '#data/context/app-context.tsx'
import type { ValueStore } from '#lib/value-store.ts'
import type { Database } from '#data/database/database.ts'
import { outbox$ } from '#data/outbox/outbox.ts'
import type { PhotoProgress } from '#schemas/changes/photo-queue.ts'

export interface SignalDevice extends Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>> {
  vibrate?: (pattern: number | number[]) => boolean
}

/** Emits the value of a store, at once and after each change. */
export const value$ = <T>(store: ValueStore<T>): Observable<T> =>
  fromEventPattern(store.subscribe, (_, stop: () => void) => stop()).pipe(startWith(null), map(store.get))

const BUZZ = { saved: 30, refused: [60, 80, 60] }

export const buzz = (device: SignalDevice, event: keyof typeof BUZZ): void =>
  void device.vibrate?.(BUZZ[event])

/** Shows the unsent count of all CRMs on the app icon. @returns a function that stops and clears the count */
export function watchBadge(
  device: SignalDevice,
  db: Database,
  crms: ValueStore<readonly CrmState[]>,
): () => void {
  const show = (count: number) => {
    void (count > 0 ? device.setAppBadge?.(count) : device.clearAppBadge?.())?.catch(() => undefined)
  }
  const watching = combineLatest([outbox$(db), value$(crms)])
    .pipe(
      map(([{ unsent }, all]) => unsent + unsentElsewhere(all).unsent),
      distinctUntilChanged(),
    )
    .subscribe(show)
  return () => {
    watching.unsubscribe()
    show(0)
  }
}

interface KeepAwake {
  progress$: Observable<readonly PhotoProgress[]>
  wakeLock: Pick<WakeLock, 'request'> | undefined
  /** Emits whether the page is visible. The browser releases the lock of a hidden page, which requests it again. */
  visible$: Observable<boolean>
}

const isSending = (progress: readonly PhotoProgress[]) =>
  progress.some(({ items }) => items.some(({ state }) => state === 'sending'))

/** Holds a wake lock while photos are being sent. @returns a function that stops and releases the lock */
export function keepAwake({ progress$, wakeLock, visible$ }: KeepAwake): () => void {
  if (!wakeLock) return () => undefined
  let held: Promise<WakeLockSentinel | undefined> | undefined
  const hold = () => {
    held ??= wakeLock.request('screen').catch(() => undefined)
  }
  const release = () => {
    void held?.then((lock) => lock?.release()).catch(() => undefined)
    held = undefined
  }
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
