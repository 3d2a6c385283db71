import { useEffect, useState } from 'react'
import { useUserData } from '#data/app-context.tsx'
import type { PhotoBytesTable } from '#data/photo-bytes.ts'
import { browserImages, preparePhoto } from '#lib/image.ts'

/**
 * The address of a photo that lies on the device; undefined while it is read, and where the device does not have it.
 * @param size what is known of its bytes: it is read again when they have come
 */
export function usePhotoUrl(
  key: string,
  size: number,
  kind: 'thumb' | 'whole' = 'thumb',
): string | undefined {
  const bytes = useUserData()?.bytes
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!bytes) return undefined
    let left = false
    let made: string | undefined
    const show = async () => {
      const found = await (kind === 'thumb' ? thumbOf(bytes, key) : bytes.get(key))
      if (left || !found) return
      made = URL.createObjectURL(new Blob([found]))
      setUrl(made)
    }
    show().catch(() => undefined)
    return () => {
      left = true
      if (made) URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [bytes, key, size, kind])
  return url
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
