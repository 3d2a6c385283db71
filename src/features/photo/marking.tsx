/** 黒板・書き込み on a photo of a form. The picture with marks is a further photo, which replaces an earlier unsent one. */
import { useEffect, useState } from 'react'
import { markedPhotoName } from '#schemas/resources/photo-name.ts'
import { useServices, useUserData, type UserData } from '#data/context/app-context.tsx'
import { useAddMade, useDeviceWrites } from '#data/context/use-made-photo.ts'
import { MOST_EDGE_PX } from '#features/camera/draw-marks.ts'
import { MarksSheet, type OpenedPhoto } from '#features/camera/marks-sheet.tsx'
import { NO_MARKS } from '#lib/image/marks.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'
import type { FormPhoto, FormPhotos } from './use-form-photos.ts'

interface MarkingProps {
  photos: FormPhotos
  photo: FormPhoto
  onClose: () => void
}

/** Assumed source of the picture's time and position, used if the original photo is not on the device. */
const ASSUMED_ORIGIN = { taken: 'clock', place: 'device' } as const

export function Marking({ photos, photo, onClose }: MarkingProps) {
  const data = useUserData()
  const { jobs } = useServices().photo
  const { key, name, takenAt, placeInfo } = photo
  const opened = useOpenedPhoto(data, jobs, key)
  // Runs a write, and returns why it failed.
  const store = useDeviceWrites(data)
  const add = useAddMade(photos.items, photos.draft.key)
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
      onMade={(jpeg) =>
        store(async (own) => {
          const { taken, place } = (await own.bytes.origin(key)) ?? ASSUMED_ORIGIN
          const origin = { taken, place, markedOf: key }
          const added = await add(own, jpeg, { name: markedPhotoName(name), takenAt, placeInfo, origin })
          return added === 'large' ? added : null
        })
      }
      onClose={onClose}
    />
  )
}

function useOpenedPhoto(data: UserData | null, jobs: () => Promise<PhotoJobs>, key: string): OpenedPhoto {
  const [opened, setOpened] = useState<OpenedPhoto>('reading')
  useEffect(() => {
    if (!data) return undefined
    let isOver = false
    let picture: ImageBitmap | undefined
    const open = async () => {
      const found = await read(data, jobs, key)
      if (typeof found !== 'string') picture = found.picture
      if (isOver) return picture?.close()
      return setOpened(found)
    }
    open().catch(() => isOver || setOpened('broken'))
    return () => {
      isOver = true
      picture?.close()
      setOpened('reading')
    }
  }, [data, jobs, key])
  return opened
}

/** Reads a photo, turns it upright and scales it down to the largest size of a marked picture. */
async function read({ bytes }: UserData, jobs: () => Promise<PhotoJobs>, key: string): Promise<OpenedPhoto> {
  const [whole, origin] = [await bytes.get(key), await bytes.origin(key)]
  if (!whole || !origin) return 'absent'
  const jpeg = await (await jobs()).thumb(new Blob([whole]), MOST_EDGE_PX)
  if (!jpeg) return 'broken'
  return { picture: await createImageBitmap(new Blob([jpeg])), marks: origin.marks ?? NO_MARKS }
}
