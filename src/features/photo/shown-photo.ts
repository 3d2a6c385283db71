/** A photo as screens show it: its facts as texts, and the URL of its picture. */
import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { PHOTO_WHOLE_MAX_PIXELS } from '#schemas/limits.ts'
import { placeIn, takenIn } from '#schemas/resources/photo-name.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { useOnline, useServices, useUserData, type UserData } from '#data/context/app-context.tsx'
import { useToday } from '#data/context/use-now.ts'
import type { PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import { requestPhotoBytes } from '#data/photos/photos.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'
import { mayDecode } from '#lib/image/image-size.ts'
import { shortStampText } from '#lib/time/tokyo-time.ts'

export interface ShownPhoto {
  key: string
  name: string
  /** ISO 8601; empty if unknown. */
  takenAt: string
  /** `latitude,longitude`, or empty. */
  placeInfo: string
  /** True if time and place are read from the file name, because the record has neither. */
  isByName?: boolean
  /** Changes when the photo's bytes may have changed, so that they are read again. */
  revision: string
  /** True if missing bytes can be fetched from the file store. */
  isInFileStore: boolean
  hasFailed: boolean
}

export function shownPhoto(photo: PhotoRecord): ShownPhoto {
  const { key, name, createDate, placeInfo, size, fileSeq, bytesAsked } = photo
  return {
    key,
    name,
    // A photo from the file store has only a name, so time and place are read from the name (decisions/photos).
    takenAt: createDate || takenIn(name),
    placeInfo: placeInfo || placeIn(name),
    isByName: createDate === '',
    revision: `${size} ${bytesAsked}`,
    isInFileStore: fileSeq !== '' && bytesAsked !== 'failed',
    hasFailed: bytesAsked === 'failed',
  }
}

/** Returns what `read` resolves to, for each `subject` once; undefined before, or if the device cannot read it. */
export function useRead<T>(subject: string, read: (data: UserData) => Promise<T>): T | undefined {
  const { errorLog } = useServices()
  const data = useUserData()
  const [found, setFound] = useState<T>()
  const start = useEffectEvent(read)
  useEffect(() => {
    if (!data) return undefined
    let isOver = false
    start(data).then(
      (value) => isOver || setFound(() => value),
      (error: unknown) => data.db.closed || errorLog.note(error),
    )
    return () => {
      isOver = true
    }
  }, [data, subject, errorLog])
  return found
}

/** Returns the facts about a photo. `canBeMarked`: added on this device, still here, and itself without marks. */
export function usePhotoFacts({ key, takenAt, placeInfo, isByName }: ShownPhoto) {
  const { t } = useLingui()
  const today = useToday()
  const origin = useRead(key, ({ bytes }) => bytes.origin(key))
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

/** Returns `35.6491, 139.8083` for `35.649100,139.808300`; undefined without a position. */
function placeLabel(placeInfo: string): string | undefined {
  const [latitude, longitude] = placeInfo.split(',').map(Number)
  if (placeInfo === '' || latitude === undefined || longitude === undefined) return undefined
  return `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`
}

/** `reading`: being read or fetched. `absent`: not on the device. `broken`: not a displayable picture. */
type PhotoSource = { state: 'shown'; url: string } | { state: 'reading' | 'absent' | 'broken' }

/** Returns the URL of a photo or its thumbnail, fetches missing bytes, and scales down a picture above the size limit. */
export function usePhotoSource(photo: ShownPhoto, kind: 'thumb' | 'whole'): PhotoSource {
  const { key, revision, isInFileStore } = photo
  const data = useUserData()
  const online = useOnline()
  const { errorLog, photo: settings } = useServices()
  const { jobs } = settings
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

type Reading = Promise<ArrayBuffer | 'absent' | 'broken'>

/** Returns the photo's bytes; if it is too large for an `img`, those of a smaller picture. */
async function wholeOf(table: PhotoBytesTable, jobs: () => Promise<PhotoJobs>, key: string): Reading {
  const whole = await table.get(key)
  if (!whole) return 'absent'
  if (mayDecode(whole, PHOTO_WHOLE_MAX_PIXELS)) return whole
  return (await (await jobs()).thumb(new Blob([whole]), SHOWN_LONG_EDGE_PX)) ?? 'broken'
}

/** Returns the thumbnail. A photo from the file store has none, so the thumbnail is created and stored. */
async function thumbOf(table: PhotoBytesTable, jobs: () => Promise<PhotoJobs>, key: string): Reading {
  const known = await table.thumb(key)
  if (known) return known
  const whole = await table.get(key)
  if (!whole) return 'absent'
  const thumb = await (await jobs()).thumb(new Blob([whole]))
  // If the storage is full, the thumbnail is not stored and is created again next time.
  if (thumb) await table.setThumb(key, thumb).catch(() => undefined)
  return thumb ?? 'broken'
}
