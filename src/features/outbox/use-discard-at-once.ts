import { useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import { discardPhotos, discardWithPhotos } from '#data/outbox/discard.ts'
import { takeDraft, type UndoOffer } from '#data/drafts/drafts.ts'
import { useOfferUndo } from '#data/outbox/use-undo-offer.ts'
import { jobName, nameable } from '#features/request-form/job-name.ts'

/** Returns functions that discard items at once and offer 元に戻す. The items must exist only on this device. */
export function useDiscardAtOnce() {
  const { t, i18n } = useLingui()
  const { flash, newId, clock } = useServices()
  const data = useUserData()
  const offer = useOfferUndo()
  const place = data && { ...data, newId, clock }
  // Ids of the changes whose 破棄 was pressed.
  const pressed = useRef(new Set<string>())
  // If the device refuses the removal, nothing is discarded, and the global error handler reports the rejection.
  const offered = (text: string, removal: Promise<UndoOffer | null> | null, alreadySending?: string) =>
    void removal?.then((undo) =>
      undo ? void offer(text, undo) : alreadySending && flash.show('info', alreadySending),
    )
  /** Runs `discard`, and remembers the items, so that a second press offers no second undo. */
  async function once(
    items: readonly QueueItem[],
    discard: () => Promise<UndoOffer | null>,
  ): Promise<UndoOffer | null> {
    for (const { change } of items) pressed.current.add(change.id)
    let undo: UndoOffer | null = null
    try {
      return (undo = await discard())
    } finally {
      if (!undo) for (const { change } of items) pressed.current.delete(change.id)
    }
  }
  const notPressed = (items: readonly QueueItem[]) =>
    items.filter(({ change }) => !pressed.current.has(change.id))
  const alreadySending = t`送信が始まっていたため、破棄していません。`
  return {
    /** Discards a change with its photos. @param dependents the changes that are discarded too; the banner names them */
    change(item: QueueItem, photos: readonly QueueItem[], dependents: readonly QueueItem[]) {
      if (!place || notPressed([item]).length === 0) return
      const name = jobName(i18n, nameable(item))
      const removal = once([item], () => discardWithPhotos(place, item, photos))
      const others = dependents.map((each) => jobName(i18n, nameable(each))).join(t`、`)
      const text =
        others === ''
          ? t`「${name}」を破棄しました。`
          : t`「${name}」と、その送信を待っていた${others}を破棄しました。`
      offered(text, removal, alreadySending)
    },
    photos(items: readonly QueueItem[]) {
      const rest = notPressed(items)
      if (!place || rest.length === 0) return
      const removal = once(rest, () => discardPhotos(place, rest))
      offered(t`写真を破棄しました。`, removal, alreadySending)
    },
    draft: (key: string, name: string) =>
      offered(t`入力途中の「${name}」を削除しました。`, place && takeDraft(place, key)),
  }
}
