/**
 * What stays on the device of a user who is not signed in (sync RULES SV3, EX6): what the CRM does not have yet, and what
 * was being typed, with the photos that it marks 削除. All else came from the CRM, and comes again with the next login. A pure rule over what is stored.
 */
import type { FormDraft } from '#schemas/device/form-draft.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'

/** A document as RxDB's Dexie storage keeps it, or bytes' facts. */
export type Row = Record<string, unknown>
/** Rows by collection; `bytes` are the facts of photos' bytes. */
export type Stored = ReadonlyMap<string, readonly Row[]>
/** Primary keys by collection. */
type Staying = ReadonlyMap<string, ReadonlySet<string>>

export interface Until {
  /** Drafts touched before this are over, epoch ms (EX1). */
  drafts: number
  /** Bytes put after this may be those of a photo that is being saved, epoch ms. */
  bytes: number
}

const CHANGES = 'changes'
const OWN = 'own'
export const BYTES = 'bytes'

/** The stores that decide it. */
export const decidesWhatStays = (name: string): boolean =>
  isPushCollection(name) || [PHOTOS, CHANGES, OWN, BYTES].includes(name)

const textOf = (row: Row, name: string): string => {
  const value = row[name]
  return typeof value === 'string' ? value : ''
}
const isLive = ({ _deleted: deleted }: Row) => deleted !== '1' && deleted !== true
const recordOf = (change: Row) => `${textOf(change, 'resource')} ${textOf(change, 'recordKey')}`
const isOpenChange = (row: Row) => !['accepted', 'discarded'].includes(textOf(row, 'state'))

export function whatStays(stored: Stored, until: Until): Staying {
  const live = (name: string) => (stored.get(name) ?? []).filter(isLive)
  const drafts = live(OWN).filter((row) => isKeptDraft(row, until)) as (Row & FormDraft)[]
  // one that a form marks 削除 is found again under another key: its mark would name none any more
  const marked = new Set(drafts.flatMap(({ unwanted }) => unwanted))
  const photos = live(PHOTOS).filter(
    ({ key, unsent }) => unsent === 'yes' || marked.has(String(key)),
  ) as (Row & PhotoRecord)[]
  // a photo goes with its record, and a save that was cut short is ended by it
  const owners = [...photos, ...drafts.filter(isBeingSaved)]
  const isOwner = (name: string, row: Row) =>
    owners.some(({ resource, recordKey }) => resource === name && recordKey === row['key'])

  const staying = new Map<string, Set<string>>()
  const unsent = new Set(live(CHANGES).filter(isOpenChange).map(recordOf))
  // what was accepted of a record says its id, as long as something of it is unsent
  const changes = live(CHANGES).filter(
    (row) => unsent.has(recordOf(row)) || isOwner(textOf(row, 'resource'), { key: row['recordKey'] }),
  )
  staying.set(CHANGES, keysOf(changes, 'id'))
  // what an unsent edit is laid over stays with it
  const isChanged = (name: string, row: Row) =>
    changes.some((change) => change['resource'] === name && change['recordKey'] === row['key'])
  for (const name of [...stored.keys()].filter(isPushCollection)) {
    const kept = live(name).filter((row) => isOwner(name, row) || isChanged(name, row))
    staying.set(name, keysOf(kept, 'key'))
  }
  staying.set(PHOTOS, keysOf(photos, 'key'))
  staying.set(OWN, keysOf(drafts, 'rowKey'))
  const named = new Set([
    ...photos.filter(({ unsent }) => unsent === 'yes').map(({ key }) => key),
    ...drafts.flatMap((draft) => draft.photos.map(({ key }) => key)),
  ])
  const isYoung = ({ cached, putAt }: Row) => cached !== 1 && Number(putAt) > until.bytes
  const bytes = (stored.get(BYTES) ?? []).filter((row) => named.has(textOf(row, 'key')) || isYoung(row))
  staying.set(BYTES, keysOf(bytes, 'key'))
  return staying
}

/** A save that has begun is ended at the next start, and never expires. */
const isKeptDraft = (row: Row, until: Until) => isBeingSaved(row) || isYoungDraft(row, until)

const isBeingSaved = (row: Row) => textOf(row, 'saving') !== ''

const isYoungDraft = ({ _meta: meta }: Row, until: Until) =>
  Number((meta as { lwt?: unknown } | undefined)?.lwt ?? 0) >= until.drafts

const keysOf = (rows: readonly object[], name: string) =>
  new Set(rows.map((row) => String(Reflect.get(row, name))))
