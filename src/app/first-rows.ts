/**
 * The first paint does not wait for the app: the list as it was last seen today is kept as it stands in the document, and
 * `first-paint.ts` puts it back before the first module, where the session is still its user's. It stays until the app can draw the same rows itself, in one step:
 *
 *     list settled ─→ kept    anything written, another user, logout ─→ dropped
 *     start: kept rows in sight ─→ database open, rows read ─→ React draws over them
 *                                ├ tap on a row ─→ React starts there at once
 *                                └ tap on a button ─→ pressed again once React has drawn
 *
 * Only the usual list on a phone is kept: no popup, no other filter, not scrolled, and nothing where the screen is locked
 * when it is left (decision 0084). It is shown within the same half of the
 * day only: at midnight the day is another, and at 12:00 what was left of yesterday goes from the list.
 */
import type { Observable } from 'rxjs'
import type { UserData } from '#data/app-context.tsx'
import { outboxQuery, visitListQuery } from '#data/first-queries.ts'
import { KEPT_ROWS, lastScope, scoped } from '#lib/crm-scope.ts'
import { lockAfter } from '#lib/screen-lock.ts'
import { halfDay } from '#lib/tokyo-time.ts'
import type { Booted } from './boot.ts'
import { buildName } from './build-name.ts'
import { controlAt, isOurs, takePresses } from './early-presses.ts'
import { keptNodes, type KeptNode } from './kept-nodes.ts'
import { keptSealed, placeOfRows } from './sealed-first-rows.ts'

/** As `first-paint.ts` reads them, of the CRM that it read (`crm-scope.ts`). */
const ROWS = scoped('genba:first-rows', lastScope())
/** Whose device it is: the user's id, where somebody is signed in. */
const SHELL = scoped('genba:shell', lastScope())
/** What makes the list of this tab another one; index.html asks for them, too. */
const OTHER_LOOKS = ['genba:request-filter', 'genba:request-done']
const SETTLED_MS = 1_000
/** Longer than any database takes to open: what is wrong then, the app itself says. */
const LONGEST_MS = 8_000
const LONG_PRESS_MS = 1_000

/** Whether `first-paint.ts` has put the kept rows back: once it has read whose session it is. */
export function showsKeptRows(root: HTMLElement): Promise<boolean> {
  const isShown = () => root.dataset['shell'] === 'rows'
  if (root.dataset['shell'] !== 'asking') return Promise.resolve(isShown())
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect()
      resolve(isShown())
    })
    observer.observe(root, { attributeFilter: ['data-shell'] })
  })
}

/** Whether somebody was signed in when the app was last open: the session itself is not read yet. */
export const wasSignedIn = (): boolean => localStorage.getItem(SHELL) !== null

function dropFirstRows(): void {
  localStorage.removeItem(ROWS)
}

/** Says for the next start who is signed in; nothing of one user is shown to the next (sync RULES SV4). */
function keepShell(userId: string | undefined): void {
  if (userId !== undefined && localStorage.getItem(SHELL) === userId) return
  dropFirstRows()
  localStorage.removeItem(scoped(KEPT_ROWS, lastScope()))
  if (userId === undefined) localStorage.removeItem(SHELL)
  else localStorage.setItem(SHELL, userId)
}

/** Keeps what the next start shows first, from now on. */
export function followFirstRows(root: HTMLElement, { sessions, userData, services }: Booted): void {
  const follow = () => keepShell(sessions.get()?.userInfo.id)
  follow()
  sessions.subscribe(follow)
  let stop = () => undefined as void
  userData.subscribe(() => {
    stop()
    const data = userData.get()
    stop = data ? keepFirstRows(root, data, services.clock.now) : () => undefined
  })
}

/** Resolves once the list and its counts can be drawn from memory. */
export const listRead = (booted: Booted): Promise<unknown> =>
  Promise.all([import('#features/request/visit-days.tsx'), queriesRead(booted)])

const queriesRead = ({ userData }: Booted) =>
  new Promise<void>((resolve) => {
    const look = () => {
      const live = userData.get()?.live
      if (!live) return
      const stores = [visitListQuery, outboxQuery].map(({ key, query }) => live.store<unknown>(key, query))
      for (const store of stores)
        store.subscribe(() => {
          if (stores.every((each) => each.get() !== undefined)) resolve()
        })
    }
    look()
    userData.subscribe(look)
  })

/** What is done on the kept rows. */
interface Taps {
  /** Resolves when a row was tapped: the app starts there. */
  row: Promise<void>
  /** Resolves once no finger is on the glass: what is pressed must not be taken away under it. */
  lifted(): Promise<void>
}

/**
 * Until the app has drawn over the rows: a row leads on, a button is pressed again then, and what was under a finger all the
 * while is pressed when it lifts. What was pressed before the app's first line counts as well (`early-presses.ts`).
 */
