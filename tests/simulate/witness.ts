/**
 * The witness: knows every save a person made and every call the CRM acted on, and nothing of how the engine works. It
 * speaks up when a rule of sync/RULES.md is broken, at the very step.
 */
import { queueOf } from '#schemas/change-queue.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { QuickReportChange, QuickReportRecord } from '#schemas/quick-report.ts'
import type { Answer } from '#sync/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import { FieldWitness, type Said } from './field-witness.ts'
import type { CrmReport } from './model-crm.ts'
import type { Disk, DiskWrite } from './model-db.ts'
import { isCreate } from './calls.ts'
import type { NetworkWitness } from './network.ts'
import { TagWitness } from './tag-witness.ts'
import { OwnFaultWitness } from './own-fault-witness.ts'
import { isEntry, NEW_SAVE, sameThing, type Save, type SaveCall } from './save.ts'

const NO_CONTENT = { outTime: null, type: null, reason1: null, reason2: null, reportContent: null }

/** The times that a call carries. */
const timesIn = ({ body = '{}', method }: HttpCall): [string, string][] =>
  method === 'GET' || !body.startsWith('{')
    ? []
    : Object.entries(JSON.parse(body) as object).flatMap(([name, value]: [string, unknown]) =>
        name.endsWith('Time') && typeof value === 'string' ? [[name, value] as [string, string]] : [],
      )

interface WitnessOptions {
  honourIdempotency: boolean
  tracing: boolean
  /** So late a tab hears what another one saved. */
  hearsLateMs: number
  /** Nothing is wrong with what is saved. */
  healthy: boolean
  now: () => number
}

export class Witness implements NetworkWitness {
  readonly violations: string[] = []
  readonly trace: string[] = []
  readonly stats = { saves: 0, calls: 0, accepted: 0, parked: 0, refusedThoughThere: 0 }
  private readonly saves = new Map<string, Save>()
  private readonly calls = new Map<string, SaveCall>()
  private readonly fields = new FieldWitness()
  private readonly states = new TagWitness()
  readonly ownFaults = new OwnFaultWitness()
  private order = 0
  private tags = 0

  private readonly options: WitnessOptions

  constructor(options: WitnessOptions) {
    this.options = options
  }

  note(text: string): void {
    if (this.options.tracing) this.trace.push(`${(this.options.now() / 1000).toFixed(3)} ${text}`)
  }

  broken(rule: string, text: string): void {
    this.violations.push(`[${rule}] ${text}`)
    this.note(`!! [${rule}] ${text}`)
  }

  // ── what a person does ──

  saveBegins(touched: SaveCall['touched']): SaveCall {
    return {
      touched,
      tag: `s${(this.tags += 1)}`,
      started: (this.order += 1),
      at: this.options.now(),
      confirmed: null,
    }
  }
  knows = (id: string, call: SaveCall) => void this.calls.set(id, call)
  saveConfirmed = (call: SaveCall) => void (call.confirmed = this.order += 1)
  discardAsked(id: string): void {
    const save = this.saves.get(id)
    if (save) save.discardAsked = true
  }

  wishKept(id: string, what: Save['wish']): void {
    const save = this.saves.get(id)
    if (save) save.wish = what
  }

  // ── what the disk sees ──

  watch(device: string, disk: Disk): void {
    disk.watchers.push((write) => {
      if (write.table === 'ledger') this.ledgerWritten(write)
      if (write.table === 'quickReports') this.recordWritten(device, disk, write)
    })
  }

  private ledgerWritten({ before, after }: Extract<DiskWrite, { table: 'ledger' }>): void {
    const save = this.saves.get((after ?? before)?.id ?? '')
    if (!save) return
    if (!after) {
      if (!save.acked && !this.isGivenUp(save) && !this.isReplaced(save))
        this.broken('SV3', `ledger of ${save.change.id} purged`)
      return
    }
    if (before?.state !== after.state)
      this.note(`  ledger ${save.change.id}: ${after.state} ${after.reasons.join()}`)
    if (after.state === 'refused' && after.status === 412)
      this.broken('MG4', `${save.change.id} refused with 412`)
    if (after.state === 'accepted' && !save.acked)
      this.broken('ST1', `${save.change.id} counted as sent, the CRM never accepted it`)
    if (after.state === 'discarded' && !this.isGivenUp(save) && !this.isReplaced(save))
      this.broken('SV3', `${save.change.id} discarded, nobody asked for it`)
    if (after.state === 'refused' || after.state === 'expired') save.parked = true
    if (save.parked && this.options.healthy)
      this.broken('OC8', `${save.change.id} is ${after.state} ${after.status}, and nothing is wrong with it`)
  }

