/**
 * One user's database on the disk of the model: what is here survives every crash, and a removed document stays as a tombstone.
 * A tab reads what another one writes a while later.
 */
import type { PendingRecord } from '#schemas/changes/change-queue.ts'
import type { Change, PushableRecord, SendFacts, StoredRecord } from '#schemas/change.ts'
import type { Records } from '#schemas/collections/collections.ts'
import { pushCollections, type PushCollection } from '#schemas/collections/push-collections.ts'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import { photoFacts } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import { recordView, recordViews } from '#schemas/changes/record-view.ts'
import { BytesOnDisk } from './bytes-on-disk.ts'

interface Tables extends Pick<Records, PushCollection> {
  changes: Change
  photos: PhotoRecord
  drafts: FormDraft
}
export type TableName = keyof Tables
export type Row<N extends TableName> = Tables[N] & { _deleted?: boolean }

const VERSIONS_KEPT = 20

type Pushed = { readonly [C in PushCollection]: Map<string, Row<C>> }
/** What travels, by its declaration. */
class PushedTables {
  constructor() {
    Object.assign(this, Object.fromEntries(pushCollections.map((collection) => [collection, new Map()])))
  }
}

/** One user's database on one device's disk: what is here survives every crash. */
export class Disk extends (PushedTables as new () => Pushed) {
  readonly changes = new Map<string, Row<'changes'>>()
  readonly photos = new Map<string, Row<'photos'>>()
  readonly drafts = new Map<string, Row<'drafts'>>()
  readonly bytes = new BytesOnDisk()
  /** Keys of records that were read again after they were sent: of what only the CRM knows the device knows it. */
  readonly readAgain = new Set<string>()
  readonly watchers: DiskWatcher[] = []
  /** Of each row the versions that somebody may still read, the newest last. */
  private readonly versions = new Map<string, Version[]>()

  readonly name: string
  readonly userId: string

  constructor(name: string, userId: string) {
    super()
    this.name = name
    this.userId = userId
  }

  private keepVersion(name: string, version: Version, before: object | undefined): void {
    const known = this.versions.get(name) ?? [{ row: before, author: null, at: -Infinity }]
    this.versions.set(name, [...known.slice(-VERSIONS_KEPT), version])
  }

  /** A row as this tab reads it. */
  seen<N extends TableName>(table: N, key: string, reader: Reader): Row<N> | undefined {
    const versions = this.versions.get(`${table} ${key}`)
    if (!versions) return (this[table] as unknown as Map<string, Row<N>>).get(key)
    const until = reader.knowsUntil()
    const version = versions.findLast(({ author, at }) => author === reader || at <= until)
    return (version ?? versions[0])?.row as Row<N> | undefined
  }

  /** @param reader as this tab knows it; as it is, without one */
  records = (reader?: Reader) => this.of('quickReports', reader) as QuickReportRecord[]
  /** Of all resources that travel. */
  pushed = (reader?: Reader): PendingRecord[] =>
    pushCollections.flatMap((resource) => this.of(resource, reader).map((row) => ({ resource, ...row })))
  of = (resource: PushCollection, reader?: Reader): PushableRecord[] => [
    ...recordViews(this.rows(resource, reader) as StoredRecord[], this.changesIn(resource, reader)).values(),
  ]
  /** One record, with what was saved here. */
  view = (resource: PushCollection, key: string): PushableRecord | null => {
    const row = this[resource].get(key) as (StoredRecord & { _deleted?: boolean }) | undefined
    const changes = this.changesIn(resource).filter(({ recordKey }) => recordKey === key)
    return recordView(row?._deleted ? null : row, changes)
  }
  private changesIn = (resource: PushCollection, reader?: Reader): Change[] =>
    this.rows('changes', reader).filter((change) => change.resource === resource)
  /** How far each change, of a record or a photo, is on its way. */
  entries = (reader?: Reader): Map<string, SendFacts> =>
    new Map(
      [...this.photoRows(reader).map(photoFacts), ...this.rows('changes', reader)].map((row) => [
        row.id,
        row,
      ]),
    )
  photoRows = (reader?: Reader): PhotoRecord[] => this.rows('photos', reader)

  /** Everything that travels goes, sent or not. */
  removeAll(): void {
    for (const table of pushCollections)
      for (const row of this.rows(table, undefined)) this.write(table, row.key, { ...row, _deleted: true })
    for (const row of this.rows('changes', undefined))
      this.write('changes', row.id, { ...row, _deleted: true })
  }

  private rows<N extends TableName>(table: N, reader: Reader | undefined): Row<N>[] {
    const rows = this[table] as unknown as Map<string, Row<N>>
    const known = reader ? [...rows.keys()].map((key) => this.seen(table, key, reader)) : [...rows.values()]
    return known.filter((row) => row !== undefined).filter((row) => !row._deleted)
  }

  /** @param author who knows of it at once; without one, everybody does */
  write<N extends TableName>(table: N, key: string, row: Row<N>, author?: Reader): void {
    const rows = this[table] as unknown as Map<string, Row<N>>
    const before = rows.get(key)
    rows.set(key, row)
    if (author) this.keepVersion(`${table} ${key}`, { row, author, at: author.now() }, before)
    else this.versions.delete(`${table} ${key}`)
    const told = { before: before?._deleted ? undefined : before, after: row._deleted ? undefined : row }
    for (const watch of this.watchers) watch({ table, key, author, ...told } as DiskWrite)
  }
}

interface Version {
  row: object | undefined
  author: Reader | null
  at: number
}

/** One tab's view of the disk. */
export interface Reader {
  now(): number
  /** What others wrote until then is known to it. */
  knowsUntil(): number
}

export type DiskWrite = {
  [N in TableName]: {
    table: N
    key: string
    author: Reader | undefined
    before: Tables[N] | undefined
    after: Tables[N] | undefined
  }
}[TableName]
export type DiskWatcher = (write: DiskWrite) => void
