import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useEffect, useRef, useState } from 'react'
import { useOfferWayBack } from '#data/use-way-back.ts'
import type { WayBack } from '#data/way-back.ts'

/**
 * Photos that are deleted: they count no more from the press on, whenever the device has written it. 元に戻す of them is there
 * as long as the form is open and was not saved.
 */
export function useRemovalOffers() {
  const { i18n } = useLingui()
  const offerWayBack = useOfferWayBack()
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
  const [removing, setRemoving] = useState<readonly string[]>([])
  const underWay = useRef(new Map<string, Promise<unknown>>())
  /**
   * A removal that the device did not take is left to whoever asked for it: the photo is there again.
   * @param unlisted resolves once the form's photos are without it
   */
  const remove = async (key: string, removal: Promise<WayBack | null>, unlisted: () => Promise<unknown>) => {
    const shown = () => setRemoving((before) => before.filter((each) => each !== key))
    setRemoving((before) => [...before, key])
    underWay.current.set(key, removal)
    try {
      const way = await removal
      const back = async () => {
        shown()
        return (way as WayBack).back()
      }
      // pressed twice: it is offered once
      if (way) ends.current.add(offerWayBack(i18n._(msg`写真を削除しました。`), { ...way, back }))
      void unlisted().then(() => setTimeout(shown, 0))
    } catch (error) {
      shown()
      throw error
    } finally {
      underWay.current.delete(key)
    }
  }
  return {
    remove,
    endOffers,
    /** Keys of photos that are being removed. */
    removing,
    /** @returns rejects where the device did not take one of them */
    removed: (): Promise<unknown> => Promise.all(underWay.current.values()),
  }
}
