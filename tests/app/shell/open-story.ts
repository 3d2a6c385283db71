/** The banners of saves on the real database, for the tests of their stories. */
import { waitFor } from '@testing-library/react'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { filter, firstValueFrom } from 'rxjs'
import { expect } from 'vitest'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import { notifySaves } from '#app/shell/save-notifications.ts'
import { createFormDrafts } from '#data/drafts/drafts.ts'
import { openPhotoBytes } from '#data/photos/photo-bytes.ts'
import { createFlashStore } from '#data/context/flash-store.ts'
import { noting } from '#data/changes/changes.ts'
import { outbox$, type Outbox } from '#data/outbox/outbox.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { createClock } from '#lib/time/stamp.ts'
import { i18n } from '../../support/i18n.ts'
import { openTestDatabase, testSession, testValue } from '../../support/render-feature.tsx'
import { afterThisTest } from '../../support/undo.ts'
import { requestOn } from '../../support/visit-records.ts'
import { content } from '../../features/emergency-report/open-emergency.tsx'
import { acceptChange, rowIn, storeFacts, viewsIn } from '../../support/stored-views.ts'
import { PLAIN } from '../../support/plain-sealer.ts'

export const DAY = '2026-11-20'
export const SENDING = '保存しました。送信中です'
export const AGAIN = 'もう一度送信しています'
export const SAVED = '正常に保存されました'
export const OFFLINE = '電波がないため、端末に保存しました。電波が戻ると自動で送信します。'

interface StoryOptions {
  before?: (db: Awaited<ReturnType<typeof openTestDatabase>>) => Promise<unknown>
  buzz?: (what: 'saved' | 'refused') => void
}

export async function openStory({ before, buzz }: StoryOptions = {}) {
  const db = await openTestDatabase()
  await before?.(db)
  const flash = createFlashStore()
  const problems: unknown[] = []
  const online = testValue(true)
  const session = testValue({ ...testSession })
  const settings = { indexedDB: new IDBFactory(), IDBKeyRange }
  const bytes = openPhotoBytes({ sealer: PLAIN, databaseName: db.name, now: () => 0, settings })
  const drafts = createFormDrafts({ db, bytes })
  const newId = () => crypto.randomUUID()
  const errorLog = { note: (problem: unknown) => void problems.push(problem) }
  let last: string | null = null
  const memory = { get: () => last, set: (stamp: string) => void (last = stamp) }
  const clock = createClock({ now: () => Date.parse(`${DAY}T10:00:00+09:00`), device: 'test', memory })
  const parts = { db, bytes, drafts, newId, clock, errorLog, i18n, flash, online, session }
  const telling = notifySaves({ ...parts, ...(buzz && { buzz }) })
  afterThisTest(telling.stop)
  const saverOf = () =>
    noting({ db, clock, newId: () => crypto.randomUUID(), userId: 'u6', offline: !online.get() })
  const put = async (id: string, over: Partial<SendFacts>) => {
    const doc = await rowIn(db, id)
    if (doc) return void (await doc.incrementalPatch(over))
    for (const record of await viewsIn(db, 'emergencyReports'))
      for (const change of record.changes.filter((each) => each.id === id)) {
        const item = { record: { resource: 'emergencyReports', ...record }, change }
        await storeFacts(db, { ...blankFacts(item), ...over })
      }
  }
  return {
    db,
    bytes,
    drafts,
    problems,
    flash,
    online,
    session,
    put,
    saverOf,
    telling,
    /** 緊急報告登録. @returns the change's id */
    async save(ids = ['1']) {
      const { saver, stamps } = saverOf()
      const before = new Set((await viewsIn(db, 'emergencyReports')).map(({ key }) => key))
      for (const id of ids) await saveEmergencyReport(saver, requestOn(id, DAY), content as never)
      const made = (await viewsIn(db, 'emergencyReports')).filter(({ key }) => !before.has(key))
      // each was a write of its own
      const isThere = ({ queue }: Outbox) =>
        made.every(({ key }) => queue.some(({ change }) => change.id === key))
      await firstValueFrom(outbox$(db).pipe(filter(isThere)))
      telling.saved(stamps, '/', null)
      return made.map(({ key }) => key)
    },
    async accept(id: string, reasons: string[] = []) {
      const settledAt = `${DAY}T01:00:01.000Z`
      const serverId = `s-${id}`
      await acceptChange(db, id, { ...content, id: serverId }, { serverId, reasons, settledAt })
    },
    refuse: (id: string, reasons: string[], status = 400, settledAt = `${DAY}T01:00:02.000Z`) =>
      put(id, { state: 'refused', reasons, status, settledAt }),
    /** A refusal with its title; what a save is of, `titles` have. */
    texts: () =>
      flash
        .get()
        .map(({ mode, title, text }) => [mode, ...(title && mode === 'danger' ? [title] : []), text]),
    titles: () => flash.get().map(({ title }) => title),
  }
}

type Opened = Awaited<ReturnType<typeof openStory>>
export const expectBanners = ({ texts }: Opened, ...banners: string[][]) =>
  waitFor(() => expect(texts()).toEqual(banners))
