/**
 * Locks the screen once the app was hidden in all tabs for the delay that the user has chosen. A visible tab stores the
 * current time repeatedly, and has a shared Web Lock. From these, other tabs and later pages know when the app was last
 * visible.
 *
 *     visible ── hidden ─→ delay over ─┬─ no tab is visible ────→ screen locked
 *        ↑                             └─ another tab is visible ─→ checked again later
 *        └── visible again; if the delay is over ──→ screen locked
 *
 * A camera or file chooser that the page has opened hides it as well. While one is open, the delay is at least five minutes.
 */
import type { LockAfter } from '#lib/browser/screen-lock.ts'
import { signal, type Signal } from '#lib/signal.ts'
import { isDue, lockAfterMs, notedEveryMs } from './lock-rules.ts'

/** Key in localStorage of the time when the app was last visible, epoch ms. */
const LAST_VISIBLE = 'genba:lock-seen'
/** Name of the Web Lock that each visible tab shares. */
const VISIBLE_LOCK = 'genba-in-sight'
/** Minimum time between two checks while another tab is visible. */
const RECHECK_MS = 60_000
/** Time after which a released Web Lock is free for certain. */
const RELEASE_MS = 1_000
/** Time for which a camera or file chooser of this page may hide it before the screen is locked. */
const PICKING_MS = 5 * 60_000

export interface VisibilityDevice {
  page: Pick<Document, 'addEventListener' | 'visibilityState'>
  window: Pick<Window, 'addEventListener'>
  now: () => number
  /** Epoch ms at which the page began to load. The time of loading does not count as absence. */
  begunAt: number
  /** Storage that all tabs share. If a killed browser loses the last value, the screen is locked earlier. */
  memory: Pick<Storage, 'getItem' | 'setItem'>
  locks: Pick<LockManager, 'request'> | undefined
  /** Runs a function after a time. @returns cancels it */
  after: (ms: number, run: () => void) => () => void
}

/**
 * Watches whether the app is visible.
 * @param after returns the chosen delay
 * @param lock called when the delay is over; at once if it is over at the start
 * @returns `note` stores that the app is being used, so that the delay starts again. `changed` must be called when another
 * delay is chosen, in any tab. `covered` must be called when the page opens a camera, chooser or prompt that hides it, and
 * returns a function that must be called when that is closed.
 */
export function watchVisibility(device: VisibilityDevice, after: () => LockAfter, lock: () => void) {
  const { page, window, now, locks } = device
  const isVisible = () => page.visibilityState === 'visible'
  const { lastVisible, note } = lastVisibleStore(device, after)
  const visibleLock = visibleLockOf(locks)
  const covers = countCovers()
  let stopTimer = () => undefined as void
  const runAfter = (ms: number, run: () => void) => {
    stopTimer()
    stopTimer = device.after(ms, run)
  }
  const noteRepeatedly = () => {
    note()
    stopTimer()
    // No timer while the screen lock is off (decisions/speed); `changed` starts it again.
    if (after() !== 'off') runAfter(notedEveryMs(after()), () => isVisible() && noteRepeatedly())
  }
  const check = async (): Promise<void> => {
    const chosen = after()
    if (isVisible() || chosen === 'off') return
    if (visibleLock.release()) return runAfter(RELEASE_MS, runCheck)
    if (await isAnyTabVisible(locks)) return runAfter(Math.max(lockAfterMs(chosen), RECHECK_MS), runCheck)
    if (isDue(chosen, lastVisible(), now())) lock()
    else runAfter((lastVisible() ?? 0) + lockAfterMs(chosen) - now(), runCheck)
  }
  const runCheck = () => void check()
  const onVisible = () => {
    visibleLock.take()
    noteRepeatedly()
  }
  const onHidden = () => {
    note()
    const chosen = after()
    if (covers.get() === 0) visibleLock.release()
    if (chosen !== 'off') runAfter(Math.max(lockAfterMs(chosen), covers.get() > 0 ? PICKING_MS : 0), runCheck)
  }
  /** True if the delay is over. While a camera or file chooser hides the page, the delay is at least five minutes. */
  const isOver = (time: number) =>
    isDue(after(), lastVisible(), time) && (covers.get() === 0 || isDue('5', lastVisible(), time))
  const endPicking = followPicking(page, covers.covered)
  page.addEventListener('visibilitychange', () => {
    if (!isVisible()) return onHidden()
    if (isOver(now())) lock()
    endPicking()
    onVisible()
  })
  window.addEventListener('pagehide', onHidden)
  if (isDue(after(), lastVisible(), isVisible() ? device.begunAt : now())) lock()
  if (isVisible()) onVisible()
  else runCheck()
  const changed = () => {
    const chosen = after()
    if (isVisible()) noteRepeatedly()
    else if (chosen !== 'off') runAfter(lockAfterMs(chosen), runCheck)
  }
  return { note, changed, covered: covers.covered }
}

/**
 * Marks the page as covered while a file chooser is open, so that the hidden page does not count as left by the user. An
 * event of the file input ends the mark.
 * @returns ends the mark too; called when the page is visible again, because some browsers send no such event
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
      for (const name of ['change', 'cancel'] as const) target.addEventListener(name, ended, { once: true })
    },
    true,
  )
  return () => end()
}

/** The time when the app was last visible, shared by all tabs. */
function lastVisibleStore({ memory, now }: VisibilityDevice, after: () => LockAfter) {
  return {
    lastVisible(): number | null {
      const stored = memory.getItem(LAST_VISIBLE)
      return stored !== null && /^\d{1,15}$/.test(stored) ? Number(stored) : null
    },
    note() {
      try {
        if (after() !== 'off') memory.setItem(LAST_VISIBLE, String(now()))
      } catch {
        // The storage is full: the screen is locked earlier.
      }
    },
  }
}

/** Counts the cameras and file choosers that hide the page. */
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

/** The shared Web Lock that shows the other tabs that this tab is visible. */
function visibleLockOf(locks: VisibilityDevice['locks']) {
  let held: Signal | null = null
  return {
    take() {
      if (held) return
      const { done } = (held = signal())
      void locks?.request(VISIBLE_LOCK, { mode: 'shared' }, () => done)
    },
    /** Releases the lock. @returns true if this tab had it */
    release(): boolean {
      const released = held
      held = null
      released?.resolve()
      return released !== null
    },
  }
}

/** True if any other tab is visible; false in a browser without Web Locks. */
const isAnyTabVisible = async (locks: VisibilityDevice['locks']): Promise<boolean> =>
  locks ? locks.request(VISIBLE_LOCK, { ifAvailable: true }, async (lock) => lock === null) : false
