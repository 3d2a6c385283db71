/**
 * Knows what the CRM holds, what it gave to which phone, and what was saved; and nothing of the engine. Each write of a page
 * is held against that as it happens; what must be true of a phone that is online and quiet is in `at-rest.ts`.
 */
import { othersEdits } from '#schemas/change-history.ts'
import type { Change } from '#schemas/change.ts'
import { pushCollections, type PushCollection } from '#schemas/collections/push-collections.ts'
import { isOpen } from '#schemas/changes/record-view.ts'
import { STATE_TABLE } from '#schemas/send-state.ts'
import type { Transition } from '#sync/changes/send-adapter.ts'
import type { CrmState, Kind } from './crm-state.ts'
import { rowsOn } from './on-disk.ts'
import type { StoredDoc } from './stored-doc.ts'
import { QuestionsAsked, type Calm } from './questions-asked.ts'
import { doubled, SavesKept } from './saves-kept.ts'
import type { VirtualTime } from './virtual-time.ts'
import { draftName, rowName, whoseOf, type Watched } from './watched.ts'

/** Photos that were saved on phones: each is in the file store once, or is still there, with its bytes (RULES SV2, SV3). */
class PhotosKept {
  /** By its key: whose, and how many bytes it has, which no other one has. */
  private readonly saved = new Map<string, { whose: string; size: number }>()

  wrote(phone: Watched, photo: StoredDoc): void {
    const isNew = photo['unsent'] === 'yes' && photo['fileSeq'] === '' && !photo._deleted
    if (isNew) this.saved.set(String(photo['key']), { whose: whoseOf(phone), size: Number(photo['size']) })
  }

  /** Told of what is lost, or twice. */
  finish(phone: Watched, { files }: CrmState, broken: (rule: string, text: string) => void): void {
    const here = new Set(rowsOn(phone.disk(), 'photos').map(({ key }) => key))
    for (const [key, { whose, size }] of this.saved) {
      if (whose !== whoseOf(phone)) continue
      const uploads = files.uploadsOf(size)
      if (uploads > 1) broken('SV2', `the file store has a photo ${uploads} times`)
      if (uploads === 0 && !here.has(key)) broken('SV3', `${phone.name} has lost the photo ${key}`)
      if (uploads === 0 && !phone.holdsBytes(key))
        broken('SV3', `${phone.name} has lost the bytes of the photo ${key}`)
    }
  }
}

const HOUR_MS = 3_600_000
/** What is confirmed is stamped before the call. */
const EARLY_MS = 60_000
const SECOND_LOOK_MS = 30_000

/** The texts that the office edits begin so. */
export const OFFICE = '事務所'

const TEXTS: Record<string, string> = {
  quickReports: 'reportContent',
  emergencyReports: 'emergencyContentsDetails',
  customerLocationChangeRequests: 'inMethod',
  locationContactChangeRequests: 'name',
}

interface Parts {
  time: VirtualTime
  state: CrmState
  note: (text: string) => void
  /** The CRM's answers say how late it is. */
  dates: boolean
  /** Requests that must not leave a phone. */
  dependents: (phone: Watched) => ReadonlySet<string>
}

