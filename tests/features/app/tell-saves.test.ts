/** One save, one story: the banner of a save, and that of what was refused, on the real database. */
import { waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { blankLedgerEntry, effectiveChanges } from '#schemas/change-queue.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { withUnsent } from '#schemas/photo-queue.ts'
import { tellSaves } from '#app/tell-saves.ts'
import { createFlashStore } from '#data/flash-store.ts'
import { noting } from '#data/use-saver.ts'
import { savePhotos } from '#data/photo-changes.ts'
import { saveEntry } from '#data/quick-report-changes.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { createClock } from '#lib/stamp.ts'
import { i18n } from '../../support/i18n.ts'
import { openTestDatabase, testSession, testValue } from '../../support/render-feature.tsx'
import { ENTERED, LEFT, requestOn } from '../../support/visit-records.ts'
import { content, reportIn } from '../emergency-report/open-emergency.tsx'

const DAY = '2026-11-20'
const SENDING = '保存しました。送信中です'
const AGAIN = 'もう一度送信しています'
const SAVED = '正常に保存されました'
const OFFLINE = '電波がないため、端末に保存しました。電波が戻ると自動で送信します。'

const ends = new Set<() => void>()
afterEach(() => {
  for (const end of ends) end()
  ends.clear()
})

async function openStory({
  before,
}: { before?: (db: Awaited<ReturnType<typeof openTestDatabase>>) => Promise<unknown> } = {}) {
  const db = await openTestDatabase()
  await before?.(db)
  const flash = createFlashStore()
  const online = testValue(true)
  const session = testValue({ ...testSession })
  const telling = tellSaves({ db, i18n, flash, online, session })
  ends.add(telling.stop)
  let last: string | null = null
  const memory = { get: () => last, set: (stamp: string) => void (last = stamp) }
  const clock = createClock({ now: () => Date.parse(`${DAY}T10:00:00+09:00`), device: 'test', memory })
  const saverOf = () =>
    noting({ db, clock, newId: () => crypto.randomUUID(), userId: 'u6', offline: !online.get() })
  const put = async (id: string, over: Partial<LedgerEntry>) => {
    const doc = await db.ledger.findOne(id).exec()
    if (doc) return void (await doc.incrementalPatch(over))
    for (const record of (await db.emergencyReports.find().exec()).map((each) => each.toMutableJSON()))
      for (const change of record.changes.filter((each) => each.id === id)) {
        const item = { record: { resource: 'emergencyReports', ...record }, change }
        await db.ledger.insert({ ...blankLedgerEntry(item), ...over })
      }
  }
  return {
    db,
    flash,
    online,
    session,
    put,
    saverOf,
    telling,
    /** 緊急報告登録. @returns the change's id */
    async save(ids = ['1']) {
      const { saver, stamps } = saverOf()
      const before = new Set((await db.emergencyReports.find().exec()).map(({ key }) => key))
      for (const id of ids) await saveEmergencyReport(saver, requestOn(id, DAY), content as never)
      telling.saved(stamps)
      const made = (await db.emergencyReports.find().exec()).filter(({ key }) => !before.has(key))
      return made.map(({ key }) => key)
    },
    async accept(id: string) {
      await put(id, { state: 'accepted', serverId: `s-${id}`, settledAt: `${DAY}T01:00:01.000Z` })
      const doc = await db.emergencyReports.findOne(id).exec()
      await doc?.incrementalModify((record) => ({
        ...record,
        changes: [],
        serverId: `s-${id}`,
        unsent: 'no',
      }))
    },
    refuse: (id: string, reasons: string[], status = 400, settledAt = `${DAY}T01:00:02.000Z`) =>
      put(id, { state: 'refused', reasons, status, settledAt }),
    texts: () => flash.get().map(({ mode, title, text }) => [mode, ...(title ? [title] : []), text]),
  }
}

type Opened = Awaited<ReturnType<typeof openStory>>
const says = ({ texts }: Opened, ...banners: string[][]) => waitFor(() => expect(texts()).toEqual(banners))

describe('[ST1][spec 4] the banner of a save', () => {
  test('says that it is being sent, and 正常に保存されました only once the CRM has it', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await says(opened, ['info', SENDING])
    await opened.put(id, { state: 'sending' })
    await says(opened, ['info', SENDING])
    await opened.accept(id)
    await says(opened, ['success', SAVED])
  })

  test('photos are a part of it', async () => {
    const opened = await openStory({ before: (db) => db.emergencyReports.insert(reportIn('e1')) })
    const { saver, stamps } = opened.saverOf()
    const photo = {
      key: 'p1',
      resource: 'emergencyReports',
      recordKey: 'e1',
      requestId: '1',
      workingDate: DAY,
      name: 'a.jpg',
      size: 1,
      type: 'image/jpeg' as const,
      placeInfo: '',
      takenAt: ENTERED,
    }
    await savePhotos(saver, [photo])
    opened.telling.saved(stamps)
    await says(opened, ['info', SENDING])
    const doc = await opened.db.photos.findOne('p1').exec(true)
    await opened.db.ledger.insert({
      ...blankLedgerEntry({
        record: {
          resource: 'photos',
          key: 'p1',
          requestId: '1',
          workingDate: DAY,
          serverId: '',
          changes: [],
          unsent: 'yes',
        },
        change: {
          id: 'p1',
          stamp: doc.stamp,
          savedAt: ENTERED,
          userId: 'u6',
          offline: false,
          kind: 'upload',
          fields: {},
        },
      }),
      state: 'accepted',
    })
    await says(opened, ['info', SENDING])
    await doc.incrementalModify((each) => withUnsent({ ...each, fileSeq: 'f1', storeName: each.name }))
    await says(opened, ['success', SAVED])
  })

  test('without a signal it says so, and nothing more: the queue says when it was sent (ST2)', async () => {
    const opened = await openStory()
    opened.online.set(false)
    const [id = ''] = await opened.save()
    await says(opened, ['warning', OFFLINE])
    opened.online.set(true)
    await opened.accept(id)
    await says(opened, ['warning', OFFLINE])
  })

  test('the signal goes while it is being sent', async () => {
    const opened = await openStory()
    await opened.save()
    await says(opened, ['info', SENDING])
    opened.online.set(false)
    await says(opened, ['warning', OFFLINE])
  })

  test('the session is over', async () => {
    const opened = await openStory()
    await opened.save()
    opened.session.set({ ...testSession, expired: true })
    await says(opened, ['warning', '保存しました。再ログインすると送信します。'])
  })

  test('what waits for a refused one does not pretend to be sent', async () => {
    const opened = await openStory()
    const first = opened.saverOf()
    await saveEntry(first.saver, [requestOn('1', DAY)], ENTERED)
    const record = (await opened.db.quickReports.findOne().exec(true)).toMutableJSON()
    const [entry] = effectiveChanges(record.changes)
    if (!entry) throw new Error('saved')
    const item = { record: { resource: 'quickReports', ...record }, change: entry }
    await opened.db.ledger.insert({ ...blankLedgerEntry(item), state: 'refused', reasons: ['ec00011'] })
    const { saver, stamps } = opened.saverOf()
    const exit = { outTime: LEFT, type: '1', reason1: null, reason2: null, reportContent: null }
    await saveReport(saver, [record], 'exit', exit)
    opened.telling.saved(stamps)
    await waitFor(() =>
      expect(opened.texts()).toContainEqual([
        'info',
        '保存しました。先に保存した登録が送信されてから送信します。',
      ]),
    )
  })

  test('given up: it goes', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await says(opened, ['info', SENDING])
    await (await opened.db.emergencyReports.findOne(id).exec())?.remove()
    await says(opened)
  })

  test('nothing had changed: there is nothing to send', async () => {
    const opened = await openStory()
    opened.telling.saved([])
    await says(opened, ['success', SAVED])
  })

  test('of two saves the last one has the banner', async () => {
    const opened = await openStory()
    const [first = ''] = await opened.save()
    const [second = ''] = await opened.save()
    await opened.accept(first)
    await says(opened, ['info', SENDING])
    await opened.accept(second)
    await says(opened, ['success', SAVED])
  })
})

