import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import type { PhotoOrigin } from '#data/photos/photo-bytes.ts'
import { useToday } from '#data/context/use-now.ts'
import { shortStampText } from '#lib/time/tokyo-time.ts'
import type { ShownPhoto } from './shown-photo.ts'

interface PhotoFacts {
  /** Example: `11/20 09:12`; undefined if unknown. */
  takenAt: string | undefined
  /** The source of `takenAt`. Example: 写真の記録; undefined if not recorded. */
  takenFrom: string | undefined
  /** Example: `35.6491, 139.8083` */
  position: string | undefined
  positionFrom: string | undefined
  /**
   * True if the user can draw marks on the photo: it was added on this device, its bytes are here, and it is not itself
   * a picture with marks.
   */
  canBeMarked: boolean
}

/** Returns the facts about a photo as texts. */
export function usePhotoFacts({ key, takenAt, placeInfo, isByName }: ShownPhoto): PhotoFacts {
  const { t } = useLingui()
  const today = useToday()
  const origin = useOrigin(key)
  const taken = { exif: t`写真の記録`, file: t`ファイルの日時`, clock: t`この端末の時計` }
  const place = { exif: t`写真の記録`, device: t`この端末の位置` }
  const name = isByName ? t`ファイル名` : undefined
  const time = shortStampText(takenAt, today) || undefined
  return {
    takenAt: time,
    takenFrom: origin ? taken[origin.taken] : time && name,
    position: placeLabel(placeInfo),
    positionFrom: origin ? place[origin.place] : name,
    canBeMarked: origin !== undefined && origin.markedOf === undefined,
  }
}

function useOrigin(key: string): PhotoOrigin | undefined {
  const { errorLog } = useServices()
  const data = useUserData()
  const [origin, setOrigin] = useState<PhotoOrigin>()
  useEffect(() => {
    if (!data) return undefined
    let isOver = false
    data.bytes.origin(key).then(
      (found) => isOver || setOrigin(found),
      (error: unknown) => data.db.closed || errorLog.note(error),
    )
    return () => {
      isOver = true
    }
  }, [data, key, errorLog])
  return origin
}

/** Returns `35.6491, 139.8083` for `35.649100,139.808300`; undefined without a position. */
function placeLabel(placeInfo: string): string | undefined {
  const [latitude, longitude] = placeInfo.split(',').map(Number)
  if (placeInfo === '' || latitude === undefined || longitude === undefined) return undefined
  return `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`
}
