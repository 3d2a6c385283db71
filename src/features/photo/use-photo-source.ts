import { useEffect, useState } from 'react'
import { PHOTO_WHOLE_MAX_PIXELS } from '#schemas/limits.ts'
import { useOnline, useServices, useUserData } from '#data/context/app-context.tsx'
import type { PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import { requestPhotoBytes } from '#data/photos/photos.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'
import { mayDecode } from '#lib/image/image-size.ts'
import type { ShownPhoto } from './shown-photo.ts'

/**
 * A photo's URL, or the reason for its absence. `reading`: the photo is being read or fetched. `absent`: the photo is
 * not on the device. `broken`: the file is not a displayable picture.
 */
type PhotoSource = { state: 'shown'; url: string } | { state: 'reading' | 'absent' | 'broken' }

/**
 * Returns the URL of a photo or of its thumbnail. Bytes that are only in the file store are fetched. A picture above
 * the size limit is scaled down first, because the browser must not decode it.
 */
export function usePhotoSource(photo: ShownPhoto, kind: 'thumb' | 'whole'): PhotoSource {
  const { key, revision, isInFileStore } = photo
  const data = useUserData()
  const online = useOnline()
  const {
    photo: { jobs },
    errorLog,
  } = useServices()
  const [source, setSource] = useState<PhotoSource>({ state: 'reading' })
  const bytes = data?.bytes
  useEffect(() => {
    if (!bytes) return undefined
    let isOver = false
    let made: string | undefined
    const show = async () => {
      const found = await (kind === 'thumb' ? thumbOf(bytes, jobs, key) : wholeOf(bytes, jobs, key))
      if (isOver) return
      if (typeof found === 'string') return setSource({ state: found })
      made = URL.createObjectURL(new Blob([found]))
      setSource({ state: 'shown', url: made })
    }
    show().catch(() => isOver || setSource({ state: 'broken' }))
    return () => {
      isOver = true
      if (made) URL.revokeObjectURL(made)
      setSource({ state: 'reading' })
    }
    // `revision` is a dependency because the bytes may have changed with it.
  }, [bytes, jobs, key, kind, revision])
  const isWanted = source.state === 'absent' && isInFileStore
  useEffect(() => {
    if (!data || !online || !isWanted) return
    requestPhotoBytes(data.db, key).catch((error: unknown) => data.db.closed || errorLog.note(error))
  }, [data, online, isWanted, key, errorLog])
  return isWanted && online ? { state: 'reading' } : source
}

export const urlOf = (source: PhotoSource) => (source.state === 'shown' ? source.url : undefined)

/** Long edge in px of a scaled-down photo. Sent photos have the same limit. */
const SHOWN_LONG_EDGE_PX = 2048

/** Returns the photo's bytes; if it is too large for an `img`, those of a smaller picture. */
async function wholeOf(
  table: PhotoBytesTable,
  jobs: () => Promise<PhotoJobs>,
  key: string,
): Promise<ArrayBuffer | 'absent' | 'broken'> {
  const whole = await table.get(key)
  if (!whole) return 'absent'
  if (mayDecode(whole, PHOTO_WHOLE_MAX_PIXELS)) return whole
  return (await (await jobs()).thumb(new Blob([whole]), SHOWN_LONG_EDGE_PX)) ?? 'broken'
}

/** Returns the thumbnail. A photo from the file store has none, so the thumbnail is created and stored. */
async function thumbOf(
  table: PhotoBytesTable,
  jobs: () => Promise<PhotoJobs>,
  key: string,
): Promise<ArrayBuffer | 'absent' | 'broken'> {
  const known = await table.thumb(key)
  if (known) return known
  const whole = await table.get(key)
  if (!whole) return 'absent'
  const thumb = await (await jobs()).thumb(new Blob([whole]))
  // If the storage is full, the thumbnail is not stored and is created again next time.
  if (thumb) await table.setThumb(key, thumb).catch(() => undefined)
  return thumb ?? 'broken'
}
