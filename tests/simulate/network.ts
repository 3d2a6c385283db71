/**
 * The way between a device and the CRM or the file store, at the level of `Http`: signing is left out, everything above
 * it is real. Calls of one device arrive in the order they left, those to the file store folder by folder. Two things
 * happen only where the CRM honours Idempotency-Key, because no client could notice them: a POST of what the CRM makes twice
 * that the network delivers twice, and one that arrives after it was read back. To the file store both may happen to an
 * upload; the second file that it makes is marked.
 */
import type { Answer } from '#sync/transport/outcome.ts'
import type { Http, HttpCall } from '#sync/transport/http.ts'
import { PROBE_URL, type Crm } from './model-crm.ts'
import { fileCall, fileIn, type ModelFileStore } from './model-file-store.ts'
import { isFirstPhoto } from './shot.ts'
import { counted, type CallBudget } from './call-budget.ts'
import { describe, isEntryCall, isIndex, isUpload, laneOf, limitOf, type Lane } from './calls.ts'
import type { FileWitness, Link, NetworkWitness } from './network-witness.ts'
import type { FailingCrm } from './failing-crm.ts'
import type { FaultName } from './faults.ts'
import { LOST, NOT_SENT, outageAnswer, status } from './outages.ts'
import type { Item } from './plan-item.ts'
import { chanceAt } from './random.ts'
import { contentOf, isKnownAgain, isUnkeyedCreate, madeBy, type Held } from './record-kinds.ts'
import { never, sleepIn, type Scheduler } from './scheduler.ts'
import { TokenOwners } from './token-owners.ts'

const STREAM = { crm: 2, files: 4 }

interface Parts {
  time: Scheduler
  crm: Crm
  files: ModelFileStore
  seed: number
  faults: readonly Extract<Item, { kind: 'fault' }>[]
  outages: readonly Extract<Item, { kind: 'outage' }>[]
  budget: CallBudget
  honourIdempotency: boolean
  poison: boolean
  poisonPhoto: boolean
  failing: FailingCrm
  witness: NetworkWitness
  fileWitness: FileWitness
}

type Fault = { name: FaultName; chance: number } | undefined

export class Network {
  faultsOn = true
  /** The file store answers nobody. */
  filesDown = false
  /** The CRM takes what it choked on. */
  mended = false
  readonly radioOff = new Set<string>()
  private readonly calls = { crm: 0, files: 0 }
  private readonly owners = new TokenOwners()
  private readonly lastArrival = new Map<string, number>()

  private readonly parts: Parts
  private readonly start: number

  constructor(parts: Parts) {
    this.parts = parts
    this.start = parts.time.now
  }

  /** Without faults: the login form, which a person tries until it works. */
  plainHttp = (): Http => async (call) => this.act('', call)

  http(link: Link): Http {
    const { budget, time } = this.parts
    return counted(budget, link, () => time.now, this.way(link))
  }

  private way(link: Link): Http {
    return async (call) => {
      const { time, seed } = this.parts
      const lane = laneOf(call)
      if (call.url === PROBE_URL) return this.probed(link)
      const number = (this.calls[lane] += 1)
      const fault = this.faultFor(lane, number, call)
      const chance = (part: number) => chanceAt(seed, STREAM[lane], number * 8 + part)
      await sleepIn(time, link.proc, Math.round(chance(0) * 3))
      if (this.radioOff.has(link.device)) return this.vanished(link, call)
      if (call.lease && !call.lease.allows(limitOf(call))) return NOT_SENT
      if (fault?.name === 'crashBefore') return this.crash(link)
      this.parts.witness.note(`${lane} #${number} ${link.device} ${describe(call)} ${fault?.name ?? ''}`)
      this.dispatched(link, call)
      const answer = this.travel(link, call, fault, chance)
      if (fault?.name === 'crashAfter') return this.crash(link)
      return answer
    }
  }

  private vanished({ device }: Link, call: HttpCall): Answer {
    if (laneOf(call) === 'crm') this.parts.witness.vanished(device, call)
    return LOST
  }

