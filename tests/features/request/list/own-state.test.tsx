/**
 * The law of states: with exactly one unsent change on a request, only what is about that record says so. Every control of
 * 依頼詳細 and the card of the list are looked at, for each resource and for photos.
 */
import { within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { Saver } from '#data/changes/changes.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { savePhotos } from '#data/photos/photos.ts'
import { toVisit } from '#data/visits/visits.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveContactChange } from '#features/location-contact-change-request/commands.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { VisitItem } from '#features/request/list/visit-item.tsx'
import { saveSafetyMeasure } from '#features/safety-measure/commands.ts'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import { photoItem } from '#schemas/changes/photo-queue.ts'
import { createClock } from '#lib/time/stamp.ts'
import { CONTACT, LOCATION } from '../../../support/change-records.ts'
import { openTestDatabase, renderFeature } from '../../../support/render-feature.tsx'
import { ENTERED, reportOn, requestOn } from '../../../support/visit-records.ts'
import { content, reportIn } from '../../emergency-report/open-emergency.tsx'
import { DAY, openView, whole } from '../detail/open-view.tsx'
import { rowsIn, storeFacts, storeView, unsentIn, viewsIn } from '../../../support/stored-views.ts'

const request = requestOn('1', DAY, {
  ...whole,
  safetyStatus: '1',
  safetyDirectionName: '高所',
  detail: whole.detail ? { ...whole.detail, safety: [] } : null,
  inLocationContactChangeStatus: '1',
  outLocationContact: CONTACT,
  outLocationContactChangeStatus: '1',
  noteLocationAreaStatus: '1',
  noteLocationAreaCount: 0,
})

const WORDS = ['待機', '送信中', '失敗', '期限切れ']
type State = 'waiting' | 'sending' | 'refused' | 'expired'
const WORD: Record<State, string> = {
  waiting: '待機',
  sending: '送信中',
  refused: '失敗',
  expired: '期限切れ',
}

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

interface Case {
  name: string
  entered?: boolean
  save: (saver: Saver, request: RequestRecord) => Promise<unknown>
  /** The controls that may say it, by the first words of their names; `card` is the one in the list. */
  said: string[]
  before?: (saver: Saver) => Promise<unknown>
}

const cases: Case[] = [
  { name: '入館登録', save: (saver, of) => saveEntry(saver, [of], ENTERED), said: ['card', '退館報告'] },
  {
    name: '退館報告',
    entered: true,
    save: async (saver) =>
      saveReport(saver, [reportOn('1', { inTime: ENTERED })], 'exit', {
        outTime: `${DAY}T11:42:00+09:00`,
        type: '1',
        reason1: null,
        reason2: null,
        reportContent: null,
      }),
    said: ['card', '退館報告'],
  },
  {
    name: '安全対策',
    save: (saver, of) => saveSafetyMeasure(saver, of, '3', '1'),
    said: ['安全対策', '高所'],
  },
  {
    name: '緊急報告',
    save: (saver, of) => saveEmergencyReport(saver, of, content as never),
    said: ['緊急報告'],
  },
  {
    name: '入館・駐車場情報変更依頼',
    save: (saver, { id }) => saveCustomerLocation(saver, id, LOCATION as never, null),
    said: ['入館・駐車場情報変更依頼'],
  },
  {
    name: '入館連絡先変更依頼',
    save: (saver, { id }) => saveContactChange(saver, id, '02', CONTACT as never, null),
    said: ['入館連絡先変更依頼'],
  },
  {
    name: '退館連絡先変更依頼',
    save: (saver, { id }) => saveContactChange(saver, id, '03', CONTACT as never, null),
    said: ['退館連絡先変更依頼'],
  },
  {
    name: '現場メモ',
    save: (saver, of) => saveNote(saver, of, { note: '台車は搬入口Bから。' }),
    said: ['現場メモ'],
  },
  {
    name: '写真',
    before: (saver) => storeView(saver.db, 'emergencyReports', reportIn('e1')),
    save: (saver) => savePhotos(saver, [photo]),
    said: ['緊急報告'],
  },
]

function saverOf(db: Saver['db']): Saver {
  let last: string | null = null
  const clock = createClock({
    now: () => Date.parse(`${DAY}T10:00:00+09:00`),
    device: 'test',
    memory: { get: () => last, set: (stamp) => void (last = stamp) },
  })
  return { db, clock, newId: () => crypto.randomUUID(), userId: 'u6', offline: true }
}

/** The one change that is unsent gets this state. */
async function stand(db: Saver['db'], state: State) {
  if (state === 'waiting') return
  const queue = (await unsentIn(db)).flatMap((record) => record.changes.map((change) => ({ record, change })))
  const photos = (await db.photos.find().exec()).flatMap((doc) => photoItem(doc.toMutableJSON()) ?? [])
  for (const item of [...queue, ...photos]) await storeFacts(db, { ...blankFacts(item), state })
}

/** What says a state: the control, row or card it stands in. */
function sayers(root: HTMLElement): string[] {
  const controls = [...root.querySelectorAll<HTMLElement>('a, button, li, section')]
  const said = controls.filter((each) => {
    const own = [...each.childNodes].map((node) => node.textContent).join(' ')
    return WORDS.some((word) => own.includes(word)) && !each.querySelector('a, button, li, section')
  })
  return said.map((each) => each.textContent ?? '')
}

const isNamed = (text: string, name: string) => text.startsWith(name)

describe.each(['waiting', 'sending', 'refused', 'expired'] as const)(
  '[ST1] the only unsent change: %s',
  (state) => {
    test.each(cases)('$name: nothing else carries its state', async ({ save, before, entered, said }) => {
      const reports = entered ? [reportOn('1', { inTime: ENTERED })] : []
      const opened = await openView({ requests: [request], reports, workingDate: DAY })
      const { screen, db } = opened
      const saver = saverOf(db)
      await before?.(saver)
      await save(saver, request)
      await stand(db, state)
      const counts = state === 'waiting' || state === 'sending'
      const expected = said
        .filter((name) => name !== 'card')
        .map((name) => (name === '退館報告' && !counts && !entered ? '入館登録' : name))
      // all of its controls say so, in the state's own word
      for (const name of expected)
        await within(screen.getByRole('main').parentElement as HTMLElement).findAllByText((_, element) => {
          if (!element?.matches('a, button, li')) return false
          return isNamed(element.textContent ?? '', name) && (element.textContent ?? '').includes(WORD[state])
        })
      const others = sayers(document.body).filter((text) => !expected.some((name) => isNamed(text, name)))
      expect(others).toEqual([])
    })

    test.each(cases)('$name: the card of the list', async ({ save, before, entered, said }) => {
      const db = await openTestDatabase()
      await db.requests.insert(request)
      if (entered) await storeView(db, 'quickReports', reportOn('1', { inTime: ENTERED }))
      const saver = saverOf(db)
      await before?.(saver)
      await save(saver, request)
      await stand(db, state)
      const progress = new Map((await rowsIn(db)).map((row) => [row.id, row.toMutableJSON()]))
      const [record] = await viewsIn(db, 'quickReports', { key: request.key })
      const visit = { ...toVisit(request, record, progress), usableOffline: true, hasDraft: false }
      const { screen } = await renderFeature(
        <VisitItem visit={visit} edge={undefined} current={false} picking={null} />,
        { path: '/request', db },
      )
      const card = await screen.findByRole('link', { name: /R26/ })
      expect(WORDS.some((word) => card.textContent?.includes(word))).toBe(said.includes('card'))
    })
  },
)

test('[ST1] 安全対策 of a request that says nothing of its state: the button tells where what was saved stands', async () => {
  const silent = { ...request, safetyStatus: null }
  const { screen, db } = await openView({ requests: [silent], workingDate: DAY })
  await saveSafetyMeasure(saverOf(db), silent, '3', '1')
  expect(await screen.findByRole('link', { name: '安全対策', description: '待機' })).toBeTruthy()
})
