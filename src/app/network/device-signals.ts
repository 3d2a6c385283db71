/** What a phone can do besides its screen: the count on the icon, a short buzz. Where it cannot, nothing happens. */
import { combineLatest, distinctUntilChanged, map, Observable } from 'rxjs'
import { unsentElsewhere } from '#data/crm-standings.ts'
import type { CrmStanding, ValueStore } from '#data/app-context.tsx'
import type { Database } from '#data/database.ts'
import { outbox$ } from '#data/outbox.ts'

/** The part of `navigator` that not every browser has. */
export interface SignalDevice extends Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>> {
  vibrate?: (pattern: number | number[]) => boolean
}

/** Milliseconds; of several the odd ones are pauses. */
const BUZZ = { saved: 30, refused: [60, 80, 60] }

/** A short one for what was saved, two longer ones for what was refused. */
export const buzz = (device: SignalDevice, what: keyof typeof BUZZ): void => void device.vibrate?.(BUZZ[what])

/** Shows how much is unsent on the app's icon, of all CRMs. @returns stops, and takes the count away: it is this user's */
export function watchBadge(
  device: SignalDevice,
  db: Database,
  crms: ValueStore<readonly CrmStanding[]>,
): () => void {
  const show = (count: number) => {
    const shown = count > 0 ? device.setAppBadge?.(count) : device.clearAppBadge?.()
    // a browser that refuses shows none
    void shown?.catch(() => undefined)
  }
  const elsewhere$ = new Observable<number>((subscriber) => {
    const tell = () => subscriber.next(unsentElsewhere(crms.get()).unsent)
    tell()
    return crms.subscribe(tell)
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
