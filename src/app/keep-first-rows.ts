/**
 * The list as it was last seen is kept for the next start: as it stands in the document, for the first paint, and what it was
 * drawn of, for the app (decisions 0020, 0105).
 *
 *     list settled ─→ kept    anything about to be written, another user, logout ─→ dropped
 *
 * Only the usual list on a phone: no popup, no other filter, not scrolled, and nothing where the screen is locked when it is
 * left (decision 0084). It is shown within the same half of the day only: at midnight the day is another, and at 12:00 what
 * was left of yesterday goes from the list.
 */
import type { Observable } from 'rxjs'
import type { UserData } from '#data/app-context.tsx'
import { affectsList, listCollections } from '#data/list-dependencies.ts'
import { keptList } from '#data/first-list.ts'
import { outboxQuery, visitListQuery } from '#data/first-queries.ts'
import { debounced } from '#lib/debounced.ts'
import { isSame } from '#lib/is-same.ts'
import { halfDay } from '#lib/tokyo-time.ts'
import type { Booted } from './boot.ts'
import { buildName } from './build-name.ts'
import { keepStartFiles } from './keep-start-files.ts'
import { shellUser } from './kept-shell.ts'
import { keptNodes, listNodes } from './kept-nodes.ts'
import { sealedRows, type Opened } from './sealed-first-rows.ts'

/** What makes the list of this tab another one; `first-paint.ts` asks for them, too. */
const OTHER_LOOKS = ['genba:request-filter', 'genba:request-done']
const SETTLED_MS = 1_000

type Keeping = Pick<Booted, 'keptStart' | 'services'>

/** For the next start: what this one loaded, and the list as it stands, whenever it has settled, from now on. @returns stops it */
export function keepFirstRows(
  root: HTMLElement,
  data: UserData,
  { keptStart, services }: Keeping,
): () => void {
  keepStartFiles()
  const ended = new AbortController()
  let stopWatching = () => undefined as void
  const settling = debounced(() => {
    const now = services.clock.now()
    const list = listNow(data, now)
    stopWatching()
    // not read yet: the screen shows what was kept before, and that stays kept
    if (list === undefined) return
    stopWatching = watchDrawn(data, () => {
      if (!isSame(listNow(data, now), list)) behind()
    })
    void keep({
      root,
      data,
      list,
      keptStart,
      now,
      isLockSet: services.lock.isSet,
      ended: ended.signal,
    }).catch(keptStart.drop)
  }, SETTLED_MS)
  function behind() {
    stopWatching()
    keptStart.drop()
    settling.soon()
  }
  const observer = new MutationObserver(settling.soon)
  observer.observe(root, { childList: true, subtree: true, characterData: true })
  // the list may stand already
  settling.soon()
  // what another tab has written may show on no screen of this one
  const told = listCollections.map((name) =>
    (data.db[name].$ as Observable<Told>).subscribe(({ documentData, previousDocumentData }) => {
      if (affectsList(name, [{ document: documentData, previous: previousDocumentData }])) behind()
    }),
  )
  return () => {
    ended.abort()
    settling.cancel()
    stopWatching()
    observer.disconnect()
    for (const each of told) each.unsubscribe()
  }
}

/** What RxDB says of a write. */
interface Told {
  documentData: object
  previousDocumentData?: object
}

type List = ReturnType<typeof keptList>

/** Undefined until all of it was read. */
function listNow({ live }: UserData, now: number): List | undefined {
  const list = live.store(visitListQuery.key, visitListQuery.query).get()
  const counted = live.store(outboxQuery.key, outboxQuery.query).get()
  return list && counted && keptList(list, counted, now)
}

/** Told when the queries give something: it may be late of what was written before. @returns stops it */
function watchDrawn({ live }: UserData, told: () => void): () => void {
  const stops = [visitListQuery, outboxQuery].map(({ key, query }) =>
    live.store<unknown>(key, query).subscribe(told),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

interface Keep extends Pick<Keeping, 'keptStart'> {
  root: HTMLElement
  data: UserData
  list: List
  now: number
  isLockSet: () => boolean
  ended: AbortSignal
}

async function keep({ root, data, list, keptStart, now, isLockSet, ended }: Keep): Promise<void> {
  const isUsual = location.pathname + location.search === '/request' && window.scrollY === 0
  const isPhone = !matchMedia('(min-width: 900px)').matches
  if (isLockSet()) return keptStart.drop()
  if (!isUsual || !isPhone || OTHER_LOOKS.some((key) => sessionStorage.getItem(key))) return
  if (!root.querySelector('[data-index]')) return
  const begun = keptStart.turn()
  const user = shellUser()
  const opened: Opened = { nodes: keptNodes(listNodes(root)), list }
  const half = halfDay(now)
  const isSealed = (await data.sealer.keyId()) !== null
  const kept = { half, isSealed, ...opened }
  if (keptStart.has(kept)) return
  const key = isSealed ? await keptStart.key() : null
  const rows = key ? await sealedRows(key, opened) : opened
  // meanwhile somebody has left
  if (ended.aborted || shellUser() !== user || isLockSet()) return
  await keptStart.keep(begun, { build: buildName(), half, user, rows }, key, kept)
}
