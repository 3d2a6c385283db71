/** What people do with photos: the real commands of the screens, on what a screen would show. */
import { visitKey } from '#schemas/resources/visit-key.ts'
import { photoName } from '#schemas/resources/photo-name.ts'
import { photoItem } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { noting, type Saver } from '#data/changes/changes.ts'
import { addDraftPhoto } from '#data/drafts/drafts.ts'
import { deletePhoto } from '#data/photos/photos.ts'
import { renamePhoto } from '../support/rename-photo.ts'
import { saveDraft, type DraftTarget } from '#data/drafts/save-draft.ts'
import { wish } from '#data/fetch-requests/wishes.ts'
import { fileStamp, toTokyoIso } from '#lib/time/tokyo-time.ts'
import type { AppInstance } from './app-instance.ts'
import type { PhotoActionName } from './plan-item.ts'
import { pickOf } from './random.ts'
import { sizeOfPhoto } from './shot.ts'
import type { World } from './world.ts'

interface Hands {
  world: World
  app: AppInstance
  clock: Saver['clock']
  /** The entry that photos are taken for, where it is not there yet. */
  enter?: { request: RequestRecord; write: (clock: Saver['clock']) => Promise<void> }
}

export async function photoAct(hands: Hands, act: PhotoActionName, chance: number): Promise<void> {
  const { world, app, clock, enter } = hands
  const { disk, reader, photos } = app
  const records = disk.records(reader)
  const rows = disk.photoRows(reader)
  const kept = rows.filter(({ wanted }) => wanted === 'kept')
  const saver: Saver = { db: photos.db, clock, newId: () => idOf(world), userId: disk.userId, offline: false }
  switch (act) {
    case 'photo':
    case 'photos': {
      const record = pickOf(records, chance)
      const count = act === 'photo' ? 1 : 2 + Math.floor(chance * 3)
      if (record)
        await take(hands, saver, { resource: 'quickReports', recordKey: record.key, ...record }, count)
      return
    }
    case 'photoEntry': {
      if (!enter) return
      const { request, write } = enter
      const { id: requestId, workingDate } = request
      const recordKey = visitKey(requestId, workingDate)
      const target = { resource: 'quickReports', recordKey, requestId, workingDate }
      return take(hands, saver, target, chance < 0.5 ? 1 : 2, write)
    }
    case 'renamePhoto': {
      const photo = pickOf(kept, chance)
      return (
        photo && changing(world, saver, photo, (own) => renamePhoto(own, photo.key, `${idOf(world)}.jpg`))
      )
    }
    case 'deletePhoto': {
      const photo = pickOf(kept, chance)
      return photo && changing(world, saver, photo, (own) => deletePhoto(own, photo.key))
    }
    case 'resendPhoto':
      return wishFor(hands, pickOf(unsent(rows, true), chance), 'resend')
    case 'discardPhoto':
      return wishFor(hands, pickOf(unsent(rows, chance < 0.7), chance), 'discard')
  }
}

const idOf = (world: World) => `p${(world.ids += 1)}`

/** Tabs in which a form is open: one at a time. */
const busy = new WeakSet<AppInstance>()

async function take(...args: Parameters<typeof fillIn>): Promise<void> {
  const [{ app }] = args
  if (busy.has(app)) return
  busy.add(app)
  await fillIn(...args).finally(() => busy.delete(app))
}

/** A form: each photo goes into its draft when it is taken, all are saved at once. */
async function fillIn(
  { world, app, clock }: Hands,
  saver: Saver,
  { resource, recordKey, requestId, workingDate }: DraftTarget,
  count: number,
  write: (clock: Saver['clock']) => Promise<void> = async () => undefined,
): Promise<void> {
  const place = { db: app.photos.db, bytes: app.photos.bytes }
  const draftKey = `photos/${recordKey}`
  const keys: string[] = []
  const stamp = fileStamp(clock.now())
  for (let i = 0; i < count; i += 1) {
    const number = (world.photos += 1)
    const bytes = jpeg(number)
    const key = `ph${number}`
    world.photoWitness.taken(key, bytes)
    keys.push(key)
    const photo = {
      key,
      // of one moment: the name must be made unique
      name: photoName('image.jpg', stamp, 'image/jpeg'),
      placeInfo: '',
      takenAt: toTokyoIso(clock.now()),
      size: bytes.byteLength,
      type: 'image/jpeg' as const,
    }
    await addDraftPhoto(place, draftKey, photo, { bytes, thumb: undefined })
  }
  const target = { resource, recordKey, requestId, workingDate }
  const form = { key: draftKey, values: {}, kept: Promise.resolve() }
  const own = noting(saver).saver
  await saveDraft({ ...own, ...place }, form, target, () => write(own.clock))
  world.photoWitness.saved(app.disk, recordKey, keys)
}

/** No two photos of a run have the same size: it tells them apart before their bytes are read. */
function jpeg(number: number): ArrayBuffer {
  const bytes = Uint8Array.from({ length: sizeOfPhoto(number) }, (_, i) => (i * 31 + number * 17) % 256)
  bytes.set([0xff, 0xd8, 0xff, 0xe0])
  return bytes.buffer
}

async function changing(
  world: World,
  saver: Saver,
  { key }: PhotoRecord,
  run: (own: Saver) => Promise<void>,
) {
  const stamp = () => {
    const text = saver.clock.stamp()
    world.photoWitness.changes(key, text)
    return text
  }
  await run({ ...saver, clock: { ...saver.clock, stamp } })
}

function unsent(rows: readonly PhotoRecord[], onlyParked: boolean) {
  const items = rows.map((photo) => photoItem(photo)).filter((item) => item !== null)
  return onlyParked ? items.filter(({ state }) => state === 'failed' || state === 'expired') : items
}

async function wishFor(
  { world, app }: Hands,
  item: ReturnType<typeof unsent>[number] | undefined,
  what: 'resend' | 'discard',
): Promise<void> {
  if (!item) return
  const { record, change } = item
  world.witness.note(`  ${what} ${change.id}`)
  if (what === 'discard') world.photoWitness.discardAsked(record.key, change)
  await wish(app.photos.db, item, what)
  world.photoWitness.wishKept(record.key, change, what)
}
