import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useServices, useUserData } from '#data/app-context.tsx'
import type { Saver } from '#data/changes.ts'
import { maySave, type FormAction, type FormSlug } from '#data/offline-policy.ts'
import { noting, useSaver } from '#data/use-saver.ts'
import { isStorageFull } from './storage-full.ts'

interface Save {
  /** Why it may not be saved any more, and where that leads. */
  bar?: { text: string; go: () => Promise<void> } | null
  /** @returns a text where there is nothing to save any more: it is said instead */
  write: (saver: Saver) => Promise<string | void>
  leave: () => Promise<void> | void
}

const UNSAVED = 'unsaved'

/**
 * The save of a form of a request, by the table of what one may do without a signal. What becomes of it, the app's banner
 * tells (app/tell-saves). A save that fails on the device is said here, whatever the reason; the form stays as it is.
 */
export function useSave(slug: FormSlug, action: FormAction): (save: Save) => Promise<void | 'not-saved'> {
  const { flash, online } = useServices()
  const navigate = useNavigate()
  const saver = useSaver()
  const data = useUserData()
  const fail = useTellUnsaved()
  return async ({ bar, write, leave }) => {
    if (!maySave(slug, action, online.get())) {
      await navigate({ to: '/forbidden' })
      return 'not-saved'
    }
    if (bar) {
      flash.show('danger', bar.text)
      return bar.go()
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
      else data.saved(noted.stamps)
    } catch (error) {
      await fail(error)
      return 'not-saved'
    }
    return leave()
  }
}

/** Says that a save failed on the device, why where that is known, and what to do. */
function useTellUnsaved(): (error: unknown) => Promise<void> {
  const { t } = useLingui()
  const { flash, errorLog } = useServices()
  const title = t`端末に保存できませんでした`
  return async (error) => {
    const isFull = error !== null && (await isStorageFull(error, navigator.storage))
    if (error !== null && !isFull) errorLog.note(error)
    const full = t`端末の空き容量が足りません。入力した内容はこの画面に残っています。使わないアプリや写真を端末から消して、もう一度保存してください。`
    const other = t`入力した内容はこの画面に残っています。もう一度保存してください。続くときは、ほかのタブを閉じてください。`
    flash.put(UNSAVED, { mode: 'danger', title, text: isFull ? full : other, stays: true })
  }
}
