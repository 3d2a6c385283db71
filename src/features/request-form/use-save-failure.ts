import { useLingui } from '@lingui/react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { distinctUntilChanged, map, takeWhile } from 'rxjs'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import type { FlashStore } from '#data/context/flash-store.ts'
import type { Database } from '#data/database/database.ts'
import { LONG_WAIT_MS } from '#lib/time/user-timing.ts'
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

/** The failed save that the current banner reports while the form is open. */
interface ShownFailure {
  text: string
  isFull: boolean
  sentPhotos: number
  /** Key of the draft; null without autosave. */
  key: string | null
}

/**
 * Shows the banners about a save that failed on the device: the reason, if known, and where the input is now. After the
 * form closes, the banner says that the input is in the draft.
 * @param isMounted true while the form is on screen
 */
export function useSaveFailure(isMounted: () => boolean) {
  const { i18n } = useLingui()
  const { flash, errorLog } = useServices()
  const data = useUserData()
  const shown = useRef<ShownFailure | null>(null)
  // Called when the form closes: the banner then says that the input is in the draft, or lost.
  const leave = () => {
    const before = shown.current
    shown.current = null
    if (!before || !isShown(flash, before.text)) return
    if (before.key === null || !data)
      return flash.put(UNSAVED, unsavedBanner(i18n, { ...before, inputIn: 'no' }))
    followDraft(data.db, flash, before.key, before.text, unsavedBanner(i18n, { ...before, inputIn: 'draft' }))
  }
  const onUnmount = useEffectEvent(leave)
  useEffect(() => () => onUnmount(), [])
  return {
    /** Runs `write` and warns if it takes longer than LONG_WAIT_MS. @returns the result of `write` */
    async whileSaving<T>(write: () => Promise<T>): Promise<T> {
      const timer = setTimeout(() => flash.put(UNSAVED, notYetBanner(i18n)), LONG_WAIT_MS)
      return write().finally(() => clearTimeout(timer))
    },
    /**
     * Shows why the device failed to save.
     * @param error null if the user's data is not open
     * @param key the draft's key; null without autosave
     */
    async failed(error: unknown, key: string | null): Promise<void> {
      const isFull = error !== null && (await isStorageFull(error, navigator.storage))
      if (error !== null && !isFull) errorLog.note(error)
      const sentPhotos = isFull ? await (data?.bytes.cachedBytes().catch(() => 0) ?? 0) : 0
      const inputIn = isMounted() ? 'form' : key === null ? 'no' : 'draft'
      const banner = unsavedBanner(i18n, { isFull, inputIn, sentPhotos })
      putUnsaved(flash, UNSAVED, banner)
      if (inputIn === 'form') shown.current = { text: banner.text, isFull, sentPhotos, key }
    },
    /** Says that the draft keeps the input, because saving is no longer allowed and the form closes. */
    barred(key: string | null): void {
      if (key !== null) flash.put(INPUT_IN_DRAFTS, inputInDraftsBanner(i18n))
    },
    /**
     * Says that nothing was saved, for a user who has already left the form. A banner that gives the reason is not
     * replaced.
     */
    left(key: string | null): void {
      if (key !== null && !flash.has(UNSAVED)) putUnsaved(flash, UNSAVED, closedFormBanner(i18n))
    },
  }
}

const isShown = (flash: FlashStore, text: string) => flash.at(UNSAVED)?.text === text

/**
 * Replaces the shown banner by one that names the draft, and removes the new banner when the draft is discarded. Does
 * nothing once a different banner is shown.
 * @param before text of the shown banner
 */
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
    takeWhile(() => isShown(flash, text)),
    takeWhile((hasDraft) => hasDraft, true),
  )
  hasDraft$.subscribe((hasDraft) => {
    if (!hasDraft) return flash.remove(UNSAVED)
    text = banner.text
    flash.put(UNSAVED, banner)
  })
}
