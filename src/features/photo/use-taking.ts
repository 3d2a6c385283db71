/** Adds picked files as photos to a form's draft: read in parallel, added in the picked order. Each gets a card at once. */
import type { DraftPhoto } from '#schemas/device/form-draft.ts'
import { legible } from '#schemas/text.ts'
import { useRef, useState } from 'react'
import { PHOTO_UNSAVED } from '#messages/unsaved.ts'
import { useServices, useUserData, type PhotoSettings, type UserData } from '#data/context/app-context.tsx'
import { addDraftPhoto, placePhoto } from '#data/drafts/drafts.ts'
import { addToChain, placeInChain } from '#data/drafts/photo-chains.ts'
import { useNow } from '#data/context/use-now.ts'
import { sha256 } from '#lib/image/photo-chain.ts'
import { toTokyoIso, tokyoToday } from '#lib/time/tokyo-time.ts'
import { readPhoto, type ReadPhoto } from './read-photo.ts'
import { useUntaken, type FormBinding } from './use-untaken.ts'

/** A file that is being read. The photo gets the same key. */
interface LoadingPhoto {
  key: string
  name: string
  /** URL of the thumbnail embedded by the camera. */
  src?: string
}

/** The photos that the user picked at once. */
interface Picked {
  /** Resolves to the position where the photos were taken; '' if unknown. */
  place: Promise<string>
  /** Number of photos of this pick that the device has stored. */
  stored: number
  /** Number of photos that the form had failed to store before the user picked these. */
  missed: number
  /** Set if another app shared these photos with the app. `done` is called for each photo that is stored or refused. */
  received: Received | undefined
}

interface Received {
  keys: readonly string[]
  done(key: string): void
}

/** Returns the functions that add photos to a form's draft, and the photos that are being added. */
export function useTaking(draftKey: string, requestId: string, { isGivenUp, pick }: FormBinding) {
  const { clock, newId, flash, photo: settings } = useServices()
  const data = useUserData()
  const untaken = useUntaken({ isGivenUp, pick })
  const record = useRecording(requestId)
  const loading = useLoading()
  const { placing, during } = usePlacing()
  const queue = useRef<Promise<void>>(Promise.resolve())
  /** @returns true if the photo was stored or refused; false if the user has discarded the form meanwhile */
  async function addToDraft(file: File, reading: Promise<ReadPhoto>, picked: Picked): Promise<boolean> {
    const read = await reading
    if (!data || isGivenUp()) return false
    if (read.kind === 'problem') {
      untaken.refused(file, read.problem)
      return true
    }
    const { photo, bytes, origin } = read
    await addDraftPhoto(data, draftKey, photo, read)
    picked.stored += 1
    const day = record(data, photo, bytes)
    const placed = () => picked.place.then((position) => setPlace(data, draftKey, photo.key, day, position))
    if (origin.place !== 'exif') during(data, photo.key, placed())
    return true
  }

  function takeOne(file: File, picked: Picked, index: number): LoadingPhoto {
    const key = picked.received?.keys[index] ?? newId()
    const preview = createPreview()
    const onPreview = preview.show((src) => loading.show(key, src))
    const reading = handledLater(readPhoto(file, { ...chosen(settings), key, now: clock.now(), onPreview }))
    queue.current = queue.current
      .then(() => addToDraft(file, reading, picked))
      .then((isOver) => (isOver ? picked.received?.done(key) : undefined))
      .catch((reason: unknown) => untaken.failed(reason, { file, again: (files) => add(files) }))
      .finally(() => {
        preview.end()
        loading.end(key)
      })
    data?.drafts.takes(queue.current)
    return { key, name: legible(file.name) }
  }

  async function add(files: readonly File[], received?: Received): Promise<number> {
    if (files.length === 0) return 0
    untaken.pickedAgain()
    const picked = { place: settings.place(), stored: 0, missed: untaken.missed(), received }
    loading.begin(files.map((file, index) => takeOne(file, picked, index)))
    await queue.current
    if (isWhole(picked, untaken.missed())) flash.remove(PHOTO_UNSAVED)
    return picked.stored
  }

  return {
    loading: loading.photos,
    placing,
    warm: () => startJobs(settings),
    add,
    settled: () => settledIn(queue, untaken.count),
  }
}