  private recordWritten(
    device: string,
    disk: Disk,
    write: Extract<DiskWrite, { table: 'quickReports' }>,
  ): void {
    const before = write.before?.changes ?? []
    const after = write.after?.changes ?? []
    for (const change of after)
      if (!this.saves.has(change.id)) this.saveLanded(device, disk, write.after, change)
    const removed = before.filter(({ id }) => !after.some((change) => change.id === id))
    for (const { id } of removed) {
      const save = this.saves.get(id)
      if (!save || this.isGivenUp(save)) continue
      if (!save.acked && !this.isReplaced(save, before)) this.broken('SV3', `${id} vanished`)
      if (save.acked && !this.isReplaced(save, before) && disk.ledger.get(id)?.state !== 'accepted')
        this.broken('OC1', `${id} settled before the ledger said accepted`)
    }
  }

  private saveLanded(
    device: string,
    disk: Disk,
    record: QuickReportRecord | undefined,
    change: QuickReportChange,
  ) {
    const call = this.calls.get(change.id)
    if (!record || !call) return
    this.stats.saves += 1
    this.note(`saved ${change.id} ${change.kind} ${record.key} ${call.tag} on ${device} ${change.stamp}`)
    const { key, requestId } = record
    this.saves.set(change.id, { change, key, requestId, device, disk, call, ...NEW_SAVE })
  }

  /** 破棄 of itself, or of the entry it hangs on. */
  private isGivenUp = (save: Save): boolean =>
    save.discardAsked ||
    (!isEntry(save) && this.others(save).some((other) => isEntry(other) && other.discardAsked)) ||
    this.others(save).some(
      (other) => other.discardAsked && this.isLater(other, save) && sameThing(other, save),
    )

  /** Another save of the same content came after it, which is still there, or was acknowledged. */
  private isReplaced = (save: Save, among?: readonly { id: string }[]): boolean =>
    this.others(save).some(
      (other) =>
        sameThing(other, save) &&
        this.isLater(other, save) &&
        (!among || among.some(({ id }) => id === other.change.id)),
    )

  /** Also where two saves overlap: then their stamps decide which one counts. */
  private isLater = (a: Save, b: Save) =>
    a.call.started > (b.call.confirmed ?? Infinity) || a.change.stamp > b.change.stamp

  private others = (save: Save) =>
    [...this.saves.values()].filter(
      (other) => other !== save && other.disk === save.disk && other.key === save.key,
    )

  // ── what the network sees ──

  dispatched(device: string, call: HttpCall, user: string): void {
    this.stats.calls += 1
    const sent = this.savesIn(device, call)
    for (const id of this.fields.unreadBefore(device, call))
      this.broken('MG3', `${id} written without a read of its own`)
    this.states.dispatched(device, call, (text) => this.broken('MG4', text))
    for (const [name, value] of timesIn(call))
      if (!value.endsWith('+09:00')) this.broken('WR1', `${name} leaves as ${value}`)
    for (const save of sent) {
      save.unclear = false
      const { id, userId } = save.change
      if (user !== userId) this.broken('SV4', `${id} of ${userId} sent as ${user}`)
      const state = save.disk.ledger.get(id)?.state
      if (state === 'discarded') this.broken('SV3', `${id} sent after it was discarded`)
      if (state === 'accepted') this.broken('OC6', `${id} sent again after it was accepted`)
      if (!isEntry(save) && this.others(save).some((other) => isEntry(other) && this.isWaiting(other)))
        this.broken('OR2', `${id} sent before its entry`)
      const first = [...this.saves.values()].find((other) => this.shouldHaveGone(other, save, sent))
      if (first) this.broken('OR1', `${id} sent before ${first.change.id}, which was saved earlier`)
      if (isCreate(call)) {
        if (save.inDoubt) this.broken('OC6', `${id} posted twice without a read-back`)
        save.inDoubt = true
      }
    }
  }

  private isWaiting = (save: Save): boolean =>
    !save.acked &&
    !this.isGivenUp(save) &&
    !this.isReplaced(save) &&
    save.disk.quickReports.get(save.key)?.changes.some(({ id }) => id === save.change.id) === true

