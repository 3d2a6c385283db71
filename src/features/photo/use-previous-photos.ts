import { useEffect, useState } from 'react'
import { useServices, useUserData } from '#data/context/app-context.tsx'
import type { DraftPlace } from '#data/drafts/drafts.ts'
import { requestsOfPlace } from '#data/visits/request-rows.ts'
import { shownPhoto, type ShownPhoto } from './shown-photo.ts'

/**
 * Returns the photos for 前回の写真 whose bytes are on the device, newest first: the form's own and those of all requests at
 * the same place. Photos taken after the camera opened are not included.
 * @param own photos of the form
 */
export function usePreviousPhotos(requestId: string, own: readonly ShownPhoto[]): readonly ShownPhoto[] {
  const { errorLog } = useServices()
  const data = useUserData()
  const [before] = useState(own)
  const [found, setFound] = useState<readonly ShownPhoto[]>([])
  useEffect(() => {
    if (!data) return undefined
    let isOver = false
    previousPhotos(data, requestId, before).then(
      (photos) => isOver || setFound(photos),
      (error: unknown) => data.db.closed || errorLog.note(error),
    )
    return () => {
      isOver = true
    }
  }, [data, requestId, before, errorLog])
  return found
}

async function previousPhotos(
  { db, bytes }: DraftPlace,
  requestId: string,
  own: readonly ShownPhoto[],
): Promise<ShownPhoto[]> {
  const keysOnDevice = await bytes.keys(Infinity)
  const place = await requestsOfPlace(db, requestId)
  const docs = await db.photos.findByIds(keysOnDevice).exec()
  const saved = [...docs.values()]
    // Leaves out the photos that the user has deleted.
    .filter((photo) => photo.wanted === 'kept')
    .filter((photo) => place.has(photo.requestId))
    .map((photo) => shownPhoto(photo.toMutableJSON()))
  const ofForm = own.filter(({ key }) => keysOnDevice.includes(key) && !docs.has(key))
  return [...ofForm, ...saved].toSorted((a, b) => (a.takenAt < b.takenAt ? 1 : -1))
}