  /** Its answer says nothing of the API. */
  private async probed({ device, proc }: Link): Promise<Answer> {
    await sleepIn(this.parts.time, proc, 20)
    return this.radioOff.has(device) ? LOST : status(204, '', false)
  }

  private dispatched(link: Link, call: HttpCall): void {
    const { witness, fileWitness, files } = this.parts
    if (laneOf(call) === 'files') fileWitness.dispatched(link, call, files.userOf(call))
    else witness.dispatched(link, call, this.owners.userOf(call))
  }

  private answered(link: Link, call: HttpCall, answer: Answer): void {
    const { witness, fileWitness } = this.parts
    witness.note(`  ← ${answer.kind === 'answer' ? answer.status : 'no answer'} ${describe(call)}`)
    if (laneOf(call) === 'files') fileWitness.answered(link, call, answer)
    else witness.answered(link.device, call, answer)
  }

  private crash(link: Link): Promise<never> {
    link.crash()
    return never()
  }

  private faultFor(lane: Lane, number: number, call: HttpCall): Fault {
    if (lane === 'files' && this.filesDown) return { name: 'dropBefore', chance: 0 }
    const item =
      this.faultsOn &&
      this.parts.faults.find((each) => (each.lane ?? 'crm') === lane && each.call === number - 1)
    if (!item) return undefined
    // a folder that is there is not called missing: to say so is to say that no file is in it
    const isLie = (item.fault === '404' || item.fault === 'refusal') && isIndex(call)
    return { name: isLie ? '500' : item.fault, chance: item.chance }
  }

  private travel(
    link: Link,
    call: HttpCall,
    fault: Fault,
    chance: (part: number) => number,
  ): Promise<Answer> {
    const { time } = this.parts
    const limit = limitOf(call)
    return new Promise((resolve) => {
      let ended = false
      const end = (answer: Answer, ms: number) =>
        void sleepIn(time, link.proc, ms).then(() => {
          if (ended) return
          ended = true
          if (fault?.name === 'crashOnAnswer') return link.crash()
          this.answered(link, call, answer)
          resolve(answer)
        })
      end(LOST, limit)
      const slow = this.isSlow(call)
      const there = this.arrivalMs(link, call, fault, chance)
      const isTardy = this.parts.failing.of(call, time.now) === 'tardy'
      const back = isTardy
        ? 3_000 + chance(2) * 9_000
        : fault?.name === 'slow'
          ? fault.chance * 15_000
          : 5 + chance(2) * 200
      if (fault?.name === 'dropBefore') return end(LOST, fault.chance < 0.5 ? 50 : limit)
      time.after(there, async () => {
        // what the CRM takes its time with has reached it
        if (this.radioOff.has(link.device) && fault?.name !== 'late' && !slow) return
        const answer = await this.answerTo(link.device, call, fault)
        if (answer) end(answer, back)
        else if (fault?.name !== 'late') end(LOST, (fault?.chance ?? 0) < 0.5 ? 50 : limit)
      })
    })
  }

  /** How long a call is under way. Later calls of the device never overtake it. */
  private arrivalMs(link: Link, call: HttpCall, fault: Fault, chance: (part: number) => number): number {
    const { time } = this.parts
    const limit = limitOf(call)
    if (this.isStray(call, fault)) return limit + (fault?.chance ?? 0) * 60_000
    if (this.isSlow(call)) return limit + 100 + chance(3) * (limit - 2_000)
    const ms = fault?.name === 'late' ? limit + fault.chance * 300 : 5 + chance(1) * 200
    const way = laneOf(call) === 'files' ? `${link.device} ${fileCall(call).folderId}` : link.device
    const at = Math.max(time.now + ms, (this.lastArrival.get(way) ?? 0) + 1)
    this.lastArrival.set(way, at)
    return at - time.now
  }

  private isSlow = (call: HttpCall) =>
    isUnkeyedCreate(call) && this.parts.failing.of(call, this.parts.time.now) === 'slow'

  /** It arrives long after it was given up, in no order with others. */
  private isStray(call: HttpCall, fault: Fault): boolean {
    if (fault?.name !== 'late' || call.method !== 'POST') return false
    return laneOf(call) === 'files' ? isUpload(call) && fault.chance > 0.5 : this.parts.honourIdempotency
  }

