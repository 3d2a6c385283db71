import { useLingui } from '@lingui/react/macro'
import { useServices } from './app-context.tsx'
import type { WayBack } from './way-back.ts'

/**
 * Offers the way back from something that was done at once: a banner with 元に戻す, for as long as a banner stays.
 * @returns takes a text and the way back; gives what ends the offer before its time
 */
export function useOfferWayBack(): (text: string, way: WayBack) => () => void {
  const { t } = useLingui()
  const { flash, newId, errorLog } = useServices()
  return (text, { back, forget }) => {
    const key = `way-back ${newId()}`
    let isOpen = true
    const end = () => {
      if (!isOpen) return
      isOpen = false
      flash.remove(key)
      forget().catch(errorLog.note)
    }
    const run = () => {
      if (!isOpen) return
      isOpen = false
      flash.remove(key)
      // one that nobody catches is said by the app (watch-errors): it is not there again
      void back().then(
        (how) => how === 'left' && flash.show('info', t`すでに送信されていたため、破棄していません。`),
      )
    }
    flash.put(key, { mode: 'info', text, act: { text: t`元に戻す`, run }, onGone: end })
    return end
  }
}
