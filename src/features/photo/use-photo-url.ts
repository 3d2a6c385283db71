import { useEffect, useState } from 'react'
import { useUserData } from '#data/app-context.tsx'
import type { PhotoBytesTable } from '#data/photo-bytes.ts'
import { browserImages, preparePhoto } from '#lib/image.ts'

/** The address of the thumbnail of a photo that was taken here; undefined while it is read. */
export const usePhotoUrl = (key: string, size: number) => usePhotoSource(key, String(size), 'thumb').url

/**
 * The address of a photo as far as it lies on the device.
 * @param revision what is known of its bytes: they are looked for again when that changes
 * @returns isAbsent: they were looked for, and are not here
 */
export function usePhotoSource(
  key: string,
  revision: string,
  kind: 'thumb' | 'whole',
): { url: string | undefined; isAbsent: boolean } {
  const bytes = useUserData()?.bytes
  const [url, setUrl] = useState<string>()
  const [isAbsent, setAbsent] = useState(false)
  useEffect(() => {
    if (!bytes) return undefined
    let left = false
    let made: string | undefined
    const show = async () => {
      const found = await (kind === 'thumb' ? thumbOf(bytes, key) : bytes.get(key))
      if (left) return
      if (!found) return setAbsent(true)
      made = URL.createObjectURL(new Blob([found]))
      setUrl(made)
    }
    show().catch(() => undefined)
    return () => {
      left = true
      if (made) URL.revokeObjectURL(made)
      setUrl(undefined)
      setAbsent(false)
    }
  }, [bytes, key, revision, kind])
  return { url, isAbsent }
}

/** A photo that came from the file store has no thumbnail yet: it is made once. */
async function thumbOf(table: PhotoBytesTable, key: string): Promise<ArrayBuffer | undefined> {
  const known = await table.thumb(key)
  if (known) return known
  const whole = await table.get(key)
  if (!whole) return undefined
  const { thumb } = await preparePhoto(whole, browserImages, true)
  if (thumb) await table.setThumb(key, thumb)
  return thumb ?? whole
}
