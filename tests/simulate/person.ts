/** What people do to a phone: the real commands of the screens, chosen among what the screen would offer. */
import { queueOf, type QueueItem } from '#schemas/changes/change-queue.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { Saver } from '#data/changes/changes.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { quickReportView } from '#data/visits/quick-report-view.ts'
import { isOnlyHere } from '#data/outbox/discard.ts'
import { discardUnsent, wish } from '#data/fetch-requests/wishes.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { unsentContent } from '#features/quick-report/rules.ts'
import { toTokyoIso } from '#lib/time/tokyo-time.ts'
import type { AppInstance } from './app-instance.ts'
import type { Device } from './device.ts'
import { officeEdit, officeEditOf, type CrmReport } from './model-crm.ts'
import { photoAct } from './photo-person.ts'
import type { Item } from './plan-item.ts'
import { pickOf } from './random.ts'
import { recordKinds, touchedOf, type Held } from './record-kinds.ts'
import { isRecordAct, recordAct, typedWords, type Saving } from './record-person.ts'
import { readReports } from './reports-read.ts'
import type { SaveCall } from './save.ts'
import type { World } from './world.ts'

type Action = Extract<Item, { kind: 'action' }>

const DAY_MS = 86_400_000
const HANG_MS = 240_000
/** How far a clock is set off, in days. */
const SKEWS = [-3, -1, -0.05, 0, 0, 0.05, 1.1, 3]

export function act(world: World, device: Device, action: Action): void {
  const tab = device.tabs[action.tab % Math.max(1, device.tabs.length)]
  const app = tab?.app ?? null
  world.witness.note(`${device.name} ${action.act}`)
  if (onPhone(world, device, action) || onCrm(world, action)) return
  if (!tab || tab.proc.thawsAt > world.time.now) return
  if (action.act === 'closeTab') return device.crash(tab.proc, false)
  if (action.act === 'hang') return device.hang(tab.proc, action.chance * HANG_MS)
  if (app?.proc.alive && app.isOpen)
    void inApp(world, device, app, tab.clock, action).catch(failedSave(world))
}

/** A save that the disk refused was not called saved. */
const failedSave = (world: World) => (error: unknown) => {
  world.witness.note(`  not saved: ${String(error)}`)
  if (!(error instanceof Error) || error.name !== 'QuotaExceededError') throw error
}

function onPhone(world: World, device: Device, { act: what, chance }: Action): boolean {
  const { radioOff } = world.network
  const users = [...world.users].slice(0, world.config.users)
  const current = device.session?.userInfo.loginUserName
  switch (what) {
    case 'crashDevice':
      device.crash(null, true)
      return true
    case 'radioOff':
      radioOff.add(device.name)
      return true
    case 'radioOn':
      radioOff.delete(device.name)
      // not every browser says so
      if (chance < 0.5) device.radio$.next(true)
      return true
    case 'clock':
      device.skew = (pickOf(SKEWS, chance) ?? 0) * DAY_MS
      return true
    case 'logout':
      device.signOut()
      return true
    case 'login':
      if (!radioOff.has(device.name) && (!device.session || device.session.expired))
        void device.signIn(device.session?.userName ?? pickOf(users, chance) ?? '')
      return true
    case 'switchUser': {
      const other = users.find((user) => user !== current)
      if (other === undefined || radioOff.has(device.name)) return true
      device.signOut()
      void device.signIn(other)
      return true
    }
    default:
      return false
  }
}

function onCrm(
  { crm, files, network, time, photoWitness, witness }: World,
  { act: what, chance }: Action,
): boolean {
  const request = pickOf(crm.requests, chance)
  if (!request) return true
  switch (what) {
    case 'otherEnters':
      photoWitness.recordMade(request.id)
      void crm.otherEnters(request, toTokyoIso(time.now - 7_777_000))
      return true
    case 'otherEdits':
      void network.elsewhere(() => crm.otherEdits(request, officeEdit(variantOf(chance), time.now)))
      return true
    case 'officeEdits': {
      // one without a key that somebody changes before it is found cannot be told from another (RULES OC9)
      const isFound = (record: Held) =>
        recordKinds[record.collection].key !== null || witness.saves.isKnown(record.id)
      const held = pickOf((crm.held?.() ?? []).filter(isFound), chance)
      if (held)
        void network.elsewhere(() =>
          crm.editsHeld?.(held.id, officeEditOf(held, variantOf(chance), time.now)),
        )
      return true
    }
    case 'confirms':
      crm.confirms?.(request)
      return true
    case 'removes':
      crm.removes?.(request)
      return true
    case 'expireTokens':
      crm.expireTokens?.()
      files.expireTokens()
      return true
    default:
      return false
  }
}

