import { useLingui } from '@lingui/react'
import { useRouter } from '@tanstack/react-router'
import { useServices, useUserData } from '#data/app-context.tsx'
import type { Saver } from '#data/changes.ts'
import { maySave, type FormAction, type FormSlug } from '#data/offline-policy.ts'
import { noting, useSaver } from '#data/use-saver.ts'
import { isStorageFull } from '#lib/storage-full.ts'
import { putUnsaved, UNSAVED, unsavedBanner } from '#messages/unsaved.ts'

interface Save {
  /** Why it may not be saved any more, and where that leads. */
  bar?: { text: string; go: () => Promise<void> } | null
  /** @returns a text where there is nothing to save any more: it is said instead */
  write: (saver: Saver) => Promise<string | void>
  leave: () => Promise<void> | void
}

/**
 * The save of a form of a request, by the table of what one may do without a signal. What becomes of it, the app's banner
 * tells (app/tell-saves). A save that fails on the device is said here, whatever the reason; the form stays as it is.
 */
export function useSave(slug: FormSlug, action: FormAction): (save: Save) => Promise<void | 'not-saved'> {
  const { flash, online } = useServices()
  const router = useRouter()
  const saver = useSaver()
  const data = useUserData()
  const fail = useTellUnsaved()
  return async ({ bar, write, leave }) => {
    if (!maySave(slug, action, online.get())) {
      await router.navigate({ to: '/forbidden' })
      return 'not-saved'
    }
    if (bar) {
      flash.show('danger', bar.text)
      await bar.go()
      // what was typed stays kept: who was barred may still need it
      return 'not-saved'
    }
    const parts = saver()
    if (!parts || !data) {
      await fail(null)
      return 'not-saved'
    }
    const noted = noting(parts)
    try {
      const said = await write(noted.saver)
      flash.remove(UNSAVED)
      if (said) flash.show('danger', said)
      else data.saved(noted.stamps, router.state.location.href)
    } catch (error) {
      await fail(error)
      return 'not-saved'
    }
    return leave()
  }
}

/** Says that a save failed on the device, why where that is known, and what to do. */
function useTellUnsaved(): (error: unknown) => Promise<void> {
  const { i18n } = useLingui()
  const { flash, errorLog } = useServices()
  const data = useUserData()
  return async (error) => {
    const isFull = error !== null && (await isStorageFull(error, navigator.storage))
    if (error !== null && !isFull) errorLog.note(error)
    const sentPhotos = isFull ? await (data?.bytes.cachedBytes().catch(() => 0) ?? 0) : 0
    putUnsaved(flash, UNSAVED, unsavedBanner(i18n, { isFull, inForm: true, sentPhotos }))
  }
}
