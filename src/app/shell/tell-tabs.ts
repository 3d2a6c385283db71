/**
 * What only the tab that leads hears, told in every tab of the user (sync RULES TB1): the device has no room, something was
 * left out, what the CRM's clock says. As words on the channel of the tabs:
 *
 *     leads: it happens ──→ told here, and said ──→ the others tell it, too
 *     opens: asks what stands ──→ the one that leads says it again
 *     leads from now on: what the one before said of the room is over, until it finds that itself
 */
import type { SyncParts } from '#sync/runtime/sync-parts.ts'
import type { TabChannel } from '#sync/leadership/tab-channel.ts'
import type { ClockReading } from '#lib/time/crm-clock.ts'
import type { CrmClock } from '#app/network/crm-clock.ts'

/** What people in this tab are told by. */
interface ToldHere {
  storageFull: (isFull: boolean) => void
  leftOut?: (() => void) | undefined
  crmClock?: CrmClock | undefined
}

/** What the sync of this tab tells; only the one that leads has anything to say. */
export type TellTabs = Required<Pick<SyncParts, 'storageFull' | 'leftOut' | 'heardTime'>>

const ASK = 'what-stands'
const FULL = 'full'
const ROOM = 'room'
const LEFT_OUT = 'left-out'
const CLOCK = 'clock'

/** @returns what the sync tells, and what ends the listening */
export function tellTabs(
  { say, heard$ }: Pick<TabChannel, 'say' | 'heard$'>,
  { storageFull, leftOut, crmClock }: ToldHere,
): TellTabs & { stop(): void } {
  /** Of this tab, while it leads. */
  const own = { leads: false, isFull: false, isLeftOut: false }
  let said: ClockReading | null = null
  /** What other tabs have said, and what this one was told of it: what was closed by hand is not told again. */
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
    storageFull(isFull) {
      own.isFull = isFull
      storageFull(isFull)
      say(isFull ? FULL : ROOM)
    },
    leftOut() {
      own.isLeftOut = true
      leftOut?.()
      say(LEFT_OUT)
    },
    heardTime(answer) {
      lead()
      crmClock?.hear(answer)
      const reading = crmClock?.readings.get() ?? null
      if (reading !== said) sayClock(reading)
      said = reading
    },
    stop: () => hearing.unsubscribe(),
  }
}
