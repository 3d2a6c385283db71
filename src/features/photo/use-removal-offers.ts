import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useEffect, useRef } from 'react'
import { useOfferWayBack } from '#data/use-way-back.ts'
import type { WayBack } from '#data/way-back.ts'

/** 元に戻す of photos that were deleted: as long as the form is open and was not saved. */
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
  /** A removal that the device did not take is left to whoever asked for it. */
  const offer = async (removal: Promise<WayBack | null>) => {
    const way = await removal
    // pressed twice: it is offered once
    if (way) ends.current.add(offerWayBack(i18n._(msg`写真を削除しました。`), way))
  }
  return { offer, endOffers }
}
