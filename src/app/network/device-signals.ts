/** The count on the app icon, and vibration. Both do nothing on devices without support. */
import { combineLatest, distinctUntilChanged, map, Observable, fromEvent, startWith } from 'rxjs'
import { unsentElsewhere } from '#data/context/other-crms.ts'
import type { CrmState } from '#data/context/app-context.tsx'
import type { ValueStore } from '#lib/value-store.ts'
import type { Database } from '#data/database/database.ts'
import { outbox$ } from '#data/outbox/outbox.ts'
import type { PhotoProgress } from '#schemas/changes/photo-queue.ts'

export interface SignalDevice extends Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>> {
  vibrate?: (pattern: number | number[]) => boolean
}

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
  const elsewhere$ = new Observable<number>((subscriber) => {
    const emit = () => subscriber.next(unsentElsewhere(crms.get()).unsent)
    emit()
    return crms.subscribe(emit)
  })
  const watching = combineLatest([outbox$(db), elsewhere$])
    .pipe(
      map(([{ unsent }, elsewhere]) => unsent + elsewhere),
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
  page: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
}

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
