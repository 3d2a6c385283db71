/**
 * Only one tab, the leader, syncs. It shares three notices with the user's other tabs (sync RULES TB1): the device is
 * full, an answer was truncated, the CRM's clock was read.
 *
 *     leader: a notice ──→ shown here, and posted ──→ shown in the others
 *     new tab: asks for the current notices ──→ the leader posts them again
 *     new leader: removes the old leader's notice of a full device, unless the new leader also found the device full
 */
import type { SyncParts } from '#sync/runtime/start-calls.ts'
import type { TabChannel } from '#sync/leadership/lease.ts'
import type { ClockReading } from '#lib/time/crm-clock.ts'
import type { CrmClock } from '#app/network/crm-clock.ts'

export interface LocalNotices {
  storageFull: (isFull: boolean) => void
  truncated?: () => void
  crmClock?: CrmClock
}

/** Callbacks for the sync of this tab, which calls them while the tab is the leader. */
export type SyncNotices = Required<Pick<SyncParts, 'onStorageFull' | 'onOmitted' | 'onServerTime'>>

const REQUEST = 'current-notices'
const FULL = 'full'
const ROOM = 'room'
const TRUNCATED = 'truncated'
const CLOCK = 'clock'

/** @returns callbacks for the sync; `stop` ends the exchange with other tabs */
export function shareNotices(
  { say, messages$ }: Pick<TabChannel, 'say' | 'messages$'>,
  { storageFull, truncated, crmClock }: LocalNotices,
): SyncNotices & { stop(): void } {
  const own = { leads: false, isFull: false, isTruncated: false }
  let sentReading: ClockReading | null = null
  /** True if another tab has reported a full device. The same report then shows no second banner. */
  let isFullElsewhere = false
  let isTruncatedElsewhere = false

  function sendClock(reading: ClockReading | null | undefined) {
    if (reading) say(`${CLOCK} ${reading.offMs} ${reading.at}`)
  }
  function sendAll() {
    if (own.isFull) say(FULL)
    if (own.isTruncated) say(TRUNCATED)
    if (own.leads) sendClock(crmClock?.readings.get())
  }
  function onMessage(message: string) {
    const [notice, offMs, at] = message.split(' ')
    if (notice === REQUEST) sendAll()
    const isFull = notice === FULL
    if ((isFull || notice === ROOM) && isFull !== isFullElsewhere) storageFull((isFullElsewhere = isFull))
    if (notice === TRUNCATED && !isTruncatedElsewhere) truncated?.()
    isTruncatedElsewhere ||= notice === TRUNCATED
    if (notice === CLOCK) crmClock?.take({ offMs: Number(offMs), at: Number(at) })
  }
  function lead() {
    own.leads = true
    if (isFullElsewhere && !own.isFull) storageFull(false)
    isFullElsewhere = false
  }
  const listening = messages$.subscribe(onMessage)
  say(REQUEST)

  return {
    onStorageFull(isFull) {
      own.isFull = isFull
      storageFull(isFull)
      say(isFull ? FULL : ROOM)
    },
    onOmitted() {
      own.isTruncated = true
      truncated?.()
      say(TRUNCATED)
    },
    onServerTime(answer) {
      lead()
      crmClock?.hear(answer)
      const reading = crmClock?.readings.get() ?? null
      if (reading !== sentReading) sendClock(reading)
      sentReading = reading
    },
    stop: () => listening.unsubscribe(),
  }
}
