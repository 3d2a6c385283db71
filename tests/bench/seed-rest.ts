/** What hangs on the requests of a device that has been used for long: notes and photos of the CRM, and saves that wait. */
import { blankProgress } from '#schemas/changes/change-queue.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { PAGE_SIZE } from '#schemas/limits.ts'
import type { Database } from '#data/database/database.ts'
import { openPhotoBytes } from '#data/photos/photo-bytes.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { createClock } from '#lib/time/stamp.ts'
import { PLAIN } from '../support/plain-sealer.ts'

export interface Rest {
  notes: number
  photos: number
  /** Entries that were saved here and not sent. */
  unsent: number
}

/** As small as they are where only thumbnails are looked at: what counts is how many there are. */
const PHOTO_BYTES = 20_000
const THUMB_BYTES = 4_000
const AREAS = 300

/** @param requests none of them has a report on the device yet */
export async function seedRest(db: Database, requests: readonly RequestRecord[], rest: Rest): Promise<void> {
  const at = new Date().toISOString()
  const notes = Array.from({ length: rest.notes }, (_, i) => noteAt(i, at))
  for (let from = 0; from < notes.length; from += PAGE_SIZE)
    await db.noteLocationAreas.bulkInsert(notes.slice(from, from + PAGE_SIZE))
  await seedPhotos(db, notes, rest.photos, at)
  let memory: string | null = null
  const clock = createClock({
    now: Date.now,
    device: 'bench',
    memory: { get: () => memory, set: (stamp) => void (memory = stamp) },
  })
  const saver = { db, clock, newId: () => crypto.randomUUID(), userId: 'bench', offline: true }
  for (const request of requests.slice(0, rest.unsent)) await saveEntry(saver, [request], at)
}

async function seedPhotos(db: Database, notes: readonly NoteRecord[], count: number, at: string) {
  const bytes = openPhotoBytes({ sealer: PLAIN, databaseName: db.name, now: Date.now })
  const photos = Array.from({ length: count }, (_, i) => photoAt(i, notes[i % notes.length], at))
  for (let from = 0; from < photos.length; from += PAGE_SIZE)
    await db.photos.bulkInsert(photos.slice(from, from + PAGE_SIZE))
  // not as cached ones: each of those looks through all that are there for room
  for (const { key } of photos)
    await bytes.put(key, new ArrayBuffer(PHOTO_BYTES), { thumb: new ArrayBuffer(THUMB_BYTES) })
  bytes.close()
}

function noteAt(i: number, at: string): NoteRecord {
  const id = `note-${i}`
  return {
    key: id,
    requestId: `bench-${i}`,
    workingDate: '',
    locationAreaId: `area-${i % AREAS}`,
    noteType: '2',
    serverId: id,
    unsent: 'no',
    changes: [],
    server: {
      id,
      detailed: true,
      stamp: '1',
      note: `ピットのふたは2枚とも重い（約40kg）。2人で開けてください。（${i}）`,
      openFlag: '1',
      createdAt: at,
      createdDisplayName: '東都ポンプ工業株式会社 石井 健太',
      loginUserId: 'other',
      filePath: null,
      name: null,
      noteLocationFolderId: null,
    },
  }
}

const photoAt = (i: number, note: NoteRecord | undefined, at: string): PhotoRecord => ({
  key: `photo-${i}`,
  resource: 'noteLocationAreas',
  recordKey: note?.key ?? '',
  requestId: note?.requestId ?? '',
  workingDate: '',
  name: `20261120101500000_${i}.jpg`,
  placeInfo: '',
  createDate: at,
  size: PHOTO_BYTES,
  type: 'image/jpeg',
  wanted: 'kept',
  fileSeq: String(i + 1),
  folderId: '1',
  storeName: `20261120101500000_${i}.jpg`,
  bytesAsked: 'no',
  ...blankProgress(at),
  state: 'accepted',
  stamp: '',
  savedAt: at,
  userId: 'other',
  offline: false,
  unsent: 'no',
})
