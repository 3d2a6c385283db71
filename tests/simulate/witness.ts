/**
 * The witness: knows every save a person made and every call the CRM acted on, and nothing of how the engine works. It
 * speaks up when a rule of sync/RULES.md is broken, at the very step.
 */
import { isCreating, queueOf } from '#schemas/changes/change-queue.ts'
import type { Change, SendFacts } from '#schemas/change.ts'
import { isPushCollection, type PushCollection } from '#schemas/collections/push-collections.ts'
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import { FieldWitness } from './field-witness.ts'
import { HistoryWitness } from './history-witness.ts'
import type { Disk, DiskWrite } from './disk.ts'
import { isReadable, isUnclear, timesIn } from './calls.ts'
import type { Link, NetworkWitness } from './network-witness.ts'
import { TagWitness } from './tag-witness.ts'
import { OwnFaultWitness } from './own-fault-witness.ts'
import { madeBy, type Held } from './record-kinds.ts'
import {
  isEntry,
  isInDoubt,
  isTooEarly,
  isUnkeyed,
  madeOtherwise,
  NEW_SAVE,
  standsFor,
  type Save,
  type SaveCall,
} from './save.ts'
import { Saves } from './saves.ts'
import type { WitnessOptions } from './witness-options.ts'

type ChangeWrite = Extract<DiskWrite, { table: 'changes' }>

export class Witness implements NetworkWitness {
  readonly violations: string[] = []
  readonly trace: string[] = []
  readonly stats = { saves: 0, calls: 0, accepted: 0, parked: 0, refusedThoughThere: 0 }
  readonly saves: Saves
  private readonly calls = new Map<string, SaveCall>()
  private readonly fields = new FieldWitness()
  private readonly states: TagWitness
  private readonly history = new HistoryWitness()
  readonly ownFaults = new OwnFaultWitness()
  private order = 0
  private tags = 0
  private readonly options: WitnessOptions

  constructor(options: WitnessOptions) {
    this.options = options
    this.saves = new Saves(options.hearsLateMs)
    this.states = new TagWitness(options.severalTabs)
  }

  note(text: string): void {
    if (this.options.tracing) this.trace.push(`${(this.options.now() / 1000).toFixed(3)} ${text}`)
  }

  broken(rule: string, text: string): void {
    this.violations.push(`[${rule}] ${text}`)
    this.note(`!! [${rule}] ${text}`)
  }

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

  watch(device: string, disk: Disk): void {
    disk.watchers.push((write) => {
      if (write.table === 'changes') this.changeWritten(device, disk, write)
      if (isPushCollection(write.table)) this.recordWritten(disk, write.table, write.key)
    })
  }

  private changeWritten(device: string, disk: Disk, write: ChangeWrite): void {
    const { before, after } = write
    const change = after ?? before
    if (!change || !isPushCollection(change.resource)) return
    this.recordWritten(disk, change.resource, change.recordKey)
    if (after && !this.saves.has(after.id))
      this.saveLanded({ device, disk, collection: change.resource }, after)
    this.stateWritten(write)
  }

  private stateWritten({ before, after }: ChangeWrite): void {
    if (after) this.saves.theirs.stateWritten(after, this.options.now())
    const save = this.saves.get((after ?? before)?.id ?? '')
    if (!save) return
    if (!after) {
      if (!save.acked && !this.saves.isGivenUp(save) && !this.saves.isReplaced(save))
        this.broken('SV3', `${save.change.id} vanished`)
      return
    }
    if (before?.state !== after.state)
      this.note(`  state ${save.change.id}: ${after.state} ${after.reasons.join()}`)
    // what may have been made, and would be made twice, is looked for twice: others go meanwhile (RULES OC9)
    if (isUnkeyed(save)) save.unclear = isInDoubt(after)
    save.doubted ||= save.unclear
    const isWrong = this.saves.refusals.written(save, after, this.saves.held)
    if (isWrong) this.broken(...isWrong)
    if (after.state === 'refused' && after.status === 412)
      this.broken('MG4', `${save.change.id} refused with 412`)
    save.acked ||= after.state === 'accepted' && this.saves.isSaidElsewhere(save, this.fields.isByOffice)
    if (after.state === 'accepted' && !save.acked)
      this.broken('ST1', `${save.change.id} counted as sent, the CRM never accepted it`)
    if (after.state === 'discarded' && !this.saves.isGivenUp(save) && !this.saves.isReplaced(save))
      this.broken('SV3', `${save.change.id} discarded, nobody asked for it`)
    if (after.state === 'expired' && before?.state !== 'expired' && isTooEarly(save, this.options))
      this.broken('EX3', `${save.change.id} is 期限切れ before a day has passed`)
    if (after.state === 'refused' || after.state === 'expired') save.parked = true
    if (save.parked && this.options.healthy)
      this.broken('OC8', `${save.change.id} is ${after.state} ${after.status}, and nothing is wrong with it`)
  }

