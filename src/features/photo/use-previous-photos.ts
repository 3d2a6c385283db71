import { useEffect, useState } from 'react'
import { useUserData } from '#data/context/app-context.tsx'
import type { DraftPlace } from '#data/drafts/drafts.ts'
import { requestsOfPlace } from '#data/visits/request-rows.ts'
import { shownPhoto, type ShownPhoto } from './shown-photo.ts'

/** Ignores an error during logout, when nobody needs the result. */
const IGNORED = () => undefined

/**
 * Returns the photos to shoot from the same place: those of the form and of all requests at its place whose bytes are
 * on this device, newest first. Photos that are taken meanwhile are not among them.
 * @param own photos of the form
 */
export function usePreviousPhotos(requestId: string, own: readonly ShownPhoto[]): readonly ShownPhoto[] {
  const data = useUserData()
  const [before] = useState(own)
  const [found, setFound] = useState<readonly ShownPhoto[]>([])
  useEffect(() => {
    if (!data) return undefined
    let left = false
    previousPhotos(data, requestId, before).then((photos) => left || setFound(photos), IGNORED)
    return () => {
      left = true
    }
  }, [data, requestId, before])
  return found
}

async function previousPhotos(
  { db, bytes }: DraftPlace,
  requestId: string,
  own: readonly ShownPhoto[],
): Promise<ShownPhoto[]> {
  const here = await bytes.keys(Infinity)
  const place = await requestsOfPlace(db, requestId)
  const docs = await db.photos.findByIds(here).exec()
  const saved = [...docs.values()]
    .filter((photo) => photo.wanted === 'kept')
    .filter((photo) => place.has(photo.requestId))
    .map((photo) => shownPhoto(photo.toMutableJSON()))
  const ofForm = own.filter(({ key }) => here.includes(key) && !docs.has(key))
  return [...ofForm, ...saved].toSorted((a, b) => (a.takenAt < b.takenAt ? 1 : -1))
}
