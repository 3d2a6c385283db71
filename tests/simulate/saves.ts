/** What people have saved, how one save stands to another, and which of them a call is about. */
import { isOpen } from '#schemas/changes/record-view.ts'
import type { Disk } from './disk.ts'
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import type { Said } from './field-witness.ts'
import {
  contentOf,
  isSameValue,
  madeBy,
  recordIdsOf,
  recordKinds,
  recordPathOf,
  type Held,
} from './record-kinds.ts'
import { RefusalWitness } from './refusal-witness.ts'
import { isEntry, isInDoubt, standsFor, type Save } from './save.ts'
import { TheirsWitness } from './theirs-witness.ts'

/** So long a round of the queue may wait between two calls: for a call of another, and for the longest back-off. */
const ROUND_MS = 60_000

/** A save is on the disk by then. */
const SAVED_MS = 500

/** What became of it the device does not know yet, whatever the CRM has made of it. */
const isUntold = ({ disk, change }: Save): boolean => {
  const entry = disk.changes.get(change.id)
  return entry !== undefined && isInDoubt(entry)
}

/** Neither the CRM nor the user is done with it. */
function isOpenOn({ disk, change }: Save): boolean {
  const row = disk.changes.get(change.id)
  return row !== undefined && !row._deleted && isOpen(row)
}

export class Saves {
  readonly theirs = new TheirsWitness()
  readonly refusals = new RefusalWitness()
  /** What the CRM holds. */
  held: readonly Held[] = []
  private readonly byId = new Map<string, Save>()
  private readonly byRecord = new Map<string, Save[]>()
  private readonly hearsLateMs: number

  /** @param hearsLateMs so late a tab hears what another one saved */
  constructor(hearsLateMs: number) {
    this.hearsLateMs = hearsLateMs
  }

  get = (id: string) => this.byId.get(id)
  has = (id: string) => this.byId.has(id)
  all = (): Save[] => [...this.byId.values()]
  add(save: Save): void {
    this.byId.set(save.change.id, save)
    this.ofRecord(save).push(save)
    save.onTheirs = !isEntry(save) && this.theirs.isOnTheirs(save, this.others(save))
  }

  /** Indexed, as it is asked for at every call. */
  private ofRecord(save: Save): Save[] {
    const name = `${save.disk.name} ${save.collection} ${save.key}`
    const known = this.byRecord.get(name) ?? []
    this.byRecord.set(name, known)
    return known
  }

  discardAsked(id: string): void {
    const save = this.get(id)
    if (!save) return
    save.discardAsked = true
    save.newestAtDiscard =
      this.ofRecord(save)
        .map(({ change }) => change.stamp)
        .toSorted()
        .at(-1) ?? ''
  }

  /** 破棄 without a question. @param isTaken false: a call of it had begun, and it is to go on as if nobody had asked */
  discardedAtOnce(id: string, isTaken: boolean): void {
    const save = this.get(id)
    if (!save) return
    save.atOnce ||= isTaken
    if (!isTaken && save.wish !== 'discard') save.discardAsked = false
  }

  /** True for a save that nobody saw yet when the record's entry was given up: it stays, for the user to decide. */
  isAfterDiscard(id: string): boolean {
    const save = this.get(id)
    const isAfter = (other: Save) =>
      isEntry(other) && other.discardAsked && (save?.change.stamp ?? '') > other.newestAtDiscard
    return save !== undefined && this.others(save).some(isAfter)
  }

  /** @returns which wish it is: of two at once only the later one is sure to stand */
  wishBegins(id: string): number {
    const save = this.get(id)
    if (!save) return 0
    // until it is written, nobody knows which of them is
    save.wish = 'none'
    return (save.asked += 1)
  }

  wishKept(id: string, what: Save['wish'], asked: number): void {
    const save = this.get(id)
    if (save) save.wish = save.asked === asked ? what : 'none'
  }

  /** 破棄 of itself, or of the entry it hangs on. */
  isGivenUp = (save: Save): boolean =>
    save.discardAsked ||
    (!isEntry(save) &&
      !save.onTheirs &&
      this.others(save).some((other) => isEntry(other) && other.discardAsked)) ||
    this.others(save).some(
      (other) => other.discardAsked && this.isLater(other, save) && standsFor(other, save),
    )

