import { useLingui } from '@lingui/react/macro'
import { useServices } from '#data/context/app-context.tsx'
import type { UndoOffer } from '#data/drafts/drafts.ts'

/**
 * Returns a function that shows a banner with the button 元に戻す. The offer ends with the banner, or when the caller
 * calls the function that `offerUndo` returns.
 */
export function useOfferUndo(): (text: string, offer: UndoOffer) => () => void {
  const { t } = useLingui()
  const { flash, newId, errorLog } = useServices()
  return function offerUndo(text, { back, forget }) {
    const key = `way-back ${newId()}`
    // False while the undo runs and after the offer has ended, so that removing the banner does not end it again.
    let isOpen = false
    const show = () => {
      isOpen = true
      flash.put(key, { mode: 'info', text, act: { text: t`元に戻す`, run: undo }, onRemoved: end })
    }
    const hide = () => {
      isOpen = false
      flash.remove(key)
    }
    const end = () => {
      if (!isOpen) return
      hide()
      forget().catch(errorLog.note)
    }
    const undo = () => {
      if (!isOpen) return
      hide()
      const explain = (how: 'back' | 'tooLate') =>
        how === 'tooLate' && flash.show('info', t`すでに送信されていたため、破棄していません。`)
      void back().then(explain, (error: unknown) => {
        show()
        throw error
      })
    }
    show()
    return end
  }
}
