/** The count on the app icon, and vibration. Both do nothing on devices without support. */
import { combineLatest, distinctUntilChanged, map, Observable } from 'rxjs'
import { unsentElsewhere } from '#data/context/other-crms.ts'
import type { CrmState } from '#data/context/app-context.tsx'
import type { ValueStore } from '#lib/value-store.ts'
import type { Database } from '#data/database/database.ts'
import { outbox$ } from '#data/outbox/outbox.ts'

export interface SignalDevice extends Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>> {
  vibrate?: (pattern: number | number[]) => boolean
}

/** Patterns of vibration in ms. In a list, every second number is a pause. */
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
    const shown = count > 0 ? device.setAppBadge?.(count) : device.clearAppBadge?.()
    void shown?.catch(() => undefined)
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