  /** Another save of the same content came after it, which is still there, or was acknowledged. */
  isReplaced = (save: Save, among?: readonly { id: string }[]): boolean =>
    this.others(save).some(
      (other) =>
        standsFor(other, save) &&
        this.isLater(other, save) &&
        (!among || among.some(({ id }) => id === other.change.id)),
    )

  /** Also where two saves overlap: then their stamps decide which one counts. */
  private isLater = (a: Save, b: Save) =>
    a.call.started > (b.call.confirmed ?? Infinity) || a.change.stamp > b.change.stamp

  others = (save: Save) => this.ofRecord(save).filter((other) => other !== save)

  isWaiting = (save: Save): boolean =>
    !save.acked && !this.isGivenUp(save) && !this.isReplaced(save) && isOpenOn(save)

  /** What waits and could go. */
  waitingOn = (disk: Disk | undefined): Save[] =>
    this.all().filter((save) => save.disk === disk && this.isWaiting(save) && !save.parked)

  /**
   * Under the same key the CRM holds the very same, from another device or the office: one record stands for both. Its times,
   * which a request's row does not tell, may be the office's.
   */
  isSaidElsewhere = (
    { disk, collection, key, change }: Save,
    isByOffice: (id: string, field: string) => boolean,
  ): boolean => {
    if (recordKinds[collection].words !== null) return false
    const others = this.all().filter(
      (other) => other.disk !== disk && other.acked && other.collection === collection && other.key === key,
    )
    const content = contentOf(collection, change.fields)
    const isSame = (one: Held) =>
      one.collection === collection &&
      one.named === key &&
      Object.keys(content).every(
        (field) =>
          isSameValue(one.fields[field], content[field]) ||
          (field.endsWith('Time') && isByOffice(one.id, field)),
      )
    const said = JSON.stringify(change.fields)
    return others.some((other) => JSON.stringify(other.change.fields) === said) || this.held.some(isSame)
  }

  /** What is held back by what it does not hang on (RULES OR3). */
  isHeldInVain(id: string, blockedBy: string | undefined): boolean {
    const save = this.get(id)
    return save !== undefined && blockedBy !== undefined && this.theirs.isHeldInVain(save, blockedBy)
  }

  /** Which saves a read is about. */
  lookedFor(device: string, { method, url }: HttpCall): Save[] {
    if (method !== 'GET') return []
    const asked = lookOf(url)
    if (!asked) return []
    const isMeant = (save: Save) =>
      (!asked.collection || asked.collection === save.collection) &&
      (asked.of === 'request' ? save.requestId === asked.id : this.isRecordOf(save, asked.id))
    return this.all().filter((save) => save.device === device && isMeant(save))
  }

  /** Its own, or what another device has made under the same key: a create in doubt is held against that. */
  private isRecordOf({ collection, key, disk }: Save, id: string): boolean {
    const known = disk.view(collection, key)?.serverId ?? ''
    if (known !== '') return known === id
    return (
      this.held.some((one) => one.id === id && one.collection === collection && one.named === key) ||
      this.all().some(
        (other) =>
          other.collection === collection &&
          other.key === key &&
          other.disk.view(collection, key)?.serverId === id,
      )
    )
  }

  /** Whether a device knows which record of the CRM it is: nobody else could tell what was changed of one in doubt. */
  isKnown = (id: string) =>
    this.all().some(({ disk, collection, key }) => disk.view(collection, key)?.serverId === id)

  /** Whether an earlier save was to leave before a later one (RULES OR1). */
  shouldHaveGone(early: Save, late: Save, sent: readonly Save[], now: number): boolean {
    if (early.disk !== late.disk || sent.includes(early) || early.parked || early.unclear) return false
    // whose turn it is was decided while nobody knew of its end (RULES OR3)
    if (now - early.clearedAt < ROUND_MS) return false
    // its call was under way in a tab that is no more: it comes after the others until a call of it has an end (RULES OR3)
    if (early.doubted && early.disk.changes.get(early.change.id)?.state === 'sending') return false
    // saved in two tabs at the same moment: a save is heard of late once it is on the disk
    if (this.hearsLateMs > 0 && late.call.at - early.call.at < this.hearsLateMs + SAVED_MS) return false
    if ((early.call.confirmed ?? Infinity) >= late.call.started || !this.isWaiting(early)) return false
    // it waits for its own entry, or did until a moment ago
    const isHeld = (other: Save) =>
      isEntry(other) && (this.isWaiting(other) || other.parked || other.doubted || isUntold(other))
    return isEntry(early) || !this.others(early).some(isHeld)
  }