async function inApp(
  world: World,
  device: Device,
  app: AppInstance,
  clock: Saver['clock'],
  { act: what, chance }: Action,
): Promise<void> {
  const { disk, db, reader } = app
  if (isRecordAct(what)) {
    const request = pickOf(world.crm.requests, chance)
    const base = { db, clock, userId: disk.userId, offline: false }
    const save: Saving = (touched, run) => saving(world, base, touched, false, run)
    if (request) await recordAct(what, { disk, reader, request, save, variant: variantOf(chance) })
    return
  }
  const records = disk.records(reader)
  const entries = disk.entries(reader)
  const seen = records.map((record) => ({ record, view: quickReportView(record, entries) }))
  const inside = seen.filter(({ view }) => view.inTime && !view.outTime).map(({ record }) => record)
  const left = seen.filter(({ view }) => view.outTime).map(({ record }) => record)
  const free = world.crm.requests.filter(
    ({ id, workingDate }) => !seen.some(({ view }) => view.key === visitKey(id, workingDate) && view.inTime),
  )
  const queue = queueOf(disk.pushed(reader), entries)
  const save = (
    touched: SaveCall['touched'],
    run: (saver: Saver, call: SaveCall) => Promise<unknown>,
    isGroup = false,
  ) => saving(world, { db, clock, userId: disk.userId, offline: false }, touched, isGroup, run)
  const hands = { world, app, clock }
  const exited = ({ tag }: SaveCall) => ({
    // as a device may have stored it: how it leaves is the engine's affair (RULES WR1)
    outTime: new Date(device.now()).toISOString(),
    type: '1',
    reason1: null,
    reason2: null,
    reportContent: typedWords(tag, variantOf(chance)),
  })
  switch (what) {
    case 'entry':
    case 'entries': {
      const first = Math.floor(chance * free.length)
      const chosen = free.slice(first, first + (what === 'entry' ? 1 : 2)) as unknown as RequestRecord[]
      if (chosen.length > 0) await save([], (saver, call) => saveEntry(saver, chosen, inTimeOf(world, call)))
      return
    }
    case 'exit': {
      const record = pickOf(inside, chance)
      if (record) await save(CONTENT, (saver, call) => saveReport(saver, [record], 'exit', exited(call)))
      return
    }
    case 'edit': {
      const record = pickOf(left, chance)
      if (!record) return
      const kind = record.server?.outTime ? 'edit' : 'exit'
      // the form shows what was saved here last, else what the CRM has
      const shown = unsentContent(record) ?? quickReportView(record, entries)
      const edited = { ...contentIn(shown), ...typed(variantOf(chance), device.now()) }
      const touched = touchedOf('quickReports', { ...shown }, { ...edited, reportContent: 'words' })
      await save(touched, (saver, call) =>
        saveReport(saver, [record], kind, {
          ...edited,
          reportContent: typedWords(call.tag, variantOf(chance)),
        }),
      )
      return
    }
    case 'bulkExit':
      if (inside.length > 1)
        await save(CONTENT, (saver, call) => saveReport(saver, inside, 'exit', exited(call)), true)
      return
    case 'resend':
      return wishFor(hands, pickOf(queue.filter(isParked), chance), 'resend')
    case 'discard':
      return wishFor(hands, pickOf(chance < 0.7 ? queue.filter(isParked) : queue, chance), 'discard')
    case 'pull':
      return readReports(world, app, clock, chance)
    case 'photoEntry': {
      const request = pickOf(free, chance) as unknown as RequestRecord | undefined
      if (!request) return
      return save([], (saver, call) => {
        const write = (stamps: Saver['clock']) =>
          saveEntry({ ...saver, clock: stamps }, [request], inTimeOf(world, call))
        return photoAct({ ...hands, enter: { request, write } }, what, chance)
      })
    }
    case 'photo':
    case 'photos':
    case 'renamePhoto':
    case 'deletePhoto':
    case 'resendPhoto':
    case 'discardPhoto':
      return photoAct(hands, what, chance)
    default:
  }
}

/** Which thing is changed: from the last digits of a chance, whose first ones say where. */
const variantOf = (chance: number) => Math.round(chance * 1000)

const CONTENT = recordKinds.quickReports.content

type Report = Pick<CrmReport, 'outTime' | 'type' | 'reason1' | 'reason2' | 'reportContent'>

const contentIn = ({ outTime, type, reason1, reason2, reportContent }: Report): Report => ({
  outTime,
  type,
  reason1,
  reason2,
  reportContent,
})

/** What a person changes of a report beside its words: nothing, what became of the work, or when it ended. */
function typed(variant: number, now: number): Partial<Report> {
  if (variant % 3 === 1)
    return { type: '3', reason1: null, reason2: String(1 + (Math.floor(now / 1000) % 3)) }
  return variant % 3 === 2 ? { outTime: new Date(now).toISOString() } : {}
}

const isParked = ({ state }: QueueItem) => state === 'failed' || state === 'expired'

/** No two saves have the same time, so that the CRM's row tells whose it is. */
const inTimeOf = ({ time }: World, { started }: SaveCall) =>
  new Date(Math.floor(time.now / 1000) * 1000 - 3_600_000 + started).toISOString()

async function saving(
  world: World,
  base: Omit<Saver, 'newId'>,
  touched: SaveCall['touched'],
  isGroup: boolean,
  run: (saver: Saver, call: SaveCall) => Promise<unknown>,
): Promise<void> {
  const call = world.witness.saveBegins(touched)
  let isFirst = isGroup
  const newId = () => {
    const id = `${isFirst ? 'group' : 'c'}${(world.ids += 1)}`
    if (!isFirst) world.witness.knows(id, call)
    isFirst = false
    return id
  }
  await run({ ...base, newId }, call)
  world.witness.saveConfirmed(call)
}

async function wishFor(
  { world, app: { db }, clock }: { world: World; app: AppInstance; clock: Saver['clock'] },
  item: QueueItem | undefined,
  what: 'resend' | 'discard',
): Promise<void> {
  if (!item) return
  world.witness.note(`  ${what} ${item.change.id}`)
  if (what === 'discard') world.witness.saves.discardAsked(item.change.id)
  const asked = world.witness.saves.wishBegins(item.change.id)
  // without a question, as 送信状況 does it
  if (what === 'discard' && isOnlyHere(item)) {
    const isTaken = await discardUnsent(db, item, clock.now())
    world.witness.saves.discardedAtOnce(item.change.id, isTaken)
    if (!isTaken) return
  } else await wish(db, item, what)
  world.witness.saves.wishKept(item.change.id, what, asked)
}
