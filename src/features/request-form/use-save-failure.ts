import { useLingui } from '@lingui/react'
import { useEffect, useRef } from 'react'
import { distinctUntilChanged, map, takeWhile } from 'rxjs'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import type { FlashStore } from '#data/context/flash-store.ts'
import type { Database } from '#data/database/database.ts'
import { LONG_WAIT_MS } from '#lib/time/long-wait.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import {
  INPUT_IN_DRAFTS,
  inputInDraftsBanner,
  closedFormBanner,
  notYetBanner,
  putUnsaved,
  UNSAVED,
  unsavedBanner,
} from '#messages/unsaved.ts'

/** The message that a form has shown about its save. */
interface Said {
  text: string
  isFull: boolean
  sentPhotos: number
  /** Key of the draft; null without autosave. */
  key: string | null
}

/**
 * Tells the user that a save failed on the device, why if known, and where the input is now. The message follows the
 * input: it changes when the form closes and the draft remains.
 * @param isMounted true while the form is on screen
 */
export function useSaveFailure(isMounted: () => boolean) {
  const { i18n } = useLingui()
  const { flash, errorLog } = useServices()
  const data = useUserData()
  const said = useRef<Said | null>(null)
  const leave = () => {
    const before = said.current
    said.current = null
    if (!before || !isSaid(flash, before.text)) return
    if (before.key === null || !data)
      return flash.put(UNSAVED, unsavedBanner(i18n, { ...before, inputIn: 'no' }))
    followDraft(data.db, flash, before.key, before.text, unsavedBanner(i18n, { ...before, inputIn: 'draft' }))
  }
  const latest = useRef(leave)
  useEffect(() => {
    latest.current = leave
  })
  useEffect(() => () => latest.current(), [])
  return {
    /** Runs `write`, and shows a warning if it takes longer than LONG_WAIT_MS. @returns the result of `write` */
    async saying<T>(write: () => Promise<T>): Promise<T> {
      const timer = setTimeout(() => flash.put(UNSAVED, notYetBanner(i18n)), LONG_WAIT_MS)
      return write().finally(() => clearTimeout(timer))
    },
    /** @param error null if the user's data is not open @param key of the draft; null without autosave */
    async failed(error: unknown, key: string | null): Promise<void> {
      const isFull = error !== null && (await isStorageFull(error, navigator.storage))
      if (error !== null && !isFull) errorLog.note(error)
      const sentPhotos = isFull ? await (data?.bytes.cachedBytes().catch(() => 0) ?? 0) : 0
      const inputIn = isMounted() ? 'form' : key === null ? 'no' : 'draft'
      const banner = unsavedBanner(i18n, { isFull, inputIn, sentPhotos })
      putUnsaved(flash, UNSAVED, banner)
      if (inputIn === 'form') said.current = { text: banner.text, isFull, sentPhotos, key }
    },
    /** Says that the input stays in the drafts, if saving is no longer allowed and the form closes. */
    barred(key: string | null): void {
      if (key !== null) flash.put(INPUT_IN_DRAFTS, inputInDraftsBanner(i18n))
    },
    /**
     * Says that nothing was saved, if the user left the form during the save. An existing banner with the reason stays.
     */
    left(key: string | null): void {
      if (key !== null && !flash.has(UNSAVED)) putUnsaved(flash, UNSAVED, closedFormBanner(i18n))
    },
  }
}

const isSaid = (flash: FlashStore, text: string) => flash.at(UNSAVED)?.text === text

/** After the form has closed, points the banner to the draft; removes the banner if the draft was discarded. */
function followDraft(
  db: Database,
  flash: FlashStore,
  key: string,
  before: string,
  banner: ReturnType<typeof unsavedBanner>,
): void {
  let text = before
  const hasDraft$ = db.drafts.findOne(key).$.pipe(
    map((draft) => draft !== null),
    distinctUntilChanged(),
    takeWhile(() => isSaid(flash, text)),
    takeWhile((hasDraft) => hasDraft, true),
  )
  hasDraft$.subscribe((hasDraft) => {
    if (!hasDraft) return flash.remove(UNSAVED)
    text = banner.text
    flash.put(UNSAVED, banner)
  })
}