describe('[OC2][spec 8] the banner of a refusal', () => {
  const NAME = '緊急報告登録を送信できませんでした'
  const REASON =
    'すでに登録されているか、未反映の変更依頼があるため、登録できません。\n担当者にお問い合わせください。'

  test('the save becomes what was refused, why, what to do, and the way to it; no success was said', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await opened.refuse(id, ['ec00030'], 202)
    await says(opened, ['danger', NAME, REASON])
    expect(opened.flash.get()[0]?.link).toEqual({ path: `/outbox#${id}`, text: '送信状況で確認' })
    expect(opened.flash.get()[0]?.stays).toBe(true)
  })

  test('再送 and accepted: it goes, and the story ends well', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await opened.refuse(id, ['ec00030'], 202)
    await says(opened, ['danger', NAME, REASON])
    await opened.put(id, { state: 'unknown', reasons: [] })
    await says(opened, ['info', AGAIN])
    await opened.accept(id)
    await says(opened, ['success', SAVED])
  })

  test('再送 and refused again: it is said again', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await opened.refuse(id, ['ec00030'], 202)
    await says(opened, ['danger', NAME, REASON])
    await opened.put(id, { state: 'sending', reasons: [] })
    await says(opened, ['info', AGAIN])
    await opened.refuse(id, ['ec00010'], 400, `${DAY}T01:05:00.000Z`)
    await says(opened, ['danger', NAME, '確認済みのため、更新できません。\n担当者にお問い合わせください。'])
  })

  test('破棄: it goes', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await opened.refuse(id, ['ec00030'], 202)
    await says(opened, ['danger', NAME, REASON])
    await opened.put(id, { state: 'discarded' })
    await says(opened)
  })

  test('several are one banner; one that is resolved leaves the other', async () => {
    const opened = await openStory()
    const [first = '', second = ''] = await opened.save(['1', '2'])
    await opened.refuse(first, ['ec00030'], 202)
    await opened.refuse(second, ['ec00010'])
    await waitFor(() =>
      expect(opened.flash.get()).toMatchObject([{ mode: 'danger', title: '2件を送信できませんでした' }]),
    )
    await opened.put(second, { state: 'discarded' })
    await says(opened, ['danger', NAME, REASON])
  })

  test('closed by hand it stays closed; the next refusal speaks for itself', async () => {
    const opened = await openStory()
    const [first = '', second = ''] = await opened.save(['1', '2'])
    await opened.refuse(first, ['ec00030'], 202)
    await says(opened, ['danger', NAME, REASON])
    opened.flash.dismiss(opened.flash.get()[0]?.id ?? 0)
    await opened.refuse(second, ['二つ目'])
    await says(opened, ['danger', NAME, '二つ目\n内容を確認して直すか、担当者にお問い合わせください。'])
  })

  test('what was refused in an earlier run was told then', async () => {
    const report = { ...reportIn('e9'), serverId: '', unsent: 'yes' as const }
    const change = {
      id: 'c9',
      stamp: '1-0000-test',
      savedAt: ENTERED,
      userId: 'u6',
      offline: false,
      kind: 'create' as const,
      fields: content,
    }
    const opened = await openStory({
      async before(db) {
        await db.emergencyReports.insert({ ...report, changes: [change] })
        const item = { record: { resource: 'emergencyReports', ...report }, change }
        await db.ledger.insert({ ...blankLedgerEntry(item), state: 'refused', reasons: ['ec00030'] })
      },
    })
    const [id = ''] = await opened.save()
    await opened.accept(id)
    await says(opened, ['success', SAVED])
  })

  test('logout takes them away', async () => {
    const opened = await openStory()
    const [id = ''] = await opened.save()
    await opened.refuse(id, ['ec00030'], 202)
    await says(opened, ['danger', NAME, REASON])
    opened.telling.stop()
    expect(opened.texts()).toEqual([])
  })
})
