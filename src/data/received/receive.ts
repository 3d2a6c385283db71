/**
 * Stores files that the phone shares with the app, in the service worker (decisions/photos). Each photo is encrypted
 * and on disk before the answer, which says what was not stored and why.
 */
import { PHOTO_READ_MAX_MB } from '#schemas/limits.ts'
import { photoProblem } from '#schemas/resources/photo-name.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import { RECEIVED_MAX, type LeftPhotos, type LeftReason } from '#lib/received-left.ts'
import { receiverNow, sealedFor } from './received-keys.ts'
import type { ReceivedStore } from './received-store.ts'

/** Maximum bytes of all shared photos that no form has taken. */
export const RECEIVED_BYTES_MAX = 200 * 1024 * 1024
const HEAD_BYTES = 16

export interface ReceiveParts {
  store: ReceivedStore
  /** Epoch ms. */
  now: () => number
  newId: () => string
  room: StorageManager | undefined
  report: (problem: unknown) => void
}

/** Stores shared files. @returns for each reason, the number of files that were not stored */
export async function receive(files: readonly File[], parts: ReceiveParts): Promise<LeftPhotos[]> {
  const { store } = parts
  const receiver = receiverNow(await store.receivers())
  if (!receiver) return [{ why: 'login', n: files.length }]
  const notStored = new Map<LeftReason, number>()
  const waiting = await store.waiting()
  let { length: count } = waiting
  let bytes = waiting.reduce((sum, { size }) => sum + size, 0)
  const begun = parts.now()
  for (const [index, file] of files.entries()) {
    const isFull = count >= RECEIVED_MAX || bytes + file.size > RECEIVED_BYTES_MAX
    const at = begun + index
    const why = (await problemOf(file)) ?? (isFull ? 'full' : await stored({ file, at }, receiver, parts))
    if (why === null) {
      count += 1
      bytes += file.size
    } else notStored.set(why, (notStored.get(why) ?? 0) + 1)
  }
  return [...notStored].map(([why, n]) => ({ why, n }))
}

/** Returns why a file cannot be a photo of a form; null if it can. The form checks the file again. */
async function problemOf(file: File): Promise<LeftReason | null> {
  try {
    const head = await file.slice(0, HEAD_BYTES).arrayBuffer()
    return photoProblem({ head, size: file.size }, PHOTO_READ_MAX_MB)
  } catch {
    return 'failed'
  }
}

/**
 * Stores a photo. @returns null once it is on disk, otherwise the reason why it is not
 * @param at epoch ms; photos that are shared together differ by a millisecond, to keep their order
 */
async function stored(
  { file, at }: { file: File; at: number },
  { user, publicKey }: { user: string; publicKey: ArrayBuffer },
  { store, newId, room, report }: ReceiveParts,
): Promise<LeftReason | null> {
  const id = newId()
  try {
    const { bytes, ...sealed } = await sealedFor(publicKey, id, file)
    await store.add({ id, user, at, size: file.size, ...sealed }, bytes)
    return null
  } catch (error) {
    if (await isStorageFull(error, room)) return 'room'
    report(error)
    return 'failed'
  }
}