  private recordWritten(disk: Disk, collection: PushCollection, key: string): void {
    const record = disk.view(collection, key)
    this.saves.theirs.recordWritten({ disk, collection }, key, record, this.options.now())
  }

  private saveLanded(place: Pick<Save, 'device' | 'disk' | 'collection'>, change: Change) {
    const call = this.calls.get(change.id)
    if (!call) return
    this.stats.saves += 1
    const { device, collection } = place
    const { recordKey: key, requestId } = change
    const what = `${collection} ${change.kind}`
    this.note(`saved ${change.id} ${what} ${key} ${call.tag} on ${device} ${change.stamp}`)
    this.saves.add({ change, key, requestId, ...place, call, ...NEW_SAVE, made: new Set() })
  }

  // ── what the network sees ──
  dispatched({ device, proc }: Link, call: HttpCall, user: string): void {
    this.stats.calls += 1
    this.ownFaults.dispatched(device, proc, call)
    const sent = this.saves.sentIn(device, call)
    for (const id of this.fields.unreadBefore(device, call))
      this.broken('MG3', `${id} written without a read of its own`)
    this.states.dispatched(device, call, (text) => this.broken('MG4', text))
    for (const [name, value] of timesIn(call))
      if (!value.endsWith('+09:00')) this.broken('WR1', `${name} leaves as ${value}`)
    for (const save of sent) {
      if (save.unclear) save.clearedAt = this.options.now()
      save.unclear &&= isUnkeyed(save)
      const { id, userId } = save.change
      if (user !== userId) this.broken('SV4', `${id} of ${userId} sent as ${user}`)
      const state = save.disk.changes.get(id)?.state
      if (state === 'discarded') this.broken('SV3', `${id} sent after it was discarded`)
      if (state === 'accepted') this.broken('OC6', `${id} sent again after it was accepted`)
      if (this.saves.waitsForEntry(save)) this.broken('OR2', `${id} sent before its entry`)
      const isLate = (other: Save) => this.saves.shouldHaveGone(other, save, sent, this.options.now())
      const first = this.saves.all().find(isLate)
      if (first) this.broken('OR1', `${id} sent before ${first.change.id}, which was saved earlier`)
      if (madeBy(call)) {
        if (save.inDoubt) this.broken('OC6', `${id} posted twice without a read-back`)
        save.inDoubt = true
      }
    }
  }

  vanished = (device: string, call: HttpCall): void => this.states.left(device, call)
  acted(device: string, call: HttpCall, answer: Answer, user: string): void {
    this.fields.read(device, call)
    this.history.read(`${device}-${user}`, call)
    if (answer.kind !== 'answer' || answer.status !== 401) this.fields.used(device, call)
    if (answer.kind !== 'answer' || ![200, 201, 204].includes(answer.status)) return
    for (const save of this.saves.sentIn(device, call)) {
      if (user !== save.change.userId) this.broken('SV4', `${save.change.id} accepted as ${user}`)
      if (save.atOnce) this.broken('SV2', `${save.change.id} was discarded as what never left, and then left`)
      this.stats.accepted += save.acked ? 0 : 1
      save.acked = true
      const isKnown = this.options.honourIdempotency && save.made.size > 0
      if (madeBy(call)) this.made(save, answer.body)
      // the CRM knows the call again, and has done nothing
      if (madeBy(call) && isKnown) continue
      const confirmed = save.call.confirmed ?? Infinity
      const isNewer = (other: Save) => standsFor(other, save) && other.acked && other.call.started > confirmed
      const newer = this.saves.others(save).find(isNewer)
      if (newer) this.broken('OR1', `${save.change.id} written over ${newer.change.id}, which is newer`)
    }
  }

  answered(device: string, call: HttpCall, answer: Answer): void {
    if (answer.kind !== 'answer') return
    this.fields.hasRead(device, call, isReadable(answer))
    if (isReadable(answer)) this.history.hasRead(call)
    if (answer.status === 204) this.history.answered(call)
    this.states.answered(device, call, answer)
    const { status } = answer
    const written = this.saves.sentIn(device, call)
    const ids = written.map(({ change }) => change.id)
    // a page of somebody in between, which says that all is well, accepts nothing
    if (status >= 500 || !isUnclear(answer, call.method === 'GET'))
      this.ownFaults.answered(device, call, ids, status)
    if (isUnclear(answer, call.method === 'GET'))
      for (const save of [...written, ...this.saves.lookedFor(device, call)])
        Object.assign(save, { unclear: true, doubted: true })
    const isRefusal = (status >= 400 && status < 500 && status !== 408) || status === 503 || status === 202
    if (madeBy(call) && isRefusal) for (const save of written) save.inDoubt = false
    this.saves.looked(device, call, answer)
  }

