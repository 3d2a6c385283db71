/**
 * Files that are picked become photos of a form's draft: read beside each other, added in the order in which they were
 * picked. Each has a card at once; what is not taken says why.
 */
import { legible } from '#schemas/text.ts'
import { useRef, useState } from 'react'
import { PHOTO_UNSAVED } from '#messages/unsaved.ts'
import { useServices, useUserData, type PhotoSettings, type UserData } from '#data/app-context.tsx'
import { addDraftPhoto, placePhoto } from '#data/drafts.ts'
import { readPhoto, type ReadPhoto } from './read-photo.ts'
import { useUntaken, type FormBinding } from './use-untaken.ts'

/** A file that is being read; its key is the one that the photo will have. */
export interface LoadingPhoto {
  key: string
  name: string
  /** The address of the small picture that its camera put into it. */
  src?: string
}

/** What was picked at one time. */
interface Picked {
  /** Position where the photos were taken. */
  place: Promise<string>
  /** Called if it cannot be stored; the photo itself is kept. */
  unplaced: (error: unknown) => void
  /** So many of them are on the device. */
  kept: number
  /** How many it had not taken before. */
  unkept: number
}

/** @param draftKey of the draft that the photos are kept in */
export function useTaking(draftKey: string, { isGivenUp, pick }: FormBinding) {
  const { clock, newId, flash, errorLog, photo: settings } = useServices()
  const data = useUserData()
  const untaken = useUntaken({ isGivenUp, pick })
  const [loading, setLoading] = useState<readonly LoadingPhoto[]>([])
  const { placing, during } = usePlacing()
  const turn = useRef<Promise<void>>(Promise.resolve())

  async function keep(file: File, reading: Promise<ReadPhoto>, picked: Picked) {
    const read = await reading
    if (!data || isGivenUp()) return
    if (read.kind === 'problem') return untaken.refused(file, read.problem)
    const { photo, bytes, thumb, origin } = read
    await addDraftPhoto(data, draftKey, photo, { bytes, thumb, origin })
    picked.kept += 1
    if (origin.place !== 'exif')
      during(photo.key, placeLater(data, { draftKey, photoKey: photo.key, picked }))
  }

  function takeOne(file: File, picked: Picked): LoadingPhoto {
    const key = newId()
    const picture = passingPicture()
    const glanced = picture.show((src) => setLoading(withPicture(key, src)))
    const reading = readPhoto(file, { ...chosen(settings), key, now: clock.now(), glanced })
    // its turn comes later: until then nobody hears a rejection
    reading.catch(() => undefined)
    turn.current = turn.current
      .then(() => keep(file, reading, picked))
      .catch((reason: unknown) => untaken.failed(reason, { file, again: add }))
      .finally(() => {
        picture.end()
        setLoading((before) => before.filter((each) => each.key !== key))
      })
    data?.drafts.takes(turn.current)
    return { key, name: legible(file.name) }
  }

  function add(files: readonly File[]): void {
    if (files.length === 0) return
    untaken.pickedAgain()
    const picked = { place: settings.place(), unplaced: errorLog.note, kept: 0, unkept: untaken.unkept() }
    const begun = files.map((file) => takeOne(file, picked))
    setLoading((before) => [...before, ...begun])
    void turn.current.then(() => isWhole(picked, untaken.unkept()) && flash.remove(PHOTO_UNSAVED))
  }

  return {
    loading,
    /** Keys of photos whose position is still looked for. */
    placing,
    warm: () => startJobs(settings),
    add,
    /** Waits for what is being read. @returns whether all of it was taken */
    async settled(): Promise<boolean> {
      const before = untaken.count()
      for (let seen; seen !== turn.current;) await (seen = turn.current)
      return untaken.count() === before
    },
  }
}

/** Keys of photos whose position is still looked for. */
function usePlacing() {
  const [placing, setPlacing] = useState<readonly string[]>([])
  return {
    placing,
    during(key: string, looking: Promise<void>) {
      setPlacing((before) => [...before, key])
      void looking.finally(() => setPlacing((before) => before.filter((each) => each !== key)))
    },
  }
}

/** What 設定 and the configuration say of reading. */
const chosen = ({ jobs, maxMb, readMs, original }: PhotoSettings) => ({
  jobs,
  maxMb,
  readMs,
  keepOriginal: original.get(),
})

/** While the camera is open. What cannot be loaded now is asked for again with the first photo. */
function startJobs({ jobs }: Pick<PhotoSettings, 'jobs'>): void {
  const warm = async () => (await jobs()).warm()
  warm().catch(() => undefined)
}

/** On a nearly full device some fit and some do not: that some are missing is said until they are picked again. */
const isWhole = ({ kept, unkept }: Picked, unkeptNow: number) => kept > 0 && unkept === unkeptNow

interface Placing {
  draftKey: string
  photoKey: string
  picked: Picked
}

/** The position comes when it comes: neither the photo nor the save waits for it, only whoever closes the data. */
async function placeLater({ db, drafts }: UserData, { draftKey, photoKey, picked }: Placing): Promise<void> {
  const placed = picked.place.then((found) =>
    found && !db.closed ? placePhoto(db, draftKey, photoKey, found) : undefined,
  )
  const told = placed.catch(picked.unplaced)
  drafts.takes(told)
  await told
}

const withPicture = (key: string, src: string) => (photos: readonly LoadingPhoto[]) =>
  photos.map((each) => (each.key === key ? { ...each, src } : each))

/** The address of a picture that is looked at until `end`. */
function passingPicture() {
  let url: string | undefined
  let isOver = false
  return {
    show: (tell: (src: string) => void) => (bytes: ArrayBuffer) => {
      if (isOver) return
      url = URL.createObjectURL(new Blob([bytes]))
      tell(url)
    },
    end() {
      isOver = true
      if (url !== undefined) URL.revokeObjectURL(url)
    },
  }
}
