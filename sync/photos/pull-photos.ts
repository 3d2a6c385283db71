/**
 * Photos that others took, on demand: a screen asks for those of a record (an interest), and for the bytes of one
 * (`bytesAsked`). The folder's index is reconciled with what is here (RULES PL1, PL3): a file of ours that is being sent
 * is never shown twice, and one that was deleted elsewhere leaves the device, unless something of it is unsent.
 */
import { blankProgress } from '#schemas/changes/change-queue.ts'
import type { Interest } from '#schemas/device/interest.ts'
import { photoTypeOf } from '#schemas/resources/photo-name.ts'
import type { FileWire, PhotoRecord } from '#schemas/resources/photo.ts'
import { isStoredAs, isStoredName } from '#schemas/stored-text.ts'
import { legible } from '#schemas/text.ts'
import { digest } from '../lib/digest.ts'
import type { Outcome } from '../transport/outcome.ts'
import type { FileStore } from './file-store.ts'
import { sentPlace, wasCut } from './photo-place.ts'
import type { PhotoStore } from './photo-store.ts'
import type { PhotoParents } from './ports.ts'

interface Parts {
  store: PhotoStore
  files: FileStore
  parents: PhotoParents
  userId: string
}

/** `later`: the file store did not answer. */
type Pulled = { kind: 'answered'; total: number } | { kind: 'failed' } | { kind: 'later'; outcome: Outcome }

/** Bytes that cannot be read are tried so often, until their record is opened again. */
const FETCH_TRIES = 3

export function createPhotoPull({ store, files, parents, userId }: Parts) {
  const tries = createTries()

  async function folderId(resource: string, recordKey: string) {
    const folder = await parents.folderOf(resource, recordKey)
    if (folder.kind === 'folder') return folder.id
    if (folder.kind !== 'make') return null
    // only read: the first upload makes the folder
    const found = await files.folders(folder.parentId)
    if (found.kind !== 'accepted') return found
    const made = found.value.find(({ name }) => isStoredAs(folder.name, name))
    // a list that was cut says nothing of what is not in it
    return made?.id ?? (wasCut(found.value) ? CUT : null)
  }

  return {
    /** The photos of a record, as its folder has them. */
    async list({ resource = '', recordKey = '', requestId = '' }: Interest): Promise<Pulled> {
      const before = await store.ofRecord(resource, recordKey)
      const folder = await folderId(resource, recordKey)
      if (folder === null) return { kind: 'answered', total: 0 }
      if (typeof folder !== 'string') return notPulled(folder)
      const index = await files.files(folder)
      if (index.kind !== 'accepted') return notPulled(index)
      const local = await store.ofRecord(resource, recordKey)
      const blank = { resource, recordKey, requestId, folderId: folder, userId }
      // a photo that was here before the read, and no longer is, was deleted meanwhile: it is nobody else's
      const here = [...before, ...local]
      await store.add(newPhotos(index.value, here, namesOnTheWay(here), blank))
      await askAgain(store, local)
      if (!wasCut(index.value))
        for (const { key } of deletedElsewhere(index.value, before, local, folder)) await store.remove(key)
      return { kind: 'answered', total: index.value.length }
    },

    /** The bytes of a photo in the file store. @returns what failed */
    async fetch(photo: PhotoRecord): Promise<Outcome | null> {
      const { key, folderId: folder, fileSeq, storeName } = photo
      if (await store.bytes.get(key)) {
        await store.modify(key, (latest) => ({ ...latest, bytesAsked: 'no' }))
        return null
      }
      const result = await files.bytes(folder, { fileSeq, name: storeName })
      if (result.kind !== 'accepted') {
        const isNever = result.kind === 'refused' || result.kind === 'missing'
        if (!isNever && !tries.isLast(key, result)) return result
        tries.forget(key)
        await store.modify(key, (latest) => ({ ...latest, bytesAsked: 'failed' }))
        return isNever ? null : result
      }
      tries.forget(key)
      const bytes = result.value
      await store.bytes.put(key, bytes, { cached: true })
      const known = { size: bytes.byteLength, type: photoTypeOf(bytes) ?? '' } as const
      await store.modify(key, (latest) => ({ ...latest, ...known, bytesAsked: 'no' }))
      return null
    },
  }
}

/** Of bytes that did not come, photo by photo. */
function createTries() {
  const made = new Map<string, number>()
  return {
    /** Counts a try; a call that the circuit did not let go (RULES OC10) is none. */
    isLast(key: string, outcome: Outcome): boolean {
      if (outcome.kind !== 'unknown' && (outcome.kind !== 'unreachable' || outcome.held)) return false
      made.set(key, (made.get(key) ?? 0) + 1)
      return made.get(key) === FETCH_TRIES
    },
    forget: (key: string) => void made.delete(key),
  }
}

/** What failed for an earlier screen is tried again. */
async function askAgain(store: PhotoStore, photos: readonly PhotoRecord[]): Promise<void> {
  for (const { key } of photos.filter(({ bytesAsked }) => bytesAsked === 'failed'))
    await store.modify(key, (latest) => ({ ...latest, bytesAsked: 'no' }))
}

const CUT: Outcome = { kind: 'refused', status: 200, reasons: [] }

type Blank = Pick<PhotoRecord, 'resource' | 'recordKey' | 'requestId' | 'folderId' | 'userId'>

/** Under which uploads arrive: each as it is wanted now, and as it was sent, which a rename meanwhile does not change. */
const namesOnTheWay = (photos: readonly PhotoRecord[]): string[] =>
  photos
    .filter(({ fileSeq }) => fileSeq === '')
    .flatMap((photo) => [photo.name, sentPlace(photo)?.name ?? photo.name])

/** Files that no photo of this device is, or is about to be. */
function newPhotos(
  index: readonly FileWire[],
  local: readonly PhotoRecord[],
  onTheWay: readonly string[],
  blank: Blank,
): PhotoRecord[] {
  const known = new Set(local.map(({ fileSeq }) => fileSeq))
  return index
    .filter(
      ({ file_seq, name }) => !known.has(file_seq) && !onTheWay.some((sent) => isStoredName(sent, name)),
    )
    .map(({ file_seq, name }) => ({
      ...blank,
      key: `store-${digest([blank.folderId, file_seq])}`,
      workingDate: '',
      name: legible(name),
      placeInfo: '',
      createDate: '',
      size: 0,
      type: '',
      wanted: 'kept',
      fileSeq: file_seq,
      storeName: name,
      bytesAsked: 'no',
      stamp: '',
      savedAt: '',
      offline: false,
      ...blankProgress(''),
      state: 'accepted',
      unsent: 'no',
    }))
}

/** What was settled before the index was read, and is not in it. */
function deletedElsewhere(
  index: readonly FileWire[],
  before: readonly PhotoRecord[],
  now: readonly PhotoRecord[],
  folderId: string,
): PhotoRecord[] {
  const there = new Set(index.map(({ file_seq }) => file_seq))
  const settledBefore = new Set(before.filter(({ unsent }) => unsent === 'no').map(({ key }) => key))
  return now.filter(
    (photo) =>
      photo.unsent === 'no' &&
      photo.wanted === 'kept' &&
      photo.folderId === folderId &&
      settledBefore.has(photo.key) &&
      !there.has(photo.fileSeq),
  )
}

const notPulled = (outcome: Outcome): Pulled =>
  outcome.kind === 'refused' || outcome.kind === 'missing' ? { kind: 'failed' } : { kind: 'later', outcome }
