import { useLingui } from '@lingui/react/macro'
import type { QueueItem } from '#schemas/change-queue.ts'
import { useServices, useUserData } from '#data/app-context.tsx'
import { discardPhotos, discardWithPhotos } from '#data/discard.ts'
import { takeDraft } from '#data/drafts.ts'
import { useOfferWayBack } from '#data/use-way-back.ts'
import type { WayBack } from '#data/way-back.ts'
import { jobName, nameable } from './job-texts.ts'

/** 破棄 and 削除 of what is on this device only: done at once, and offered back. */
export function useDiscardAtOnce() {
  const { t, i18n } = useLingui()
  const { flash, newId } = useServices()
  const data = useUserData()
  const offer = useOfferWayBack()
  const place = data && { ...data, newId }
  // one that nobody catches is said by the app (watch-errors): nothing was discarded
  const offered = (text: string, removal: Promise<WayBack | null> | null, isKept?: string) =>
    void removal?.then((way) => (way ? void offer(text, way) : isKept && flash.show('info', isKept)))
  const isSending = t`送信が始まっていたため、破棄していません。`
  return {
    change(item: QueueItem, photos: readonly QueueItem[]) {
      const name = jobName(i18n, nameable(item))
      offered(t`「${name}」を破棄しました。`, place && discardWithPhotos(place, item, photos), isSending)
    },
    photos: (items: readonly QueueItem[]) =>
      offered(t`写真を破棄しました。`, place && discardPhotos(place, items), isSending),
    draft: (key: string, name: string) =>
      offered(t`入力途中の「${name}」を削除しました。`, place && takeDraft(place, key)),
  }
}
