import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useEffect, useRef, useState } from 'react'
import { useOfferUndo } from '#data/outbox/use-undo-offer.ts'
import type { UndoOffer } from '#data/drafts/drafts.ts'

/**
 * Deletes photos of a form. A photo disappears at once, before the device has stored the deletion. A banner offers 元に戻す
 * until the form is saved or closed.
 */
export function useRemovalOffers() {
  const { i18n } = useLingui()
  const offerUndo = useOfferUndo()
  // Functions that end the offers of 元に戻す.
  const ends = useRef(new Set<() => void>())
  const endOffers = () => {
    for (const end of ends.current) end()
    ends.current.clear()
  }
  useEffect(() => {
    const open = ends.current
    return () => {
      for (const end of open) end()
    }
  }, [])
  // Keys of photos that are hidden although the form still lists them.
  const [removing, setRemoving] = useState<readonly string[]>([])
  // Removals that the device has not stored yet, by photo.
  const underWay = useRef(new Map<string, Promise<unknown>>())
  /**
   * Deletes a photo. If the device refuses, the photo reappears and the returned promise rejects.
   * @param unlisted resolves once the form's photos no longer include the photo
   */
  const remove = async (
    key: string,
    removal: Promise<UndoOffer | null>,
    unlisted: () => Promise<unknown>,
  ) => {
    const unhide = () => setRemoving((before) => before.filter((each) => each !== key))
    setRemoving((before) => [...before, key])
    underWay.current.set(key, removal)
    try {
      const undo = await removal
      const back = async () => {
        unhide()
        return (undo as UndoOffer).back()
      }
      // `undo` is null if an earlier press already deleted the photo.
      if (undo) ends.current.add(offerUndo(i18n._(msg`写真を削除しました。`), { ...undo, back }))
      // Once the form no longer lists the photo, nothing has to hide it.
      void unlisted().then(() => setTimeout(unhide, 0))
    } catch (error) {
      unhide()
      throw error
    } finally {
      underWay.current.delete(key)
    }
  }
  return {
    remove,
    endOffers,
    removing,
    /** Resolves once all removals are stored; rejects if the device refused one. */
    removed: (): Promise<unknown> => Promise.all(underWay.current.values()),
  }
}
