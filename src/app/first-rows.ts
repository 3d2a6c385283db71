/**
 * The first paint does not wait for the app: the list as it was last seen today (`keep-first-rows.ts`) is put back by
 * `first-paint.ts` before the first module, where the session is still its user's. It stays until the app can draw the same
 * rows itself, in one step:
 *
 *     start: kept rows in sight ─→ what they were drawn of is there │ database open, rows read ─→ React draws over them
 *                                ├ tap on a row ─→ React starts there at once
 *                                └ tap on a button ─→ pressed again once React has drawn
 */
import { firstListOf } from '#data/first-list.ts'
import { outboxQuery, visitListQuery } from '#data/first-queries.ts'
import type { Booted } from './boot.ts'
import { controlAt, isOurs, takePresses } from './early-presses.ts'
import type { OwnList } from './first-list-store.ts'
import type { KeptRoot } from './kept-root.ts'

/** Longer than any database takes to open; after that the app itself says what is wrong. */
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

/** What the kept rows were drawn of; null where only the database can say. */
export function takeFirstList(root: KeptRoot): OwnList | null {
  const { kept } = root
  delete root.kept
  if (!kept) return null
  const { user, ...lies } = kept
  const list = firstListOf(kept.list)
  return list && { user, list, kept: lies }
}

/** Resolves once the list and its counts can be drawn from memory. */
export const listRead = (booted: Booted): Promise<unknown> =>
  Promise.all([
    import('#features/request/visit-days.tsx'),
    booted.services.firstList.get() === null && queriesRead(booted),
  ])

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
      // a second tap is on the way already
      if (location.href !== control.href) history.pushState(null, '', control.href)
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