export class PullWitness {
  readonly violations: string[] = []
  readonly problems = new Map<string, number>()
  private tellBroken: () => void = () => undefined
  /** Resolves with the first rule that is broken. */
  readonly firstBroken = new Promise<void>((resolve) => (this.tellBroken = resolve))
  private readonly calm: Calm
  private readonly questions: QuestionsAsked
  private readonly lastServed = new Map<string, number>()
  private readonly readAhead = new Set<string>()
  private readonly misledAt = new Map<string, number[]>()
  /** What each change says. */
  private readonly saved = new Map<string, string>()
  private readonly kept = new SavesKept()
  private readonly photos = new PhotosKept()
  /** Phones on which other stores were opened than before. */
  private readonly hadOthers = new Set<string>()
  /** The latest accepted change of each record, by its stamp. */
  private readonly accepted = new Map<string, string>()
  /** When a draft was last written, by the true time. */
  private readonly touched = new Map<string, number>()
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
    this.calm = { answers: parts.time.now, tries: parts.time.now, sharedUntil: -Infinity }
    this.questions = new QuestionsAsked({ now: () => this.now, calm: this.calm, broken: this.broken })
  }

  get answered(): number {
    return this.questions.answered
  }

  private get now() {
    return this.parts.time.now
  }

  readonly broken = (rule: string, text: string): void => {
    const line = `[${rule}] ${text}`
    if (this.violations.includes(line)) return
    this.violations.push(line)
    this.tellBroken()
    this.parts.note(`!!! ${line}`)
  }

  /** @param hinders whether it keeps a page from trying again; not: a try only fails, or takes long */
  disturbed(until = this.now, hinders = true): void {
    this.calm.answers = Math.max(this.calm.answers, until)
    if (hinders) this.calm.tries = Math.max(this.calm.tries, until)
  }

  /** A write is answered 503 until then. */
  blocked(until: number): void {
    this.calm.sharedUntil = Math.max(this.calm.sharedUntil, until)
  }

  read = (phone: Watched, path: string, isStruck: boolean): void => this.questions.read(phone, path, isStruck)
  pageLeft = (phone: Pick<Watched, 'name'>): void => this.questions.pageLeft(phone)

  served(phone: Watched, kind: Kind, name: string, at: number): void {
    const key = rowName(phone, kind, name)
    this.lastServed.set(key, Math.max(at, this.lastServed.get(key) ?? 0))
    this.readAhead[phone.now() > this.now + HOUR_MS ? 'add' : 'delete'](key)
  }

  /** By a clock that stood ahead: nobody knows when it was read, and it has a day from when that was seen (EX3). */
  wasAhead = (phone: Watched, request: string) =>
    this.readAhead.has(rowName(phone, 'request', `${phone.user.staff} ${request}`))

  servedAt = (phone: Watched, kind: Kind, name: string) =>
    this.lastServed.get(rowName(phone, kind, name)) ?? 0

  misled(phone: Watched): void {
    this.misledAt.set(phone.name, [...(this.misledAt.get(phone.name) ?? []), this.now])
  }

  private isMisledTwice(phone: Watched): boolean {
    const times = this.misledAt.get(phone.name) ?? []
    return (times.at(-1) ?? 0) - (times[0] ?? 0) >= SECOND_LOOK_MS
  }

  /** What was asked or kept is in other stores now: it comes back, or is asked anew. */
  otherStores(phone: Watched): void {
    this.hadOthers.add(phone.name)
    this.questions.otherStores(phone)
  }

  reported(problem: string): void {
    this.problems.set(problem, (this.problems.get(problem) ?? 0) + 1)
  }

  /** A page led, and another one took its place, though it never stood still (TB1). */
  leadershipLost(name: string, everFrozen: boolean): void {
    if (!everFrozen) this.broken('TB1', `${name} led, and was taken for dead`)
  }

  /** A row of the ledger goes only where the table lets it (OC1). */
  moved(phone: string, { change, from, to }: Transition): void {
    const isKnown = from === null || from === to || Object.values(STATE_TABLE[from]).includes(to)
    if (!isKnown) this.broken('OC1', `${phone} change ${change} goes from ${from} to ${to}`)
  }

  wrote(phone: Watched, collection: string, before: StoredDoc | undefined, after: StoredDoc): void {
    if (collection === 'ledger') return
    if (collection === 'changes') return this.change(phone, before, after)
    if (collection === 'interests') return this.questions.wrote(phone, after)
    if (collection === 'drafts' && !after._deleted)
      this.touched.set(draftName(phone, String(after['key'])), this.now)
    if (collection === 'photos') this.photos.wrote(phone, after)
    const known = before && !before._deleted ? before : undefined
    if (known && after._deleted) this.left(phone, collection, known)
    if (!pushCollections.some((name) => name === collection)) return
    if (known && !after._deleted) this.history(phone, collection, known, after)
  }

  /** What left the device, the CRM no longer has, or nobody confirmed it for a day (PL1, PL6, EX1, EX3). */
  private left(phone: Watched, collection: string, doc: StoredDoc): void {
    const { state } = this.parts
    const isRequest = collection === 'requests'
    const kind: Kind = isRequest ? 'request' : (collection as Kind)
    const id = String(doc['serverId'] ?? doc['id'] ?? doc['key'])
    const name = isRequest ? `${phone.user.staff} ${String(doc['key'])}` : id
    if (collection === 'drafts') return this.draftLeft(phone, String(doc['key']))
    if (collection === 'photos' || id === '') return
    if (isRequest && this.parts.dependents(phone).has(String(doc['id'])))
      this.broken(
        'EX1',
        `${phone.name} drops request ${String(doc['key'])}, on which something unsent or a draft hangs`,
      )
    const served = this.servedAt(phone, kind, name)
    if (served === 0 || state.lackedSince(kind, name, served - EARLY_MS)) return
    // a row is confirmed on the device once an hour
    if (this.now - served >= 23 * HOUR_MS - EARLY_MS) return
    if (this.isMisledTwice(phone)) return
    // a record of a request that went, stamped a day ahead of a clock that was set back: nobody knows when it was read (EX3)
    const { server } = doc as { server?: { stamp?: string } }
    if (!isRequest && Number.parseInt(server?.stamp ?? '', 10) > phone.now() + 24 * HOUR_MS) return
    // read under another key, and taken back since as it was saved: it is on the phone once more
    const isTwin = (other: StoredDoc) => other['serverId'] === id && other['key'] !== doc['key']
    if (kind !== 'request' && (rowsOn(phone.disk(), kind) as StoredDoc[]).some(isTwin)) return
    // what hangs on a request of another company now is not asked for
    const { requestId } = doc
    // what was locked with it comes back before its request does, and is read anew with that
    const isHere = () => rowsOn(phone.disk(), 'requests').some(({ id: own }) => own === requestId)
    if (!isRequest && this.hadOthers.has(phone.name) && !isHere()) return
    const visits = typeof requestId === 'string' ? state.visitsOfRequest(requestId) : null
    if (visits && !visits.some(({ staff }) => staff === phone.user.staff)) return
    const minutes = Math.round((this.now - served) / 60_000)
    this.broken(
      'PL1][EX3',
      `${phone.name} drops ${collection} ${name}, which the CRM gave ${minutes} min ago and has`,
    )
  }

  /** A draft stays for a day after it was touched (EX1). */
  private draftLeft(phone: Watched, key: string): void {
    if (this.draftAge(phone, key) < 24 * HOUR_MS - EARLY_MS)
      this.broken('EX1', `${phone.name} drops the draft ${key} of less than a day`)
  }

  draftAge = (phone: Watched, key: string) => this.now - (this.touched.get(draftName(phone, key)) ?? 0)

  /** What is unsent stays as it was saved, until it ends or a later save of its record is accepted in its place (PL3, SV3). */
  private change(phone: Watched, before: StoredDoc | undefined, after: StoredDoc): void {
    const change = after as unknown as Change
    const { id, stamp, resource, recordKey, state, fields } = change
    const record = `${resource} ${recordKey}`
    const name = `${phone.name} ${record}`
    const says = JSON.stringify(fields)
    if (state === 'accepted') {
      this.accepted.set(record, max(this.accepted.get(record), stamp))
      this.kept.taken(change)
    }
    const saved = this.saved.get(id)
    if (!saved) this.saved.set(id, says)
    else if (saved !== says) this.broken('PL3', `${name}: an unsent change is another`)
    if (!after._deleted && isOpen({ state })) return this.kept.saved(phone, change)
    this.kept.over(id)
    // what came to nothing goes with the save that takes its place
    const wasOpen =
      before && !before._deleted && (before['state'] === 'waiting' || before['state'] === 'sending')
    const isCovered = (this.accepted.get(record) ?? '') >= stamp
    if (after._deleted && wasOpen && !isCovered) this.broken('SV3', `${name}: an unsent change is gone`)
  }

  /** What another company changed is in the history (MG5). */
  private history(phone: Watched, collection: string, before: StoredDoc, after: StoredDoc): void {
    const field = TEXTS[collection]
    const [was, is] = [stateOf(before), stateOf(after)]
    if (!field || !was?.['detailed'] || !is?.['detailed'] || was[field] === is[field]) return
    const isReport = collection === 'quickReports'
    if (!String(is[field]).startsWith(OFFICE) || (isReport && was['outTime'] === null)) return
    const view = rowsOn(phone.disk(), collection as PushCollection).find(({ key }) => key === after['key'])
    // what was read before a PUT is noted by the change
    const isNoted = [after, view ?? after]
      .flatMap((record) => othersEdits(record['history'] as Parameters<typeof othersEdits>[0]))
      .some((edit) => edit.field === field && edit.after === is[field])
    if (!isNoted)
      this.broken(
        'MG5',
        `${phone.name} ${collection} ${String(after['key'])}: what the office wrote is not in the history`,
      )
  }

  /** At the end. */
  finish(phone: Watched): void {
    this.questions.finish(phone)
    for (const id of this.kept.lost(phone))
      this.broken('SV3', `${phone.name} has lost the saved change ${id}`)
    this.photos.finish(phone, this.parts.state, this.broken)
    for (const what of doubled(this.parts.state)) this.broken('SV2', `the CRM has twice: ${what}`)
  }
}

const max = (a = '', b: string): string => (a > b ? a : b)
const stateOf = (doc: StoredDoc) => doc['server'] as Record<string, unknown> | undefined
