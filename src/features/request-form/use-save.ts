import { useLingui } from '@lingui/react'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { distinctUntilChanged, map, takeWhile } from 'rxjs'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import { noting, type Saver } from '#data/changes/changes.ts'
import { maySave, type FormAction, type FormSlug } from '#data/changes/offline-policy.ts'
import { useOpenedLocation } from '#data/context/use-leave-form.ts'
import { saveDraft, type DraftTarget } from '#data/drafts/save-draft.ts'
import { useSaver } from '#data/context/use-saver.ts'
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

interface OwnDraft {
  key: string
  target?: DraftTarget
  /** Resolves once the photos' removals are stored; rejects if the device refused one. */
  settled?: () => Promise<unknown>
  /** Called before the save. Resolves to false if the form must not be saved; a banner then says why. */
  ready?: () => Promise<boolean>
}

export interface Save {
  /** Undefined if the form has no input. */
  draft?: OwnDraft
  /** The reason why saving is no longer allowed, and a function that leaves the form. */
  bar?: { text: string; go: () => Promise<void> } | null
  /** Writes the change. @returns a message if nothing was saved because saving is no longer possible */
  write: (saver: Saver, recordKey: string) => Promise<string | void>
  leave: () => Promise<void> | void
}

type End = void | 'not-saved'

/**
 * Returns the save function of a request's form. A save that is not allowed offline leads to the forbidden screen. If
 * the device fails to save, a banner says why. If the user leaves meanwhile, the app does not navigate.
 */
export function useSave(slug: FormSlug, action: FormAction): (save: Save) => Promise<End> {
  const { flash, online } = useServices()
  const router = useRouter()
  const saver = useSaver()
  const data = useUserData()
  const { isHere, isMounted, href } = useOpenedLocation()
  const { i18n } = useLingui()
  const showFailure = useSaveFailure(isMounted)
  const saveReady = async ({ draft, bar, write, leave }: Save): Promise<End> => {
    const draftKey = draft?.key ?? null
    const goIfHere = (navigate: Save['leave']) => (isHere() ? navigate() : undefined)
    const leaveBarred = async (navigate: Save['leave'], why?: string): Promise<End> => {
      // The banner says that the draft keeps the input.
      if (isHere() && draftKey !== null) flash.put(INPUT_IN_DRAFTS, inputInDraftsBanner(i18n))
      if (why !== undefined) flash.show('danger', why)
      await goIfHere(navigate)
      return 'not-saved'
    }
    if (!maySave(slug, action, online.get())) return leaveBarred(() => router.navigate({ to: '/forbidden' }))
    if (bar) return leaveBarred(bar.go, bar.text)
    const ownSaver = saver()
    if (!ownSaver || !data) {
      await showFailure(null, null)
      return 'not-saved'
    }
    const { saver: notingSaver, stamps } = noting(ownSaver)
    const submitted = draft ? data.drafts.submitted(draft.key) : null
    const saveAll = async () => {
      if (!submitted) return write(notingSaver, '')
      // The save waits for the draft's last write, and for the removals of photos.
      const kept = Promise.all([submitted.kept, draft?.settled?.()])
      const place = { ...notingSaver, bytes: data.bytes }
      return saveDraft(place, { ...submitted, kept }, draft?.target ?? null, (recordKey) =>
        write(notingSaver, recordKey),
      )
    }
    const timer = setTimeout(() => flash.put(UNSAVED, notYetBanner(i18n)), LONG_WAIT_MS)
    try {
      const failureText = await saveAll().finally(() => clearTimeout(timer))
      flash.remove(UNSAVED)
      if (failureText) flash.show('danger', failureText)
      else data.saved(stamps, href, submitted)
    } catch (error) {
      await showFailure(error, draftKey)
      return 'not-saved'
    }
    return goIfHere(leave)
  }
  return async (save) => {
    const isReady = (await save.draft?.ready?.()) ?? true
    const isLeft = !isHere()
    const end = isReady ? await saveReady(save) : 'not-saved'
    // A banner that gives the reason is not replaced.
    if (end === 'not-saved' && isLeft && save.draft && !flash.has(UNSAVED))
      putUnsaved(flash, UNSAVED, closedFormBanner(i18n))
    return end
  }
}

/** The failed save that the current banner reports while the form is open. */
interface ShownFailure {
  text: string
  isFull: boolean
  sentPhotos: number
  key: string | null
}

/** Returns a function that shows why a save failed (`error`: null without the user's data) and where the input is. */
function useSaveFailure(isMounted: () => boolean) {
  const { i18n } = useLingui()
  const { flash, errorLog } = useServices()
  const data = useUserData()
  const shown = useRef<ShownFailure | null>(null)
  const onUnmount = useEffectEvent(() => {
    const before = shown.current
    shown.current = null
    if (!before || !isShown(flash, before.text)) return
    if (before.key === null || !data)
      return flash.put(UNSAVED, unsavedBanner(i18n, { ...before, inputIn: 'no' }))
    followDraft(data.db, flash, before.key, before.text, unsavedBanner(i18n, { ...before, inputIn: 'draft' }))
  })
  useEffect(() => () => onUnmount(), [])
  return async (error: unknown, key: string | null): Promise<void> => {
    const isFull = error !== null && (await isStorageFull(error, navigator.storage))
    if (error !== null && !isFull) errorLog.note(error)
    const sentPhotos = isFull ? await (data?.bytes.cachedBytes().catch(() => 0) ?? 0) : 0
    const inputIn = isMounted() ? 'form' : key === null ? 'no' : 'draft'
    const banner = unsavedBanner(i18n, { isFull, inputIn, sentPhotos })
    putUnsaved(flash, UNSAVED, banner)
    if (inputIn === 'form') shown.current = { text: banner.text, isFull, sentPhotos, key }
  }
}

const isShown = (flash: FlashStore, text: string) => flash.at(UNSAVED)?.text === text

/** Replaces the shown banner by one that names the draft, until the draft is discarded or another banner is shown. */
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
