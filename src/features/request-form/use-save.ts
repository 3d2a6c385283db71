import { useRouter } from '@tanstack/react-router'
import { useServices, useUserData } from '#data/app-context.tsx'
import { noting, type Saver } from '#data/changes.ts'
import { maySave, type FormAction, type FormSlug } from '#data/offline-policy.ts'
import { useOpenedLocation } from '#data/use-opened-location.ts'
import { saveDraft, type DraftTarget } from '#data/save-draft.ts'
import { useSaver } from '#data/use-saver.ts'
import { UNSAVED } from '#messages/unsaved.ts'
import { useTellUnsaved } from './use-tell-unsaved.ts'

/** What is typed into a form, as its save ends it. */
interface OwnDraft {
  key: string
  /** Of a form with photos: the record that is made or changed. */
  target?: DraftTarget
  /** Settles once the draft has what was taken out of it; rejects where the device did not take that. */
  settled?: () => Promise<unknown>
}

interface Save {
  /** Left out where nothing is typed. */
  draft?: OwnDraft
  /** What has to end first; false: it was said why there is nothing to save. */
  ready?: () => Promise<boolean>
  /** Why it may not be saved any more, and where that leads. */
  bar?: { text: string; go: () => Promise<void> } | null
  /**
   * Writes the change of the record, by the key of the draft's target.
   * @returns a text where there is nothing to save any more: it is said instead
   */
  write: (saver: Saver, recordKey: string) => Promise<string | void>
  leave: () => Promise<void> | void
}

type End = void | 'not-saved'

/**
 * The save of a form of a request, by the table of what one may do without a signal. What becomes of it, the app's banner
 * tells (app/shell/tell-saves). A save that fails on the device is said here, whatever the reason; the form stays as it is. Whoever
 * has left while it was being saved is led nowhere from where they are, and told where it came to nothing.
 */
export function useSave(slug: FormSlug, action: FormAction): (save: Save) => Promise<End> {
  const { flash, online } = useServices()
  const router = useRouter()
  const saver = useSaver()
  const data = useUserData()
  const { isHere, isMounted, href } = useOpenedLocation()
  const unsaved = useTellUnsaved(isMounted)
  const write = async ({ draft, bar, write: writeOf, leave }: Save): Promise<End> => {
    const draftKey = draft?.key ?? null
    const go = (way: Save['leave']) => (isHere() ? way() : undefined)
    const leaveBarred = async (way: Save['leave'], why?: string): Promise<End> => {
      if (isHere()) unsaved.barred(draftKey)
      if (why !== undefined) flash.show('danger', why)
      await go(way)
      // what was typed stays kept: who was barred may still need it
      return 'not-saved'
    }
    if (!maySave(slug, action, online.get())) return leaveBarred(() => router.navigate({ to: '/forbidden' }))
    if (bar) return leaveBarred(bar.go, bar.text)
    const parts = saver()
    if (!parts || !data) {
      await unsaved.failed(null, null)
      return 'not-saved'
    }
    const noted = noting(parts)
    const form = draft ? data.drafts.submitted(draft.key) : null
    const settled = draft?.settled?.()
    const saved = (recordKey: string) => writeOf(noted.saver, recordKey)
    const place = { ...noted.saver, bytes: data.bytes }
    try {
      const said = await unsaved.saying(async () =>
        form
          ? saveDraft(
              place,
              { ...form, kept: Promise.all([form.kept, settled]) },
              draft?.target ?? null,
              saved,
            )
          : saved(''),
      )
      flash.remove(UNSAVED)
      if (said) flash.show('danger', said)
      else data.saved(noted.stamps, href, form)
    } catch (error) {
      await unsaved.failed(error, draftKey)
      return 'not-saved'
    }
    return go(leave)
  }
  return async (save) => {
    const isReady = !save.ready || (await save.ready())
    const isLeft = !isHere()
    const end = isReady ? await write(save) : 'not-saved'
    if (end === 'not-saved' && isLeft) unsaved.left(save.draft?.key ?? null)
    return end
  }
}
