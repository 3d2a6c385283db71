/**
 * Reads a photo to draw on, stores its marks beside its bytes, and adds the picture with marks to the form's draft. That
 * picture replaces an earlier one of the same photo until it is sent.
 */
import { useEffect, useRef, useState } from 'react'
import { PHOTO_MAX_PIXELS, PHOTO_WHOLE_MAX_PIXELS } from '#schemas/limits.ts'
import { markedPhotoName } from '#schemas/resources/photo-name.ts'
import { useServices, useUserData, type UserData } from '#data/context/app-context.tsx'
import { addDraftPhoto, markUnwanted } from '#data/drafts/drafts.ts'
import type { MarksProblem, OpenedPhoto } from '#features/camera/marks-popup.tsx'
import { NO_MARKS, type Marks } from '#lib/image/marks.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import type { FormPhoto, FormPhotos } from './use-form-photos.ts'

const LIMITS = { maxPixels: PHOTO_MAX_PIXELS, maxWhole: PHOTO_WHOLE_MAX_PIXELS }
/** Long edge in px of a picture with marks. */
const LONG_EDGE_PX = 2048

/** @returns the photo, and functions that store marks and pictures and say why one is not on the device */
export function useMarking(photos: FormPhotos, photo: FormPhoto) {
  const data = useUserData()
  const { newId, errorLog, photo: settings } = useServices()
  const { key } = photo
  const opened = useOpened(data, settings.jobs, key)
  const stored = useRef<Promise<unknown>>(Promise.resolve())
  /** Runs one after the other; logout waits for them. */
  const run = async (write: (data: UserData) => Promise<void>): Promise<MarksProblem | null> => {
    if (!data) return 'failed'
    const result = stored.current.then(() => write(data)).then(
      () => null,
      async (error: unknown) => {
        if (await isStorageFull(error, navigator.storage)) return 'full'
        errorLog.note(error)
        return 'failed'
      },
    )
    stored.current = result
    data.drafts.takes(result)
    return result
  }
  return {
    opened,
    store: (marks: Marks) =>
      run(async ({ bytes }) => {
        const origin = await bytes.origin(key)
        if (origin) await bytes.setOrigin(key, { ...origin, marks })
      }),
    add: (jpeg: ArrayBuffer) =>
      run(async (place) => {
        const { db, bytes } = place
        const { marks: _, ...origin } = (await bytes.origin(key)) ?? UNKNOWN
        const thumb = await (await settings.jobs()).thumb(new Blob([jpeg]), LIMITS)
        const { name, takenAt, placeInfo } = photo
        const made = { key: newId(), name: markedPhotoName(name), takenAt, placeInfo }
        const earlier = await unsentMarkedOf(place, photos, key)
        await addDraftPhoto(
          place,
          photos.draft.key,
          { ...made, size: jpeg.byteLength, type: 'image/jpeg' },
          { bytes: jpeg, thumb, origin: { ...origin, markedOf: key } },
          { after: key, instead: earlier.map((each) => each.key) },
        )
        for (const each of earlier)
          if (each.state !== 'draft') await markUnwanted(db, photos.draft.key, each.key)
      }),
  }
}

/** The origin of a photo whose bytes have been removed meanwhile. */
const UNKNOWN = { taken: 'clock', place: 'device' } as const

async function unsentMarkedOf({ bytes }: UserData, { items }: FormPhotos, key: string): Promise<FormPhoto[]> {
  const unsent = items.filter(({ state }) => state !== 'done')
  const origins = await Promise.all(unsent.map((item) => bytes.origin(item.key)))
  return unsent.filter((_, at) => origins[at]?.markedOf === key)
}

function useOpened(data: UserData | null, jobs: () => Promise<PhotoJobs>, key: string): OpenedPhoto {
  const [opened, setOpened] = useState<OpenedPhoto>('reading')
  useEffect(() => {
    if (!data) return undefined
    let left = false
    let picture: ImageBitmap | undefined
    const open = async () => {
      const found = await read(data, jobs, key)
      if (typeof found !== 'string') picture = found.picture
      if (left) return picture?.close()
      return setOpened(found)
    }
    open().catch(() => left || setOpened('broken'))
    return () => {
      left = true
      picture?.close()
    }
  }, [data, jobs, key])
  return opened
}

/** Reads a photo upright, and scaled down if it is larger than a picture with marks. */
async function read({ bytes }: UserData, jobs: () => Promise<PhotoJobs>, key: string): Promise<OpenedPhoto> {
  const [whole, origin] = [await bytes.get(key), await bytes.origin(key)]
  if (!whole || !origin) return 'absent'
  const jpeg = await (await jobs()).thumb(new Blob([whole]), { ...LIMITS, longEdge: LONG_EDGE_PX })
  if (!jpeg) return 'broken'
  return { picture: await createImageBitmap(new Blob([jpeg])), marks: origin.marks ?? NO_MARKS }
}
