/**
 * The first paint: stands in the page itself (.build/inline-scripts.ts) and runs before anything is loaded. The list as it
 * was last seen, where its user is still signed in, else the frame of the app or the plate of the login
 * (docs/decisions/0020-first-paint-before-the-app.md). Sets `data-shell` of the root to what it did, and leaves there what
 * the rows were drawn of, for the app to go on with (decision 0105).
 */
import { lastScope, scoped } from '#lib/crm-scope.ts'
import { mayEnter } from '#lib/permission.ts'
import { halfDay } from '#lib/tokyo-time.ts'
import { buildName } from './build-name.ts'
import { keepPresses } from './early-presses.ts'
import { fetchAhead } from './fetch-ahead.ts'
import { nodesOf } from './kept-nodes.ts'
import { KEPT_START, KEPT_WORD, type KeptRoot } from './kept-root.ts'
import { titleOf } from './screen-titles.ts'
import { openedRows, type KeptRows, type Opened, type Word } from './sealed-first-rows.ts'

/** If reading the session takes longer, show the empty frame meanwhile. */
const FRAME_AFTER_MS = 1_000
/** A database that has not answered by then never will: WebKit's may hang (decision 0027). */
const LONGEST_MS = 4_000

interface Kept {
  build: unknown
  half: unknown
  user: unknown
  /** As it lies beside the session (`kept-start.ts`). */
  word: unknown
  /** Sealed where the user has a key. */
  rows: KeptRows
}

const scope = lastScope()
const root = document.getElementById('root')
// a frame has no screen (`send-others.ts`)
if (root && window.parent === window) paint(root)

function paint(place: HTMLElement): void {
  const kept = usableRows()
  if (!kept) return frame(place)
  place.dataset['shell'] = 'asking'
  let isOver = false
  const end = (opened: Opened | null) => {
    if (isOver) return
    isOver = true
    if (!opened || !putBack(place, opened, kept)) frame(place)
  }
  setTimeout(() => !isOver && drawFrame(place), FRAME_AFTER_MS)
  setTimeout(() => end(null), LONGEST_MS)
  readUser((user, word) => {
    if (user === null || user !== kept.user) return end(null)
    // the stored list may answer taps only if its token matches the one beside the session;
    // the drawn rows are shown either way (decision 0020)
    const isSaid = word?.said === kept.word
    const opening = openedRows(kept.rows, word?.key ?? null)
    void opening.then(({ nodes, list }) => end({ nodes, list: isSaid ? list : null })).catch(() => end(null))
  })
}

/** Of this build and this half of the day, for the usual list on a phone. */
function usableRows(): Kept | null {
  try {
    const scrolled = sessionStorage.getItem('genba:request-scroll')
    const isAtTop = scrolled === null || scrolled.startsWith('{"offset":0,')
    const isChanged = ['genba:request-filter', 'genba:request-done'].some((key) =>
      sessionStorage.getItem(key),
    )
    if (!isAtTop || isChanged) return null
    const kept = JSON.parse(localStorage.getItem(scoped(KEPT_START, scope)) ?? 'null') as Kept | null
    const isHere = location.pathname + location.search === '/request' && !isWide()
    return kept && isHere && kept.build === buildName() && kept.half === halfDay(Date.now()) ? kept : null
  } catch {
    return null
  }
}

/** Who is signed in on this device, and may see requests: by the session itself (decision 0004); and the word of what is kept. */
function readUser(tell: (id: string | null, word: Word | null) => void): void {
  const opening = indexedDB.open('genba-device')
  // there is none: the app makes it
  opening.addEventListener('upgradeneeded', () => opening.transaction?.abort())
  opening.addEventListener('error', () => tell(null, null))
  opening.addEventListener('success', () => {
    const database = opening.result
    try {
      const values = database.transaction('values').objectStore('values')
      const session = values.get(scoped('session', scope))
      const word = values.get(scoped(KEPT_WORD, scope))
      // IndexedDB answers in request order, so the session is read by now
      word.addEventListener('success', () =>
        tell(idOf(session.result), (word.result as Word | undefined) ?? null),
      )
      for (const each of [session, word]) each.addEventListener('error', () => tell(null, null))
    } catch {
      tell(null, null)
    }
    database.close()
  })
}

function idOf(session: { userInfo?: { id?: unknown; userFlag?: unknown } } | undefined): string | null {
  const { id, userFlag } = session?.userInfo ?? {}
  return typeof id === 'string' && typeof userFlag === 'number' && mayEnter(userFlag) ? id : null
}

/** @returns false where what was kept is not what this app keeps */
function putBack(place: KeptRoot, { nodes, list }: Opened, { user, half, rows }: Kept): boolean {
  try {
    place.replaceChildren(...nodesOf(nodes))
  } catch {
    return false
  }
  place.kept = { user: String(user), half, isSealed: typeof rows === 'string', nodes, list }
  keepPresses(place)
  place.dataset['shell'] = 'rows'
  requestAnimationFrame(() => setTimeout(() => performance.measure('app:first-rows', { start: 0 })))
  return true
}

function frame(place: HTMLElement): void {
  if (!place.hasChildNodes()) drawFrame(place)
  place.dataset['shell'] = 'frame'
}

function drawFrame(place: HTMLElement): void {
  let user: string | null = null
  let appName: string | null = null
  try {
    user = localStorage.getItem(scoped('genba:shell', scope))
    appName = localStorage.getItem('genba:app-name')
  } catch {
    // no storage: the app says so
  }
  const name = user === null || location.pathname === '/login' ? 'shell-login' : 'shell-app'
  const template = document.getElementById(name)
  if (template instanceof HTMLTemplateElement) place.append(template.content.cloneNode(true))
  if (name === 'shell-login') fetchAhead(document, 'login')
  else sayTitle(place)
  const plate = place.querySelector('.login-plate_name')
  if (plate && appName !== null) plate.textContent = appName
}

/** Whoever comes back to a form, because the phone had put the page away, sees at once where they are. */
function sayTitle(place: HTMLElement): void {
  const heading = place.querySelector('.app-bar_title')
  const title = titleOf(location.pathname)
  // beside a list and a rail it would stand elsewhere
  if (!heading || title === null || isWide()) return
  heading.textContent = title
  heading.classList.toggle('app-bar_long', title.includes('変更依頼'))
}

function isWide(): boolean {
  return matchMedia('(min-width: 900px)').matches
}