  private shouldHaveGone(early: Save, late: Save, sent: readonly Save[]): boolean {
    if (early.disk !== late.disk || sent.includes(early) || early.parked || early.unclear) return false
    // saved in two tabs at the same moment
    if (late.call.at - early.call.at < this.options.hearsLateMs) return false
    if ((early.call.confirmed ?? Infinity) >= late.call.started || !this.isWaiting(early)) return false
    // it waits for its own entry, or did until a moment ago
    const isHeld = (other: Save) => isEntry(other) && (this.isWaiting(other) || other.parked || other.doubted)
    return isEntry(early) || !this.others(early).some(isHeld)
  }

  acted(device: string, call: HttpCall, answer: Answer, user: string): void {
    this.fields.read(device, call, true)
    if (answer.kind !== 'answer' || answer.status !== 401) this.fields.used(device, call)
    if (answer.kind !== 'answer' || (answer.status !== 200 && answer.status !== 204)) return
    for (const save of this.savesIn(device, call)) {
      if (user !== save.change.userId) this.broken('SV4', `${save.change.id} accepted as ${user}`)
      this.stats.accepted += save.acked ? 0 : 1
      save.acked = true
      save.effects += 1
      if (isCreate(call) && save.effects > 1 && !this.options.honourIdempotency)
        this.broken('SV2', `${save.change.id} made twice`)
      const newer = this.others(save).find(
        (other) =>
          sameThing(other, save) && other.acked && other.call.started > (save.call.confirmed ?? Infinity),
      )
      if (newer) this.broken('OR1', `${save.change.id} written over ${newer.change.id}, which is newer`)
    }
  }

  answered(device: string, call: HttpCall, answer: Answer): void {
    if (answer.kind !== 'answer') return
    this.fields.read(device, call, false)
    this.states.answered(device, call, answer)
    const { status, isJson } = answer
    const written = this.savesIn(device, call)
    this.ownFaults.answered(
      device,
      written.map(({ change }) => change.id),
      status,
    )
    if (isUnclear(answer, call.method === 'GET'))
      for (const save of [...written, ...this.lookedFor(device, call)])
        Object.assign(save, { unclear: true, doubted: true })
    const isRefusal = (status >= 400 && status < 500 && status !== 408) || status === 503 || status === 202
    if (isCreate(call) && isRefusal) for (const save of this.savesIn(device, call)) save.inDoubt = false
    const [, requestId] = /\/spa\/request\/([^?]+)/.exec(call.url) ?? []
    if (call.method !== 'GET' || requestId === undefined) return
    if ((status === 200 && isJson) || (isRefusal && ![401, 498, 429, 503].includes(status)))
      for (const save of this.saves.values())
        if (save.device === device && save.requestId === decodeURIComponent(requestId)) save.inDoubt = false
  }

  /** Which saves a read is about. */
  private lookedFor(device: string, { method, url }: HttpCall): Save[] {
    if (method !== 'GET') return []
    const [, what, id = ''] = /\/spa\/(request|quickReport)\/([^?]+)/.exec(url) ?? []
    const isMeant = ({ requestId, disk, key }: Save) =>
      (what === 'request' ? requestId : disk.quickReports.get(key)?.serverId) === decodeURIComponent(id)
    return [...this.saves.values()].filter((save) => save.device === device && isMeant(save))
  }

  /** What the CRM has answered 5xx often enough, while it took others, is 失敗 by now; the others have gone. */
  ownFaultsCalled(device: string, disk: Disk | undefined): void {
    const waiting = [...this.saves.values()].filter(
      (save) => save.disk === disk && this.isWaiting(save) && !save.parked,
    )
    for (const save of waiting) {
      if (this.ownFaults.isOverdue(device, save.change.id))
        this.broken('OR3', `${save.change.id} still waits, though the CRM takes others`)
      if (isEntry(save) && !save.unclear) this.broken('OR3', `${save.change.id} is held up by another`)
    }
  }

  edited(
    device: string,
    call: HttpCall | null,
    before: CrmReport[],
    after: CrmReport[],
    done: boolean,
  ): void {
    const saves = call ? this.savesIn(device, call) : []
    const said = (report: CrmReport) => {
      const of = saves.filter(({ requestId }) => requestId === report.requestId)
      return this.saidBy(done ? of : [])
    }
    const isConditional = call?.headers?.['If-Match'] !== undefined
    const by = { device, said: call ? said : null, isConditional }
    this.fields.written(by, before, after, (text) => this.broken(isConditional ? 'MG4' : 'MG3', text))
  }

