/**
 * Shares the leader's notices with every tab of the user (sync RULES TB1): no room on the device, truncated answers, the
 * CRM's clock. Messages on the channel of the tabs:
 *
 *     leader: a notice ──→ shown here, and posted ──→ shown in the others
 *     new tab: asks for the current notices ──→ the leader posts them again
 *     new leader: the old one's notice about room ends, until this tab finds the same
 */
import type { SyncParts } from '#sync/runtime/sync-parts.ts'
import type { TabChannel } from '#sync/leadership/tab-channel.ts'
import type { ClockReading } from '#lib/time/crm-clock.ts'
import type { CrmClock } from '#app/network/crm-clock.ts'

/** Shows the notices in this tab. */
export interface LocalNotices {
  /** Called when the device has no room, and when it has some again. */
  storageFull: (isFull: boolean) => void
  /** Called when an answer was truncated. */
  leftOut?: () => void
  /** Takes the time of each CRM answer, of any tab. */
  crmClock?: CrmClock
}

/** Callbacks for this tab's sync; only the leader's sync calls them. */
export type SyncNotices = Required<Pick<SyncParts, 'onStorageFull' | 'onOmitted' | 'onServerTime'>>

const ASK = 'what-stands'
const FULL = 'full'
const ROOM = 'room'
const LEFT_OUT = 'left-out'
const CLOCK = 'clock'

/** @returns callbacks for the sync; `stop` ends the listening */
export function shareNotices(
  { say, heard$ }: Pick<TabChannel, 'say' | 'heard$'>,
  { storageFull, leftOut, crmClock }: LocalNotices,
): SyncNotices & { stop(): void } {
  /** Notices of this tab while it leads. */
  const own = { leads: false, isFull: false, isLeftOut: false }
  let said: ClockReading | null = null
  /** Notices of other tabs that this tab has shown: one that the user closed is not shown again. */
  let isFullElsewhere = false
  let isLeftOutElsewhere = false

  function sayClock(reading: ClockReading | null | undefined) {
    if (reading) say(`${CLOCK} ${reading.offMs} ${reading.at}`)
  }
  function sayAll() {
    if (own.isFull) say(FULL)
    if (own.isLeftOut) say(LEFT_OUT)
    if (own.leads) sayClock(crmClock?.readings.get())
  }
  function hear(word: string) {
    const [what, offMs, at] = word.split(' ')
    if (what === ASK) sayAll()
    const isFull = what === FULL
    if ((isFull || what === ROOM) && isFull !== isFullElsewhere) storageFull((isFullElsewhere = isFull))
    if (what === LEFT_OUT && !isLeftOutElsewhere) leftOut?.()
    isLeftOutElsewhere ||= what === LEFT_OUT
    if (what === CLOCK) crmClock?.take({ offMs: Number(offMs), at: Number(at) })
  }
  function lead() {
    own.leads = true
    if (isFullElsewhere && !own.isFull) storageFull(false)
    isFullElsewhere = false
  }
  const hearing = heard$.subscribe(hear)
  say(ASK)

  return {
    onStorageFull(isFull) {
      own.isFull = isFull
      storageFull(isFull)
      say(isFull ? FULL : ROOM)
    },
    onOmitted() {
      own.isLeftOut = true
      leftOut?.()
      say(LEFT_OUT)
    },
    onServerTime(answer) {
      lead()
      crmClock?.hear(answer)
      const reading = crmClock?.readings.get() ?? null
      if (reading !== said) sayClock(reading)
      said = reading
    },
    stop: () => hearing.unsubscribe(),
  }
}
