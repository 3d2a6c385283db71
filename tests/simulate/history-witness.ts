/**
 * The witness of what was replaced (RULES MG2, MG5): where an edit from here writes over a value that somebody else had given
 * a field, which the device has read before, that value is in the record's history. So the last save of a field is what the
 * CRM holds unless a later edit came from elsewhere, and of the two the one that went under can be seen.
 */
import { HISTORY_MAX, othersEdits, replacedHere } from '#schemas/change-history.ts'
import type { AnyChange } from '#schemas/change.ts'
import { declared } from '#schemas/collections/declared.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import type { Broken } from './field-witness.ts'
import type { Disk } from './disk.ts'
import { contentOf, isSameValue, recordIdsOf, type Held } from './record-kinds.ts'

/** Where the record of a save lies. */
interface Place {
  disk: Disk
  collection: PushCollection
  key: string
  change: Pick<AnyChange, 'madeOn'>
}

interface Owed extends Place {
  field: string
  value: string
}

/**
 * What nobody else may edit is not told (RULES MG5): its author, on another phone, has replaced what the form showed.
 */
const isKnowingly = ({ collection, change: { madeOn } }: Place, field: string, value: string): boolean =>
  !declared[collection].editedByOthers &&
  madeOn !== undefined &&
  isSameValue(contentOf(collection, madeOn.fields)[field], value)

/**
 * One of the saves was made on it: the form showed it. Where somebody else has said something else in between, and this again,
 * nobody who reads it afterwards can know.
 */
const isAsShown = (places: readonly Place[], field: string, value: string): boolean =>
  places.some(
    ({ collection, change: { madeOn } }) =>
      madeOn !== undefined && isSameValue(contentOf(collection, madeOn.fields)[field], value),
  )

const isOf = (one: Owed, other: Omit<Owed, 'value'>) =>
  one.disk === other.disk &&
  one.collection === other.collection &&
  one.key === other.key &&
  one.field === other.field

/** So many of a field are owed: the oldest may have made room for newer ones. */
const OWED = 2

export class HistoryWitness {
  private order = 0
  /** Since when a field says something, and when a device's user first read it so. */
  private readonly filled = new Map<string, number>()
  private readonly known = new Map<string, number>()
  /** When a record was last read. */
  private readonly reads = new Map<string, number>()
  /** Reads that have arrived, and whose answer nobody has had yet. */
  private readonly asked = new WeakMap<HttpCall, { disk: string; at: number }>()
  /** What somebody else said of a field that had said something before. */
  private readonly theirs = new Map<string, { by: string; value: string; at: number }>()
  private owed: Owed[] = []
  /** What calls on their way have replaced: one whose answer is lost may have been replaced before it is looked for. */
  private readonly underWay = new Map<HttpCall, Owed[]>()

  /** A read has arrived in the CRM. @param disk name of the disk that asks */
  read(disk: string, call: HttpCall): void {
    if (call.method === 'GET') this.asked.set(call, { disk, at: (this.order += 1) })
  }

  /** Its answer is there, and can be read: only now the device has what the record was when it arrived. */
  hasRead(call: HttpCall): void {
    const { disk, at } = this.asked.get(call) ?? {}
    if (disk === undefined || at === undefined) return
    for (const id of recordIdsOf(call)) {
      const name = `${disk} ${id}`
      this.reads.set(name, Math.max(at, this.reads.get(name) ?? 0))
      for (const [field, since] of this.filled)
        if (field.startsWith(`${id} `) && since < at && !this.known.has(`${disk} ${field}`))
          this.known.set(`${disk} ${field}`, at)
    }
  }

  /**
   * @param call null where somebody else writes
   * @param places of the saves that a PUT carries; none where somebody else writes
   * @param said fields of a record that its saves have touched
   */
  written(
    call: HttpCall | null,
    places: readonly Place[],
    said: (record: Held) => ReadonlySet<string>,
    before: readonly Held[],
    after: readonly Held[],
  ): void {
    const at = (this.order += 1)
    for (const record of after) {
      const { id, fields } = record
      const old = before.find((other) => other.id === id)?.fields ?? fields
      const own = places.filter(({ disk, collection, key }) => disk.view(collection, key)?.serverId === id)
      const by = own[0]?.disk.name ?? ''
      const touched = own.length > 0 ? said(record) : new Set<string>()
      for (const [field, value] of Object.entries(fields)) {
        const name = `${id} ${field}`
        if (value === null) this.filled.delete(name)
        else if (!this.filled.has(name)) this.filled.set(name, at)
        // what somebody else and a person here have both said is as much this person's
        if (touched.has(field) && isSameValue(old[field], value)) this.theirs.delete(name)
        if (isSameValue(old[field], value)) continue
        const last = this.theirs.get(name)
        const isTheirs = last && last.by !== by && isSameValue(last.value, old[field])
        if (isTheirs && !isAsShown(own, field, last.value))
          for (const place of own.filter((one) => !isKnowingly(one, field, last.value)))
            this.replaced(call, { ...place, field, value: last.value }, id, last.at)
        if (value !== null && (old[field] ?? null) !== null) this.theirs.set(name, { by, value, at })
        else this.theirs.delete(name)
      }
    }
  }

  private replaced(call: HttpCall | null, owed: Owed, id: string, at: number): void {
    const name = `${owed.disk.name} ${id}`
    // what had said nothing when it was read is not changed by who fills it in (RULES MG5)
    const isKnown = (this.known.get(`${name} ${owed.field}`) ?? Infinity) < at
    const isSeen = isKnown && (this.reads.get(name) ?? 0) > at
    if (isSeen && call) this.underWay.set(call, [...(this.underWay.get(call) ?? []), owed])
  }

  /** A PUT was answered: what it has replaced is to be seen from now on. */
  answered(call: HttpCall): void {
    for (const owed of this.underWay.get(call) ?? []) this.owe(owed)
  }

  private owe(owed: Owed): void {
    const others = this.owed.filter((one) => isOf(one, owed))
    if (others.length >= OWED) this.owed = this.owed.filter((one) => one !== others[0])
    this.owed.push(owed)
  }

  /** Nothing moves any more. */
  finish(broken: Broken): void {
    for (const { disk, collection, key, field, value } of this.owed) {
      const record = disk.view(collection, key)
      if (!record) continue
      const here = replacedHere(record.history).map((entry) => ({ [entry.field]: entry.value }))
      const others = othersEdits(record.history).map((edit) => ({ [edit.field]: edit.after }))
      // what was seen since may have taken its room
      if (record.history?.filter((entry) => entry.field === field).length === HISTORY_MAX) continue
      const isThere = [...here, ...others].some(
        (entry) => field in entry && isSameValue(contentOf(collection, entry)[field], value),
      )
      if (!isThere) broken(`${key}: ${field} was ${value} by somebody else, and its history does not say so`)
    }
  }
}