  /** @returns null where the answer is lost */
  private async answerTo(device: string, call: HttpCall, fault: Fault): Promise<Answer | null> {
    const instead = this.outage(call) ?? this.insteadOfActing(call, fault)
    if (instead) return instead === 'reset' ? null : instead
    const answer = await this.act(device, call, this.isStray(call, fault))
    const after = this.parts.failing.after(call, this.parts.time.now)
    if (after) return after
    switch (fault?.name) {
      case 'twice': {
        if (isUpload(call)) await this.act(device, call, true)
        if (call.method === 'PUT') await this.act(device, call)
        // the browser has sent it again by itself, and hears how that one ended
        if (!this.parts.honourIdempotency && isKnownAgain(call)) return this.act(device, call)
        const again = () => this.act(device, call).then(() => undefined)
        if (call.method === 'POST' && this.parts.honourIdempotency && madeBy(call))
          this.parts.time.after(fault.chance * 60_000, again)
        return answer
      }
      case 'dropAfter':
      case 'late':
        return null
      case '500after':
        return status(500)
      case '502after':
        return status(502, '<html>', false)
      case 'truncated':
        return answer.kind === 'answer' && answer.status === 200 ? status(200, '{"id":', false) : null
      default:
        return answer
    }
  }

  private outage(call: HttpCall): Answer | 'reset' | null {
    const { outages, time } = this.parts
    return this.faultsOn ? outageAnswer(outages, laneOf(call), time.now - this.start) : null
  }

  private insteadOfActing(call: HttpCall, fault: Fault): Answer | null {
    const { failing, time } = this.parts
    const away = failing.instead(call, time.now)
    if (away) return away
    if (
      this.parts.poison &&
      !this.mended &&
      madeBy(call) &&
      call.body?.includes(`"${this.parts.crm.requests.at(-1)?.id}"`)
    )
      return status(500)
    if (this.parts.poisonPhoto && !this.mended && isUpload(call) && isFirstPhoto(fileIn(call)?.size))
      return status(500)
    if (fault?.name === 'refusal' && laneOf(call) === 'files')
      return status(200, { success: false, message: '故障' })
    if (fault?.name === 'captivePortal') return status(200, '<!doctype html>', false)
    return fault && /^\d{3}$/.test(fault.name) ? status(Number(fault.name)) : null
  }

  private async act(device: string, call: HttpCall, extra = false): Promise<Answer> {
    if (laneOf(call) === 'files') {
      const answer = await this.parts.files.act(call, extra)
      this.parts.fileWitness.acted(call, answer)
      return answer
    }
    const user = this.owners.userOf(call)
    const before = call.method === 'PUT' || madeBy(call) ? await this.held() : null
    const answer = await this.parts.crm.act(call)
    const done = answer.kind === 'answer' && answer.status === 204
    if (before) this.parts.witness.edited(device, call, before, await this.held(), done)
    this.owners.learn(call, answer)
    this.recordMade(call, answer)
    this.parts.witness.acted(device, call, answer, user)
    return answer
  }

  /** Another company does something in the CRM. */
  async elsewhere(act: () => void | Promise<void>): Promise<void> {
    const before = await this.held()
    await act()
    this.parts.witness.edited('', null, before, await this.held(), true)
  }

  /** What the CRM holds. */
  async held(): Promise<Held[]> {
    const { crm } = this.parts
    const reports = await Promise.all(crm.requests.map((request) => crm.report(request)))
    const ofReports = reports
      .filter((row) => row !== null)
      .map((row): Held => ({
        ...row,
        collection: 'quickReports',
        named: row.requestId,
        fields: contentOf('quickReports', row),
      }))
    return [...ofReports, ...(crm.held?.() ?? [])]
  }

  private recordMade(call: HttpCall, answer: Answer): void {
    if (!isEntryCall(call) || answer.kind !== 'answer' || answer.status !== 200) return
    this.parts.fileWitness.recordMade((JSON.parse(call.body ?? '{}') as { requestId: string }).requestId)
  }
}
