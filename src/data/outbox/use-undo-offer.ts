import { useLingui } from '@lingui/react/macro'
import { useServices } from '#data/context/app-context.tsx'
import type { UndoOffer } from '#data/drafts/drafts.ts'

/**
 * Returns a function that shows an offer to undo (元に戻す) in a banner. That function returns another one, which ends the
 * offer. The offer also ends with the banner.
 */
export function useOfferUndo(): (text: string, offer: UndoOffer) => () => void {
  const { t } = useLingui()
  const { flash, newId, errorLog } = useServices()
  return (text, { back, forget }) => {
    const key = `way-back ${newId()}`
    let isOpen = false
    const end = () => {
      if (!isOpen) return
      isOpen = false
      flash.remove(key)
      forget().catch(errorLog.note)
    }
    const put = () => {
      isOpen = true
      flash.put(key, { mode: 'info', text, act: { text: t`元に戻す`, run }, onRemoved: end })
    }
    const run = () => {
      if (!isOpen) return
      isOpen = false
      flash.remove(key)
      const explain = (how: 'back' | 'tooLate') =>
        how === 'tooLate' && flash.show('info', t`すでに送信されていたため、破棄していません。`)
      void back().then(explain, (error: unknown) => {
        put()
        throw error
      })
    }
    put()
    return end
  }
}