  /** What came of a call that makes a record. Where the CRM knows the call again, it may answer as it did before. */
  private made(save: Save, body: unknown): void {
    const id: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'id') : undefined
    const name = this.options.honourIdempotency ? String(id) : `${String(id)} ${save.made.size}`
    save.made.add(name)
    if (save.made.size > 1) this.broken(isUnkeyed(save) ? 'OC9' : 'SV2', `${save.change.id} made twice`)
  }

  /** What the CRM has answered 5xx often enough, while it took others, is 失敗 by now; the others have gone. */
  ownFaultsCalled(device: string, disk: Disk | undefined): void {
    for (const save of this.saves.waitingOn(disk)) {
      if (this.ownFaults.isOverdue(device, save.change.id))
        this.broken('OR3', `${save.change.id} still waits, though the CRM takes others`)
      const isUnderWay = disk?.changes.get(save.change.id)?.state === 'sending'
      if (isEntry(save) && !save.unclear && !isUnderWay)
        this.broken('OR3', `${save.change.id} is held up by another`)
    }
  }

  edited(device: string, call: HttpCall | null, before: Held[], after: Held[], done: boolean): void {
    this.saves.held = after
    const saves = call ? this.saves.sentIn(device, call) : []
    if (call && madeBy(call)) {
      for (const text of madeOtherwise(saves[0], before, after)) this.broken('SV2', text)
      return
    }
    const said = ({ id }: Held) => {
      const of = saves.filter(({ disk, collection, key }) => disk.view(collection, key)?.serverId === id)
      return this.saves.saidBy(done ? of : [])
    }
    this.history.written(call, saves, (held) => said(held).must, before, after)
    const isConditional = call?.headers?.['If-Match'] !== undefined
    const by = { device, said: call ? said : null, isConditional }
    this.fields.written(by, before, after, (text) => this.broken(isConditional ? 'MG4' : 'MG3', text))
  }

  // ── the end ──
  /** Nothing of the queue is still to go. @returns the ids of what is left, for all to see */
  atRest(disk: Disk): Set<string> {
    const items = queueOf(disk.pushed(), disk.entries())
    for (const { state, blockedBy, change, progress, record } of items) {
      const isMade = record.serverId !== '' || record.changes.some(isCreating)
      if (!isMade && !this.saves.isAfterDiscard(change.id))
        this.broken('OR3', `${change.id} is left of a record whose entry was discarded`)
      if (this.saves.isHeldInVain(change.id, blockedBy))
        this.broken('OR3', `${change.id} waits for ${blockedBy}`)
      if ((state === 'waiting' || state === 'sending') && !blockedBy)
        this.broken('SV2', `${change.id} still ${progress?.state ?? 'unsent'} at the end`)
    }
    return new Set(items.map(({ change }) => change.id))
  }

  /** Faults have stopped, everyone was signed in again, and nothing moves any more. */
  finish(disks: readonly Disk[], held: readonly Held[]): void {
    this.fields.atTheEnd(held, (text) => this.broken('SV2', text))
    this.history.finish((text) => this.broken('MG2', text))
    for (const disk of disks) {
      const entries = disk.entries()
      const shown = this.atRest(disk)
      for (const save of this.saves.all())
        if (save.disk === disk) this.judge(save, entries.get(save.change.id), shown.has(save.change.id))
    }
    for (const [id, call] of this.calls)
      if (call.confirmed !== null && !this.saves.has(id) && !id.startsWith('group'))
        this.broken('SV1', `${id} was called saved and never reached the disk`)
  }

  private judge(save: Save, entry: SendFacts | undefined, isShown: boolean): void {
    const { id } = save.change
    if (isShown) this.stats.parked += 1
    if (isShown && save.acked) this.stats.refusedThoughThere += 1
    if (!isShown && !save.acked && !this.saves.isGivenUp(save) && !this.saves.isReplaced(save))
      this.broken('SV2', `${id} has no effect and is not shown`)
    if (isShown && save.wish === 'discard' && entry?.wish === 'none')
      this.broken('SV2', `${id}: 破棄 was asked for and forgotten`)
  }
}
