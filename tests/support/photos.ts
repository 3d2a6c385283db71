/** Photos for the replication tests: made up bytes, a record whose folder the test decides, and what the store holds. */
import { createHash } from 'node:crypto'
import { beforeEach } from 'vitest'
import type { SendFacts } from '#schemas/change.ts'
import { photoFacts } from '#schemas/changes/photo-queue.ts'
import { photoName } from '#schemas/resources/photo-name.ts'
import { createFileStore, createFileToken } from '#sync/photos/file-store.ts'
import type { PhotoFolder, PhotoParents } from '#sync/photos/photo-place.ts'
import { createHttp } from '#sync/transport/http.ts'
import { endpointsOf } from '#sync/transport/endpoints.ts'
import { pageLocks } from './page-locks.ts'
import { createSessionTokens } from '#sync/transport/session-tokens.ts'
import { sessionPort } from './session-port.ts'
import { savePhotos, type NewPhoto } from '#data/photos/photos.ts'
import { fileStamp, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { ENV, ORIGIN, until, type Device } from './device.ts'
import { todayScene, TODAY, type Replication } from './replication.ts'

export const PARENT = 'sf-1'
export const FOLDER_NAME = 'SAFE-0001'
export const RECORD_KEY = 'measure-1'

/** A JPEG as far as anyone looks: its first bytes, then others that differ by `seed`. */
export function jpeg(seed: number, size = 3_000): ArrayBuffer {
  const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 31 + seed * 17) % 256)
  bytes.set([0xff, 0xd8, 0xff, 0xe0])
  return bytes.buffer
}

export const sha256 = (bytes: ArrayBuffer | undefined) =>
  createHash('sha256')
    .update(new Uint8Array(bytes ?? new ArrayBuffer(0)))
    .digest('hex')

/** Parents as the test turns them: by record key, else a folder of a name to be made. */
export function fakeParents(): PhotoParents & { at: Map<string, PhotoFolder> } {
  const at = new Map<string, PhotoFolder>()
  const folderOf: PhotoParents['folderOf'] = async (_, recordKey) =>
    at.get(recordKey) ?? { kind: 'make', parentId: PARENT, name: FOLDER_NAME }
  return { at, folderOf }
}

/** A scene whose photos have such parents. */
export function photoScene() {
  const app = todayScene()
  const parents = fakeParents()
  beforeEach(() => {
    parents.at.clear()
    app.phone.parents = parents
  })
  return { app, parents }
}

interface Taken extends NewPhoto {
  bytes: ArrayBuffer
}

/** A photo taken and saved; what the form does. @returns its key */
export async function take(device: Device, name: string, seed: number, over: Partial<Taken> = {}) {
  const saver = device.saver()
  const { bytes = jpeg(seed), ...known } = over
  const now = saver.clock.now()
  const key = saver.newId()
  await device.bytes.put(key, bytes)
  await savePhotos(saver, [
    {
      key,
      resource: 'safetyMeasures',
      recordKey: RECORD_KEY,
      requestId: 'r-1',
      workingDate: TODAY,
      name: photoName(name, fileStamp(now), 'image/jpeg'),
      size: bytes.byteLength,
      type: 'image/jpeg',
      takenAt: toTokyoIso(now),
      placeInfo: '',
      ...known,
    },
  ])
  return key
}

/** @returns undefined also of one that was deleted, or discarded, and only says so */
export async function photoOf(device: Device, key: string) {
  const photo = (await device.db.photos.findOne(key).exec())?.toMutableJSON()
  return photo && (photo.wanted === 'kept' || photo.unsent === 'yes') ? photo : undefined
}

export async function photoRow(device: Device, key: string): Promise<SendFacts | undefined> {
  const photo = (await device.db.photos.findOne(key).exec())?.toMutableJSON()
  return photo && photoFacts(photo)
}

/** Until no photo of the device is unsent. */
export const photosSent = (device: Device, ms?: number) =>
  until(async () => (await device.db.photos.find({ selector: { unsent: 'yes' } }).exec()).length === 0, ms)

/** The file store's calls as another phone makes them, whose clock says `at`. */
export function otherPhone({ phone, crmNow }: Replication, at = crmNow) {
  const user = phone.session.value?.userInfo
  if (!user) throw new Error('sign in first')
  const http = createHttp({ fetch, securityKey: ENV.securityKey })
  const sessions = sessionPort(phone.session, async () => undefined)
  const url = `${ORIGIN}${ENV.fileStoreEndpoint}`
  const now = () => at
  const refreshUrl = endpointsOf(ENV, ORIGIN).refresh
  const tokens = createSessionTokens({
    store: sessions,
    http,
    locks: pageLocks(),
    refreshUrl,
    userId: user.id,
  })
  const token = createFileToken({ http, url, user, sessions, tokens, now })
  return createFileStore({ http, token, url, now })
}

/** What the file store holds, by name. */
export async function filesOf({ crm }: Replication) {
  const { files } = await crm.inspect()
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Calls of the file store, by a part of their path. */
export const fileCalls = ({ crm }: Replication, part: string) =>
  crm.calls.filter(({ path }) => path.includes(part) && path.startsWith('/doccloud'))
