import { useLingui } from '@lingui/react'
import { useEffect, useRef } from 'react'
import { distinctUntilChanged, map, takeWhile } from 'rxjs'
import { type Services, useServices, useUserData } from '#data/app-context.tsx'
import type { Database } from '#data/database.ts'
import { LONG_WAIT_MS } from '#lib/time/long-wait.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import {
  KEPT_TYPED,
  keptBanner,
  leftUnsavedBanner,
  notYetBanner,
  putUnsaved,
  UNSAVED,
  unsavedBanner,
} from '#messages/unsaved.ts'

/** What a form has said of its save. */
interface Said {
  text: string
  isFull: boolean
  sentPhotos: number
  /** Of its draft; null where it keeps none. */
  key: string | null
}

/**
 * Says that a save came to nothing on the device, why where that is known, and what to do: where what was typed is, also of a
 * form that was left meanwhile, or is left afterwards (to make room).
 * @param isMounted the form is still on the screen
 */
export function useTellUnsaved(isMounted: () => boolean) {
  const { i18n } = useLingui()
  const { flash, errorLog } = useServices()
  const data = useUserData()
  const said = useRef<Said | null>(null)
  const leave = () => {
    const before = said.current
    said.current = null
    if (!before || !isSaid(flash, before.text)) return
    if (before.key === null || !data)
      return flash.put(UNSAVED, unsavedBanner(i18n, { ...before, kept: 'no' }))
    followDraft(data.db, flash, before.key, before.text, unsavedBanner(i18n, { ...before, kept: 'draft' }))
  }
  const latest = useRef(leave)
  useEffect(() => {
    latest.current = leave
  })
  useEffect(() => () => latest.current(), [])
  return {
    /** @returns `write` as it ends; where it does not for long, that is said, and that nothing is saved yet */
    async saying<T>(write: () => Promise<T>): Promise<T> {
      const timer = setTimeout(() => flash.put(UNSAVED, notYetBanner(i18n)), LONG_WAIT_MS)
      return write().finally(() => clearTimeout(timer))
    },
    /**
     * @param error null: the user's data is not open
     * @param key of the draft; null where nothing of the form is kept
     */
    async failed(error: unknown, key: string | null): Promise<void> {
      const isFull = error !== null && (await isStorageFull(error, navigator.storage))
      if (error !== null && !isFull) errorLog.note(error)
      const sentPhotos = isFull ? await (data?.bytes.cachedBytes().catch(() => 0) ?? 0) : 0
      const kept = isMounted() ? 'form' : key === null ? 'no' : 'draft'
      const banner = unsavedBanner(i18n, { isFull, kept, sentPhotos })
      putUnsaved(flash, UNSAVED, banner)
      if (kept === 'form') said.current = { text: banner.text, isFull, sentPhotos, key }
    },
    /** It cannot be saved any more, and leads away: what was typed is not lost. */
    barred(key: string | null): void {
      if (key !== null) flash.put(KEPT_TYPED, keptBanner(i18n))
    },
    /** The form was left by then, and why nothing was saved was said: who has left still thinks that it was. */
    left(key: string | null): void {
      if (key !== null && !flash.has(UNSAVED)) putUnsaved(flash, UNSAVED, leftUnsavedBanner(i18n))
    },
  }
}

const isSaid = (flash: Pick<Services['flash'], 'at'>, text: string) => flash.at(UNSAVED)?.text === text

/** The form was left: what was typed is a draft, unless it was given up, and the banner goes with that. */
function followDraft(
  db: Database,
  flash: Services['flash'],
  key: string,
  before: string,
  banner: ReturnType<typeof unsavedBanner>,
): void {
  let text = before
  const isKept$ = db.drafts.findOne(key).$.pipe(
    map((draft) => draft !== null),
    distinctUntilChanged(),
    takeWhile(() => isSaid(flash, text)),
    takeWhile((isKept) => isKept, true),
  )
  isKept$.subscribe((isKept) => {
    if (!isKept) return flash.remove(UNSAVED)
    text = banner.text
    flash.put(UNSAVED, banner)
  })
}