/** Waits until all picked files are read. @returns true if all were added */
async function settledIn(queue: { current: Promise<void> }, untaken: () => number): Promise<boolean> {
  const before = untaken()
  for (let seen; seen !== queue.current;) await (seen = queue.current)
  return untaken() === before
}

/** Marks the promise as handled, so that an early rejection is not reported as unhandled before `addToDraft` awaits it. */
function handledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

/**
 * Returns a function that adds a photo's hash to the day's tamper-evident log (`lib/image/photo-chain.ts`) and resolves
 * to the day, `YYYY-MM-DD`. The entries follow the order of the photos. Saving the form does not wait for the entry,
 * but closing the database does.
 */
function useRecording(requestId: string) {
  const { errorLog } = useServices()
  const now = useNow()
  const last = useRef<Promise<unknown>>(Promise.resolve())
  return ({ db, drafts }: UserData, { key, placeInfo: place }: DraftPhoto, bytes: ArrayBuffer) => {
    const [day, at, hash] = [tokyoToday(now()), toTokyoIso(now()), handledLater(sha256(bytes))]
    // If the entry cannot be written, the photo is stored nevertheless; 作業報告書 then has no proof for this photo.
    const recorded = last.current
      .then(async () => addToChain(db, day, { key, hash: await hash, at, place, requestId }))
      .catch(errorLog.note)
    last.current = recorded
    drafts.takes(recorded)
    return recorded.then(() => day)
  }
}

function useLoading() {
  const [photos, setPhotos] = useState<readonly LoadingPhoto[]>([])
  return {
    photos,
    begin: (begun: readonly LoadingPhoto[]) => setPhotos((before) => [...before, ...begun]),
    show: (key: string, src: string) =>
      setPhotos((before) => before.map((each) => (each.key === key ? { ...each, src } : each))),
    end: (key: string) => setPhotos((before) => before.filter((each) => each.key !== key)),
  }
}

/** Returns the keys of photos whose position is being determined. `during` adds a key until its promise settles. */
function usePlacing() {
  const { errorLog } = useServices()
  const [placing, setPlacing] = useState<readonly string[]>([])
  return {
    placing,
    /** The photo is stored even if its position is not. Closing the database waits for the position, the save does not. */
    during({ drafts }: UserData, key: string, placed: Promise<void>) {
      setPlacing((before) => [...before, key])
      const end = () => setPlacing((before) => before.filter((each) => each !== key))
      drafts.takes(placed.catch(errorLog.note).finally(end))
    },
  }
}

const chosen = ({ jobs, maxMb, readMs, original }: PhotoSettings) => ({
  jobs,
  maxMb,
  readMs,
  keepOriginal: original.get(),
})

/** Preloads the code that reads photos. After a failure, the first photo loads it. */
const startJobs = ({ jobs }: PhotoSettings) =>
  void jobs()
    .then(({ warm }) => warm())
    .catch(() => undefined)

/** True if the device stored all photos of this pick. A nearly full device may store only some of them. */
const isWhole = ({ stored, missed }: Picked, missedNow: number) => stored > 0 && missed === missedNow

/** Adds a position to a photo. @param day resolves once the photo's entry in that day's log of hashes is stored */
async function setPlace(
  { db }: UserData,
  draftKey: string,
  key: string,
  day: Promise<string>,
  position: string,
): Promise<void> {
  if (!position || db.closed) return
  await placePhoto(db, draftKey, key, position)
  await placeInChain(db, await day, key, position)
}

/** Returns a preview of a photo that is being read. `show` creates its URL and `end` revokes it. */
function createPreview() {
  let url: string | undefined
  let isOver = false
  return {
    show: (onUrl: (src: string) => void) => (bytes: ArrayBuffer) => {
      if (isOver) return
      url = URL.createObjectURL(new Blob([bytes]))
      onUrl(url)
    },
    end() {
      isOver = true
      if (url !== undefined) URL.revokeObjectURL(url)
    },
  }
}
