/**
 * Locks the screen after the app was hidden in all tabs for the chosen time. The time is shared by the tabs and survives a
 * reload.
 *
 *     visible: time stored every 1 or 30 s, Web Lock held ─→ hidden: stored ─→ time over ─┬ no tab visible ─→ lock
 *        ↑                                                                                └ another is: checked again
 *        └── visible again, and the time is over ─→ lock
 */
import type { LockAfter } from '#lib/browser/screen-lock.ts'
import { isDue, lockAfterMs, notedEveryMs } from './lock-rules.ts'

const SEEN = 'genba:lock-seen'
const IN_SIGHT = 'genba-in-sight'
const LOOKED_AGAIN_MS = 60_000
const LET_GO_MS = 1_000
/** How long a camera or a file chooser of this page may cover it without locking. */
const PICKING_MS = 5 * 60_000

export interface SightDevice {
  page: Pick<Document, 'addEventListener' | 'visibilityState'>
  window: Pick<Window, 'addEventListener'>
  now: () => number
  /** Epoch ms of the page's start: the time of loading does not count as absence. */
  begunAt: number
  /** Shared by all tabs. If a killed browser loses the last value, the screen is locked earlier. */
  memory: Pick<Storage, 'getItem' | 'setItem'>
  locks: Pick<LockManager, 'request'> | undefined
  /** @returns cancels it */
  after: (ms: number, run: () => void) => () => void
}

/**
 * @param lock called when the time is over; at once if it is over at the start
 * @returns `note` notes use of the app, so that the time starts again; `changed` is to be called when another time is
 * chosen, in any tab; `covered` marks the page as covered by something it opened, and returns what ends the mark
 */
export function watchSight(device: SightDevice, after: () => LockAfter, lock: () => void) {
  const { page, window, now, locks } = device
  const isVisible = () => page.visibilityState === 'visible'
  const { seen, note } = keptSeen(device, after)
  const hold = sightHold(locks)
  const covers = countCovers()
  let stopTimer = () => undefined as void
  const again = (ms: number, run: () => void) => {
    stopTimer()
    stopTimer = device.after(ms, run)
  }
  const stay = () => {
    note()
    stopTimer()
    // no timer while the screen lock is off (decisions/speed); `changed` starts it again
    if (after() !== 'off') again(notedEveryMs(after()), () => isVisible() && stay())
  }
  const check = async (): Promise<void> => {
    const chosen = after()
    if (isVisible() || chosen === 'off') return
    // a released Web Lock is free a moment later
    if (hold.letGo()) return again(LET_GO_MS, runCheck)
    if (await isInSight(locks)) return again(Math.max(lockAfterMs(chosen), LOOKED_AGAIN_MS), runCheck)
    if (isDue(chosen, seen(), now())) lock()
    else again((seen() ?? 0) + lockAfterMs(chosen) - now(), runCheck)
  }
  const runCheck = () => void check()
  const come = () => {
    hold.take()
    stay()
  }
  const leave = () => {
    note()
    const chosen = after()
    if (covers.get() === 0) hold.letGo()
    if (chosen !== 'off') again(Math.max(lockAfterMs(chosen), covers.get() > 0 ? PICKING_MS : 0), runCheck)
  }
  /** While such a cover is open, the page is locked after five minutes at the earliest. */
  const isOver = (at: number) => isDue(after(), seen(), at) && (covers.get() === 0 || isDue('5', seen(), at))
  const endPicking = followPicking(page, covers.covered)
  page.addEventListener('visibilitychange', () => {
    if (!isVisible()) return leave()
    if (isOver(now())) lock()
    endPicking()
    come()
  })
  window.addEventListener('pagehide', leave)
  if (isDue(after(), seen(), isVisible() ? device.begunAt : now())) lock()
  if (isVisible()) come()
  else runCheck()
  const changed = () => {
    const chosen = after()
    if (isVisible()) stay()
    else if (chosen !== 'off') again(lockAfterMs(chosen), runCheck)
  }
  return { note, changed, covered: covers.covered }
}

function seenIn(memory: Pick<Storage, 'getItem'>): number | null {
  const stored = memory.getItem(SEEN)
  return stored !== null && /^\d{1,15}$/.test(stored) ? Number(stored) : null
}

/**
 * Marks the page as covered while a file chooser is open. It ends with the input's event, even after its form is closed, or
 * when the page is visible again.
 */
function followPicking(page: Pick<Document, 'addEventListener'>, covered: () => () => void): () => void {
  let end = () => undefined as void
  page.addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.type !== 'file') return
      end()
      const ended = covered()
      end = ended
      for (const over of ['change', 'cancel'] as const) target.addEventListener(over, ended, { once: true })
    },
    true,
  )
  return () => end()
}

function keptSeen({ memory, now }: SightDevice, after: () => LockAfter) {
  return {
    seen: () => seenIn(memory),
    note() {
      try {
        if (after() !== 'off') memory.setItem(SEEN, String(now()))
      } catch {
        // no room: the lock is earlier
      }
    },
  }
}

/** Counts what covers the page. */
function countCovers() {
  let count = 0
  return {
    get: () => count,
    covered() {
      let isEnded = false
      count += 1
      return () => {
        if (!isEnded) count -= 1
        isEnded = true
      }
    },
  }
}

/** Shows the other tabs, by a shared lock, that this one is visible. */
function sightHold(locks: SightDevice['locks']) {
  let release: (() => void) | null = null
  return {
    take() {
      release ??= holdSight(locks)
    },
    /** @returns true if the lock was held */
    letGo(): boolean {
      const releaseLock = release
      release = null
      releaseLock?.()
      return releaseLock !== null
    },
  }
}

/** Holds the shared lock. @returns releases it */
function holdSight(locks: SightDevice['locks']): () => void {
  let end = () => undefined as void
  const ended = new Promise<void>((resolve) => (end = resolve))
  void locks?.request(IN_SIGHT, { mode: 'shared' }, () => ended)
  return end
}

const isInSight = async (locks: SightDevice['locks']): Promise<boolean> =>
  locks ? locks.request(IN_SIGHT, { ifAvailable: true }, async (lock) => lock === null) : false
