import { useLingui } from '@lingui/react/macro'
import { useServices } from '#data/context/app-context.tsx'
import type { UndoOffer } from '#data/changes/undo-offer.ts'

/**
 * Offers the way back from something that was done at once: a banner with 元に戻す, for as long as a banner stays.
 * @returns takes a text and the way back; gives what ends the offer before its time
 */
export function useOfferUndo(): (text: string, way: UndoOffer) => () => void {
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
      flash.put(key, { mode: 'info', text, act: { text: t`元に戻す`, run }, onGone: end })
    }
    const run = () => {
      if (!isOpen) return
      isOpen = false
      flash.remove(key)
      const told = (how: 'back' | 'left') =>
        how === 'left' && flash.show('info', t`すでに送信されていたため、破棄していません。`)
      void back().then(told, (error: unknown) => {
        // it is not there again: what the device did not take can be tried once more
        put()
        // one that nobody catches is said by the app (watch-errors)
        throw error
      })
    }
    put()
    return end
  }
}