export function takeTaps(root: HTMLElement): Taps {
  const listening = new AbortController()
  const { signal } = listening
  let lift: (() => void) | null = null
  let lifted = Promise.resolve()
  let wanted = ''
  let held = ''
  const hold = (control: HTMLElement | null) => {
    held = sayingOf(control)
    lifted = new Promise((resolve) => (lift = resolve))
  }
  const take = () => {
    held = ''
    setTimeout(() => lift?.(), 0)
  }
  const row = new Promise<void>((resolve) => {
    const press = (control: HTMLElement) => {
      control.dataset['pressed'] = ''
      wanted = control instanceof HTMLAnchorElement ? '' : sayingOf(control)
      if (!(control instanceof HTMLAnchorElement)) return
      history.pushState(null, '', control.href)
      resolve()
    }
    const click = (event: Event) => {
      const control = controlAt(event.target)
      if (!control || !isOurs(control)) return
      event.preventDefault()
      press(control)
    }
    root.addEventListener('click', click, { signal })
    const early = takePresses(root)
    if (early.wanted) press(early.wanted)
    else if (early.held) hold(early.held)
  })
  root.addEventListener('pointerdown', (event) => hold(controlAt(event.target)), { signal })
  for (const end of ['click', 'pointercancel']) window.addEventListener(end, take, { signal })
  const kept = root.firstElementChild
  const observer = new MutationObserver(() => {
    if (kept?.isConnected) return
    observer.disconnect()
    listening.abort()
    if (wanted !== '') [...root.querySelectorAll('button')].find((each) => sayingOf(each) === wanted)?.click()
    else if (held !== '') pressAtLift(held)
  })
  observer.observe(root, { childList: true })
  return { row, lifted: () => lifted }
}

/** The browser itself makes no click of a press whose control was replaced. */
function pressAtLift(saying: string): void {
  const ended = new AbortController()
  const lift = (event: PointerEvent) => {
    ended.abort()
    const control = controlAt(document.elementFromPoint(event.clientX, event.clientY))
    if (sayingOf(control) === saying) control?.click()
  }
  const { signal } = ended
  window.addEventListener('pointerup', lift, { signal })
  window.addEventListener('pointercancel', () => ended.abort(), { signal })
}

const sayingOf = (control: Element | null) =>
  control ? `${control.getAttribute('aria-label') ?? ''} ${control.textContent}` : ''

/**
 * Waits with drawing until the rows in sight can be drawn, or were tapped.
 * @param ready resolves when the rows were read
 */
export async function untilDrawable(taps: Taps, ready: Promise<unknown>): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_MS))
  await Promise.race([ready, taps.row, late])
  await Promise.race([taps.lifted(), new Promise((resolve) => setTimeout(resolve, LONG_PRESS_MS))])
}

/** Keeps the list as it stands, whenever it has settled. @returns stops it */
function keepFirstRows(root: HTMLElement, { db, sealer }: UserData, now: () => number): () => void {
  let settling: ReturnType<typeof setTimeout> | undefined
  /** What was begun before something was written is behind. */
  let turn = 0
  const settle = () => {
    clearTimeout(settling)
    settling = setTimeout(() => void keep(root, now(), sealed).catch(dropFirstRows), SETTLED_MS)
  }
  const sealed = async (rows: KeptNode[]) => {
    const begun = (turn += 1)
    const kept = await sealer.sealValue(placeOfRows(db.name), rows)
    if (begun !== turn) return null
    return kept ? keptSealed(db.name, kept) : rows
  }
  const observer = new MutationObserver(settle)
  observer.observe(root, { childList: true, subtree: true, characterData: true })
  // what was written may show in another tab or on another screen: the kept list would be behind
  const written = [db.requests, db.quickReports, db.ledger].map((collection) =>
    (collection.$ as Observable<unknown>).subscribe(() => {
      turn += 1
      dropFirstRows()
      settle()
    }),
  )
  return () => {
    turn += 1
    clearTimeout(settling)
    observer.disconnect()
    for (const each of written) each.unsubscribe()
  }
}

async function keep(
  root: HTMLElement,
  now: number,
  sealed: (rows: KeptNode[]) => Promise<unknown>,
): Promise<void> {
  const isUsual = location.pathname + location.search === '/request' && window.scrollY === 0
  const isPhone = !matchMedia('(min-width: 900px)').matches
  if (lockAfter() !== 'off') return dropFirstRows()
  if (!isUsual || !isPhone || OTHER_LOOKS.some((key) => sessionStorage.getItem(key))) return
  if (!root.querySelector('[data-index]')) return
  const copy = root.cloneNode(true) as HTMLElement
  // whether there is signal, and what is unsent, only the app knows
  for (const stale of copy.querySelectorAll('[data-state], [role="status"], output')) stale.replaceChildren()
  const build = buildName()
  const user = localStorage.getItem(SHELL)
  const rows = await sealed(keptNodes(copy))
  // meanwhile something was written, or somebody has left
  if (rows === null || localStorage.getItem(SHELL) !== user || lockAfter() !== 'off') return
  try {
    localStorage.setItem(ROWS, JSON.stringify({ build, half: halfDay(now), user, rows }))
  } catch {
    // no room: the next start shows the frame only
    dropFirstRows()
  }
}
