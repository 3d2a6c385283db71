import { useRouter } from '@tanstack/react-router'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import { noting, type Saver } from '#data/changes/changes.ts'
import { maySave, type FormAction, type FormSlug } from '#data/changes/offline-policy.ts'
import { useOpenedLocation } from '#data/context/use-leave-form.ts'
import { saveDraft, type DraftTarget } from '#data/drafts/save-draft.ts'
import { useSaver } from '#data/context/use-saver.ts'
import { UNSAVED } from '#messages/unsaved.ts'
import { useSaveFailure } from './use-save-failure.ts'

/** The draft that the save deletes. */
interface OwnDraft {
  key: string
  /** For a form with photos: the record that the save creates or changes. */
  target?: DraftTarget
  /** Resolves once the photos' removals are stored; rejects if the device refused one. */
  settled?: () => Promise<unknown>
}

interface Save {
  /** Undefined if the form has no input. */
  draft?: OwnDraft
  /** Called before the save. Resolves to false if the form must not be saved; a banner then says why. */
  ready?: () => Promise<boolean>
  /** The reason why saving is no longer allowed, and a function that leaves the form. */
  bar?: { text: string; go: () => Promise<void> } | null
  /**
   * Writes the change. `recordKey` is the key of the draft's target; '' without a draft.
   * @returns a message if nothing was saved because saving is no longer possible
   */
  write: (saver: Saver, recordKey: string) => Promise<string | void>
  leave: () => Promise<void> | void
}

type End = void | 'not-saved'

/**
 * Returns the save function of a request's form. A save that is not allowed offline leads to the forbidden screen. If
 * the device fails to save, a banner says why and the form stays open. If the user leaves during the save, the app does
 * not navigate. `app/shell/save-notifications.ts` later says if the change was sent.
 */
export function useSave(slug: FormSlug, action: FormAction): (save: Save) => Promise<End> {
  const { flash, online } = useServices()
  const router = useRouter()
  const saver = useSaver()
  const data = useUserData()
  const { isHere, isMounted, href } = useOpenedLocation()
  const unsaved = useSaveFailure(isMounted)
  const saveReady = async ({ draft, bar, write, leave }: Save): Promise<End> => {
    const draftKey = draft?.key ?? null
    const goIfHere = (navigate: Save['leave']) => (isHere() ? navigate() : undefined)
    const leaveBarred = async (navigate: Save['leave'], why?: string): Promise<End> => {
      if (isHere()) unsaved.barred(draftKey)
      if (why !== undefined) flash.show('danger', why)
      await goIfHere(navigate)
      // The draft is not deleted, because the user may still need the input.
      return 'not-saved'
    }
    if (!maySave(slug, action, online.get())) return leaveBarred(() => router.navigate({ to: '/forbidden' }))
    if (bar) return leaveBarred(bar.go, bar.text)
    const ownSaver = saver()
    if (!ownSaver || !data) {
      await unsaved.failed(null, null)
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
    try {
      const failureText = await unsaved.whileSaving(saveAll)
      flash.remove(UNSAVED)
      if (failureText) flash.show('danger', failureText)
      else data.saved(stamps, href, submitted)
    } catch (error) {
      await unsaved.failed(error, draftKey)
      return 'not-saved'
    }
    return goIfHere(leave)
  }
  return async (save) => {
    const isReady = !save.ready || (await save.ready())
    // The user may have left while picked files were read.
    const isLeft = !isHere()
    const end = isReady ? await saveReady(save) : 'not-saved'
    if (end === 'not-saved' && isLeft) unsaved.left(save.draft?.key ?? null)
    return end
  }
}
