/**
 * Joins 黒板・書き込み and a photo of a form: marks are stored beside the photo's bytes, and the picture with marks goes into
 * the form's draft next to the photo. It replaces an earlier one of the same photo that has not been sent.
 */
import { useEffect, useRef, useState } from 'react'
import { PHOTO_MAX_PIXELS, PHOTO_WHOLE_MAX_PIXELS } from '#schemas/limits.ts'
import { markedPhotoName, photoProblem } from '#schemas/resources/photo-name.ts'
import { useServices, useUserData, type UserData } from '#data/context/app-context.tsx'
import { addDraftPhoto, markUnwanted } from '#data/drafts/drafts.ts'
import { MOST_EDGE_PX } from '#features/camera/draw-marks.ts'
import { MarksSheet, type MarksProblem, type OpenedPhoto } from '#features/camera/marks-sheet.tsx'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import { NO_MARKS } from '#lib/image/marks.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'
import type { FormPhoto, FormPhotos } from './use-form-photos.ts'

const LIMITS = { maxPixels: PHOTO_MAX_PIXELS, maxWhole: PHOTO_WHOLE_MAX_PIXELS }

interface MarkingProps {
  photos: FormPhotos
  photo: FormPhoto
  onClose: () => void
}

/** 黒板・書き込み of one photo of a form. */
export function Marking({ photos, photo, onClose }: MarkingProps) {
  const data = useUserData()
  const { jobs } = useServices().photo
  const { key, takenAt } = photo
  const opened = useOpened(data, jobs, key)
  const store = useStore(data)
  const addMarked = useAddMarked(photos, photo)
  return (
    <MarksSheet
      photo={opened}
      requestId={photos.draft.target.requestId}
      takenAt={takenAt}
      onMarks={(marks) =>
        store(async ({ bytes }) => {
          const origin = await bytes.origin(key)
          if (origin) await bytes.setOrigin(key, { ...origin, marks })
          return null
        })
      }
      onMade={(jpeg) => store((own) => addMarked(own, jpeg))}
      onClose={onClose}
    />
  )
}

/** @returns writes one after the other; says why the device refused a write, null if it is on the device */
function useStore(data: UserData | null) {
  const { errorLog } = useServices()
  const last = useRef<Promise<unknown>>(Promise.resolve())
  return async (write: (data: UserData) => Promise<MarksProblem | null>): Promise<MarksProblem | null> => {
    if (!data) return 'failed'
    const written = last.current.then(() => write(data))
    const result = written.catch(async (error: unknown) => {
      if (await isStorageFull(error, navigator.storage)) return 'full'
      errorLog.note(error)
      return 'failed'
    })
    last.current = result
    // A logout waits for it.
    data.drafts.takes(result)
    return result
  }
}

/** @returns adds a picture with the photo's marks to the draft, with the photo's time and place, unless it is too large */
function useAddMarked({ items, draft }: FormPhotos, { key, name, takenAt, placeInfo }: FormPhoto) {
  const { newId, photo: settings } = useServices()
  return async (data: UserData, jpeg: ArrayBuffer): Promise<MarksProblem | null> => {
    if (photoProblem({ head: jpeg, size: jpeg.byteLength }, settings.maxMb)) return 'large'
    const thumb = await (await settings.jobs()).thumb(new Blob([jpeg]), LIMITS)
    const { taken, place } = (await data.bytes.origin(key)) ?? UNKNOWN
    const earlier = await unsentMarkedOf(data, items, key)
    const marked = { key: newId(), name: markedPhotoName(name), takenAt, placeInfo }
    await addDraftPhoto(
      data,
      draft.key,
      { ...marked, size: jpeg.byteLength, type: 'image/jpeg' },
      { bytes: jpeg, thumb, origin: { taken, place, markedOf: key } },
      { after: key, instead: earlier.map((each) => each.key) },
    )
    for (const each of earlier) if (each.state !== 'draft') await markUnwanted(data.db, draft.key, each.key)
    return null
  }
}

/** The origin of a photo whose bytes were removed meanwhile. */
const UNKNOWN = { taken: 'clock', place: 'device' } as const

async function unsentMarkedOf({ bytes }: UserData, items: readonly FormPhoto[], key: string) {
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
      setOpened('reading')
    }
  }, [data, jobs, key])
  return opened
}

/** Reads a photo upright, and scaled down if it is larger than a picture with marks. */
async function read({ bytes }: UserData, jobs: () => Promise<PhotoJobs>, key: string): Promise<OpenedPhoto> {
  const [whole, origin] = [await bytes.get(key), await bytes.origin(key)]
  if (!whole || !origin) return 'absent'
  const jpeg = await (await jobs()).thumb(new Blob([whole]), { ...LIMITS, longEdge: MOST_EDGE_PX })
  if (!jpeg) return 'broken'
  return { picture: await createImageBitmap(new Blob([jpeg])), marks: origin.marks ?? NO_MARKS }
}