  /**
   * What a PUT says: what its save has touched, and what earlier ones have that the device does not know to be in the CRM;
   * of these it must say what a tab had heard of when the later one was saved.
   */
  private saidBy(saves: readonly Save[]): Said {
    const [last] = saves.toSorted((a, b) => (a.change.stamp > b.change.stamp ? -1 : 1))
    if (!last) return { may: new Set(), must: new Set(), content: NO_CONTENT }
    const earlier = this.others(last).filter((other) => !isEntry(other) && this.isLater(last, other))
    const known = earlier.filter(({ disk, change }) => disk.ledger.get(change.id)?.state === 'accepted')
    const after = known.reduce((stamp, { change }) => (change.stamp > stamp ? change.stamp : stamp), '')
    const open = earlier.filter(({ change }) => change.stamp > after)
    const heard = open.filter((other) => last.call.at - other.call.at >= this.options.hearsLateMs)
    const fieldsOf = (of: readonly Save[]) => new Set([last, ...of].flatMap(({ call }) => [...call.touched]))
    return { may: fieldsOf(open), must: fieldsOf(heard), content: last.change.fields }
  }

  /** Whose content a call carries. */
  private savesIn(device: string, { method, headers, url, body = '' }: HttpCall): Save[] {
    if (method === 'GET' || !url.includes('/quickReport/')) return []
    const key = headers?.['Idempotency-Key']
    const named = key === undefined ? undefined : this.saves.get(key)
    if (named) return [named]
    const { reportContent, quickReports } = JSON.parse(body) as {
      reportContent?: string
      quickReports?: { id: string }[]
    }
    const ids = quickReports?.map(({ id }) => id) ?? [decodeURIComponent(url.split('/').at(-1) ?? '')]
    return [...this.saves.values()].filter(
      ({ change, key: recordKey, disk, device: from }) =>
        from === device &&
        change.fields.reportContent === reportContent &&
        ids.includes(disk.quickReports.get(recordKey)?.serverId ?? ''),
    )
  }

  // ── the end ──

  /** Nothing of the queue is still to go. @returns the ids of what is left, for all to see */
  atRest(disk: Disk): Set<string> {
    const records = disk.records().map((record) => ({ resource: 'quickReports', ...record }))
    const items = queueOf(records, disk.entries())
    for (const { state, heldBy, change, ledger } of items)
      if ((state === 'waiting' || state === 'sending') && !heldBy)
        this.broken('SV2', `${change.id} still ${ledger?.state ?? 'unsent'} at the end`)
    return new Set(items.map(({ change }) => change.id))
  }

  /** Faults have stopped, everyone was signed in again, and nothing moves any more. */
  finish(disks: readonly Disk[], reports: readonly CrmReport[]): void {
    this.fields.atTheEnd(reports, (text) => this.broken('SV2', text))
    for (const disk of disks) {
      const entries = disk.entries()
      const shown = this.atRest(disk)
      for (const save of this.saves.values())
        if (save.disk === disk) this.judge(save, entries.get(save.change.id), shown.has(save.change.id))
    }
    for (const [id, call] of this.calls)
      if (call.confirmed !== null && !this.saves.has(id) && !id.startsWith('group'))
        this.broken('SV1', `${id} was called saved and never reached the disk`)
  }

  private judge(save: Save, entry: LedgerEntry | undefined, isShown: boolean): void {
    const { id } = save.change
    const isHere = save.disk.records().some((record) => record.changes.some((change) => change.id === id))
    if (isShown) this.stats.parked += 1
    if (isShown && save.acked) this.stats.refusedThoughThere += 1
    if (!isShown && !save.acked && !this.isGivenUp(save) && !this.isReplaced(save))
      this.broken('SV2', `${id} has no effect and is not shown`)
    if (isHere && (entry?.state === 'accepted' || entry?.state === 'discarded'))
      this.broken('SV2', `${id} is ${entry.state} and still in its record`)
    if (isShown && save.wish === 'discard' && entry?.wish === 'none')
      this.broken('SV2', `${id}: 破棄 was asked for and forgotten`)
  }
}

/** An answer that says neither yes nor no, or no without a reason, or to a question: others may go before it (RULES OR1). */
const isUnclear = ({ status, isJson, body }: Extract<Answer, { kind: 'answer' }>, isRead: boolean): boolean =>
  status === 408 ||
  (isRead && status === 202) ||
  (status >= 500 && status !== 503) ||
  (status >= 400 &&
    status < 500 &&
    ![401, 429, 498].includes(status) &&
    (isRead || !isReasoned(body, isJson))) ||
  (status === 200 && !isJson)

const isReasoned = (body: unknown, isJson: boolean) =>
  isJson && typeof body === 'object' && body !== null && ('errors' in body || 'error' in body)
