/**
 * Locks the screen once all tabs were hidden for the chosen delay. A visible tab stores the current time repeatedly and
 * holds a shared Web Lock, so that other tabs and later pages know when the app was last visible.
 *
 *     visible ── hidden ─→ delay over ─┬─ no tab is visible ────→ screen locked
 *        ↑                             └─ another tab is visible ─→ checked again later
 *        └── visible again; if the delay is over ──→ screen locked
 *
 * While a camera or file chooser of the app hides the page, the delay is at least five minutes.
 */
import type { LockAfter } from '#lib/browser/screen-lock.ts'
import { signal, type Signal } from '#lib/value-store.ts'

const LAST_VISIBLE = 'genba:lock-seen'
const VISIBLE_LOCK = 'genba-in-sight'
const RECHECK_MS = 60_000
/** Time in which a browser certainly releases a Web Lock. */
const RELEASE_MS = 1_000
/** The lock's shortest delay, in ms, while the phone's camera or file chooser hides this page. */
const PICKING_MS = 5 * 60_000
const MINUTE_MS = 60_000
/** The delay `0` in ms. A reload or a change of tabs takes less, so it does not lock the screen. */
const AT_ONCE_MS = 2_500
/** Largest step back of an automatic clock correction. A larger step was made by a person and locks the screen. */
const CORRECTED_MS = 2_000

export const lockAfterMs = (after: Exclude<LockAfter, 'off'>): number =>
  Math.max(Number(after) * MINUTE_MS, AT_ONCE_MS)

const notedEveryMs = (after: LockAfter): number => (after === '0' ? 1_000 : 30_000)

/** True if the screen must be locked. @param lastVisible time at which the app was last visible; null if unknown */
export const isDue = (after: LockAfter, lastVisible: number | null, now: number): boolean =>
  after !== 'off' &&
  (lastVisible === null || now - lastVisible >= lockAfterMs(after) || now < lastVisible - CORRECTED_MS)

export interface VisibilityDevice {
  page: Pick<Document, 'addEventListener' | 'visibilityState'>
  window: Pick<Window, 'addEventListener'>
  now: () => number
  /** Epoch ms at which the page began to load. The app counts as in use while it loads. */
  begunAt: number
  memory: Pick<Storage, 'getItem' | 'setItem'>
  locks: Pick<LockManager, 'request'> | undefined
  after: (ms: number, run: () => void) => () => void
}

/**
 * Watches whether the app is visible.
 * @param after returns the chosen delay
 * @param lock called when the delay is over, possibly at once
 * @returns `note` starts the delay again. `changed` must be called after another delay was chosen, in any tab.
 * `covered` must be called when a camera, chooser or prompt hides the page, and returns a function to call when it is
 * closed.
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
    // While the screen lock is off, no timer runs (decisions/speed). `changed` starts the timer again.
    if (after() !== 'off') runAfter(notedEveryMs(after()), () => isVisible() && noteRepeatedly())
  }
  const check = async (): Promise<void> => {
    const chosen = after()
    if (isVisible() || chosen === 'off') return
    // This tab counts as visible until the browser has released its Web Lock.
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
  // True if the delay is over. While a camera or file chooser is open, the delay is at least five minutes.
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

/** Calls `covered` when a file chooser opens. @returns ends it in browsers without `change` and `cancel` */
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

const lastVisibleStore = ({ memory, now }: VisibilityDevice, after: () => LockAfter) => ({
  lastVisible(): number | null {
    const stored = memory.getItem(LAST_VISIBLE)
    return stored !== null && /^\d{1,15}$/.test(stored) ? Number(stored) : null
  },
  note() {
    try {
      if (after() !== 'off') memory.setItem(LAST_VISIBLE, String(now()))
    } catch {
      // If the storage is full, the old time stays and the screen is locked earlier.
    }
  },
})

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

function visibleLockOf(locks: VisibilityDevice['locks']) {
  let held: Signal | null = null
  return {
    take() {
      if (held) return
      const { done } = (held = signal())
      void locks?.request(VISIBLE_LOCK, { mode: 'shared' }, () => done)
    },
    release(): boolean {
      const released = held
      held = null
      released?.resolve()
      return released !== null
    },
  }
}

const isAnyTabVisible = async (locks: VisibilityDevice['locks']): Promise<boolean> =>
  locks ? locks.request(VISIBLE_LOCK, { ifAvailable: true }, async (lock) => lock === null) : false