  /** What is to make its record has still to go, and the CRM has none that it was saved on. */
  waitsForEntry(save: Save): boolean {
    if (isEntry(save) || save.onTheirs) return false
    const entries = this.others(save).filter(isEntry)
    const isMade = entries.some((other) => other.acked && other.change.stamp < save.change.stamp)
    return !isMade && entries.some(this.isWaiting)
  }

  /** Who is refused has not looked; only 404 says that it is not there, and not of a list (RULES OC6, OC7). */
  looked(device: string, call: HttpCall, { status, isJson }: Extract<Answer, { kind: 'answer' }>) {
    this.refusals.answered(this.sentIn(device, call))
    if (call.method !== 'GET' || !isJson || (status !== 200 && status !== 404)) return
    for (const save of this.lookedFor(device, call)) {
      const { lookedForIn } = recordKinds[save.collection]
      const isOfRequest = call.url.includes('/spa/request/')
      if (isOfRequest) this.refusals.looked(save, status)
      if (lookedForIn === 'request' ? isOfRequest : !isOfRequest && status === 200) save.inDoubt = false
    }
  }

  /**
   * What a PUT says: what its save has touched, and what earlier ones have that the device does not know to be in the CRM;
   * of these it must say what a tab had heard of when the later one was saved.
   */
  saidBy(saves: readonly Save[]): Said {
    const [last] = saves.toSorted((a, b) => (a.change.stamp > b.change.stamp ? -1 : 1))
    if (!last) return { may: new Set(), must: new Set(), content: {} }
    const earlier = this.others(last).filter((other) => this.isLater(last, other))
    // what makes a record whole has replaced the edits before it, too; an entry says nothing of the exit
    const known = earlier.filter(
      ({ disk, change }) => change.kind !== 'entry' && disk.changes.get(change.id)?.state === 'accepted',
    )
    const after = known.reduce((stamp, { change }) => (change.stamp > stamp ? change.stamp : stamp), '')
    const open = earlier.filter((other) => !isEntry(other) && other.change.stamp > after)
    const heard = open.filter(
      (other) => last.call.at - other.call.at >= this.hearsLateMs && !this.isGivenUp(other),
    )
    const fieldsOf = (of: readonly Save[]) => new Set([last, ...of].flatMap(({ call }) => [...call.touched]))
    const content = contentOf(last.collection, last.change.fields)
    return { may: fieldsOf(open), must: fieldsOf(heard), content }
  }

  /** Whose content a call carries. */
  sentIn(device: string, call: HttpCall): Save[] {
    const { method, headers, body = '{}' } = call
    const collection = method === 'GET' ? undefined : recordPathOf(call)?.collection
    if (!collection) return []
    const named = this.byId.get(headers?.['Idempotency-Key'] ?? '')
    if (named || madeBy(call)) return named ? [named] : []
    const { words } = recordKinds[collection]
    if (words === null) return []
    const said: unknown = Reflect.get(JSON.parse(body) as object, words)
    const ids = recordIdsOf(call)
    return this.all().filter(
      (save) =>
        save.device === device &&
        save.collection === collection &&
        contentOf(collection, save.change.fields)[words] === said &&
        ids.includes(save.disk.view(collection, save.key)?.serverId ?? ''),
    )
  }
}

/** Which records a read is about: those of a request, of its list, or one by its id. */
function lookOf(url: string) {
  const [, requestId] = /\/spa\/request\/([^?]+)/.exec(url) ?? []
  if (requestId !== undefined) return { of: 'request', id: decodeURIComponent(requestId) } as const
  const { collection, rest = '' } = recordPathOf({ url }) ?? {}
  if (!collection) return null
  return rest.startsWith('request/')
    ? ({ of: 'request', collection, id: rest.slice('request/'.length) } as const)
    : ({ of: 'record', collection, id: rest } as const)
}
