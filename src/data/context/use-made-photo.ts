/** Stores pictures that the app has drawn (a photo with marks, or a filled-in sheet) in a form's draft. */
import { useRef } from 'react'
import type { DraftPhoto } from '#schemas/device/form-draft.ts'
import { photoProblem } from '#schemas/resources/photo-name.ts'
import { addDraftPhoto } from '#data/drafts/drafts.ts'
import type { PhotoOrigin } from '#data/photos/photo-bytes.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import { useServices, type UserData } from './app-context.tsx'

/** Reasons why a picture was not stored. `large`: the picture exceeds the limit of photos. */
export type MadeProblem = 'full' | 'failed' | 'large'

type Write = (data: UserData) => Promise<MadeProblem | null>

/**
 * Returns a function that runs writes one after the other. It resolves to null once a write is on disk, otherwise to
 * the problem.
 */
export function useDeviceWrites(data: UserData | null) {
  const { errorLog } = useServices()
  const last = useRef<Promise<unknown>>(Promise.resolve())
  return async (write: Write): Promise<MadeProblem | null> => {
    if (!data) return 'failed'
    const written = last.current.then(() => write(data))
    const result = written.catch(async (error: unknown) => {
      if (await isStorageFull(error, navigator.storage)) return 'full'
      errorLog.note(error)
      return 'failed'
    })
    last.current = result
    // A logout waits for this write.
    data.drafts.takes(result)
    return result
  }
}

type MadePhoto = Pick<DraftPhoto, 'name' | 'takenAt' | 'placeInfo'> & {
  origin: PhotoOrigin & { markedOf: string }
}

interface PhotoOfForm {
  key: string
  /** `draft`: not saved yet. `done`: sent. Any other state: saved, and not sent yet. */
  state: string
}

/**
 * Adds drawn pictures to a form's draft. A picture is placed after the photo that it shows, and replaces an unsent
 * picture of the same photo. A picture that is too large is not added.
 * @param items the photos of the form
 * @returns a function that adds a picture and resolves to its key
 */
export function useAddMade(items: readonly PhotoOfForm[], draftKey: string) {
  const { newId, photo: settings } = useServices()
  return async (data: UserData, jpeg: ArrayBuffer, made: MadePhoto): Promise<{ key: string } | 'large'> => {
    if (photoProblem({ head: jpeg, size: jpeg.byteLength }, settings.maxMb)) return 'large'
    const { origin, ...facts } = made
    const thumb = await (await settings.jobs()).thumb(new Blob([jpeg]))
    const earlier = await unsentPicturesOf(data, items, origin.markedOf)
    const inDraft = earlier.filter(({ state }) => state === 'draft').map((each) => each.key)
    const saved = earlier.filter(({ state }) => state !== 'draft').map((each) => each.key)
    const key = newId()
    await addDraftPhoto(
      data,
      draftKey,
      { key, ...facts, size: jpeg.byteLength, type: 'image/jpeg' },
      { bytes: jpeg, thumb, origin },
      { after: origin.markedOf, instead: inDraft, unwanted: saved },
    )
    return { key }
  }
}

/** Returns the unsent photos of the form that were drawn on the photo or sheet with the key `source`. */
async function unsentPicturesOf({ bytes }: UserData, items: readonly PhotoOfForm[], source: string) {
  const unsent = items.filter(({ state }) => state !== 'done')
  const origins = await Promise.all(unsent.map((item) => bytes.origin(item.key)))
  return unsent.filter((_, index) => origins[index]?.markedOf === source)
}
