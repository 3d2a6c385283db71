/** Photos among what is unsent: counted with their record, and never behind a 成功 (sync RULES ST1, ST2). */
import { act, waitFor, within } from '@testing-library/react'
import { BehaviorSubject, filter, firstValueFrom } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { SendFacts } from '#schemas/change.ts'
import { withUnsent, PHOTOS } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { QuickReportChange } from '#schemas/resources/quick-report.ts'
import type { Session } from '#schemas/device/session.ts'
import { blankFacts, blankProgress } from '#schemas/changes/change-queue.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { Frame } from '#app/shell/frame.tsx'
import { watchQueueSent } from '#app/shell/user-notifications.ts'
import type { Database } from '#data/database/database.ts'
import { outbox$ } from '#data/outbox/outbox.ts'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { LogoutScreen } from '#features/session/logout-screen.tsx'
import {
  ledgerEntry,
  quickReportChange,
  quickReportRecord,
  requestRecord,
} from '../../support/device-records.ts'
import { openTestDatabase, renderFeature, testSession, testValue } from '../../support/render-feature.tsx'
import {
  patchRow,
  rowIn,
  rowsIn,
  acceptChange,
  storeAllFacts,
  storeFacts,
  storeView,
} from '../../support/stored-views.ts'
import { reportOn } from '../../support/visit-records.ts'

const DAY = '2026-11-20'
const RECORD = visitKey('1', DAY)
const entry = quickReportChange('entry', '08:56')

/** A photo of the visit of request 1; on the device only, where nothing else is said. */
const photo = (key: string, over: Partial<PhotoRecord> = {}): PhotoRecord =>
  withUnsent({
    key,
    resource: 'quickReports',
    recordKey: RECORD,
    requestId: '1',
    workingDate: DAY,
    name: `${key}.jpg`,
    placeInfo: '',
    createDate: `${DAY}T09:00:00+09:00`,
    size: 3_000,
    type: 'image/jpeg',
    wanted: 'kept',
    fileSeq: '',
    folderId: '',
    storeName: '',
    bytesAsked: 'no',
    ...blankProgress(`${DAY}T09:00:00+09:00`),
    stamp: `0900-0000-${key}`,
    savedAt: `${DAY}T09:00:00+09:00`,
    userId: 'u6',
    offline: true,
    unsent: 'yes',
    ...over,
  })
const there = (key: string) => photo(key, { fileSeq: `f-${key}`, storeName: `${key}.jpg` })

/** How far an upload is. */
const upload = (key: string, over: Partial<SendFacts>): SendFacts => ({
  ...blankFacts({
    record: { resource: PHOTOS, key, requestId: '1', workingDate: DAY },
    change: { id: key, stamp: key, savedAt: `${DAY}T09:00:00+09:00`, kind: 'upload' },
  }),
  ...over,
})
const accepted = ledgerEntry(quickReportRecord('1', [entry]), entry, {
  state: 'accepted',
  settledAt: `${DAY}T08:58:00+09:00`,
})
const refusedEntry: SendFacts = { ...accepted, state: 'refused', reasons: ['ec00030'] }

async function store(
  photos: PhotoRecord[],
  rows: SendFacts[],
  unsent: boolean | QuickReportChange[] = false,
): Promise<Database> {
  const db = await openTestDatabase()
  await db.requests.insert(requestRecord('1'))
  const changes = unsent === true ? [entry] : unsent || []
  if (changes.length > 0) await storeView(db, 'quickReports', quickReportRecord('1', changes))
  await db.photos.bulkInsert(photos)
  await storeAllFacts(db, rows)
  return db
}

/** What has this decision. */
const wished = async (db: Database, wish: 'resend' | 'discard') =>
  (await rowsIn(db, { wish })).map((row) => row.primary).toSorted()

async function openOutbox(...given: Parameters<typeof store>) {
  const db = await store(...given)
  const [online, session] = [testValue(true), testValue<Session | null>(testSession)]
  const services = { online, session }
  const opened = await renderFeature(<OutboxScreen />, { path: '/outbox', db, services })
  return {
    ...opened,
    db,
    online,
    session,
    card: () => opened.screen.findByRole('article', { name: '入館登録' }),
  }
}

const buttonsOf = (card: HTMLElement) =>
  within(card)
    .queryAllByRole('button')
    .map(({ textContent }) => textContent)

describe('[ST1] 送信状況', () => {
  test('a record that waits shows its photos on its own card, and is counted once', async () => {
    const { screen, card } = await openOutbox([photo('a'), photo('b')], [], true)
    expect((await card()).textContent).toContain('写真 0 / 2枚 送信済')
    expect(screen.getByText('未送信 1件')).toBeDefined()
  })

  test('a record that is there with photos on their way is not 成功 yet', async () => {
    const { screen, card } = await openOutbox(
      [there('a'), photo('b')],
      [accepted, upload('b', { state: 'sending' })],
    )
    const shown = await card()
    expect(shown.textContent).toContain('送信中')
    expect(shown.textContent).toContain('写真 1 / 2枚 送信済')
    expect(shown.textContent).toContain('11/20 08:56 保存')
    expect(screen.getByText('未送信 1件')).toBeDefined()
    expect(screen.queryByText('成功')).toBeNull()
    expect(buttonsOf(shown)).toEqual([])
  })

  test('and is 成功 when all are there', async () => {
    const { screen, card } = await openOutbox([there('a')], [accepted])
    expect((await card()).textContent).toContain('成功')
    expect(screen.getByRole('heading', { name: '未送信の変更はありません' })).toBeDefined()
  })

  test('a photo that waits names what it waits for: its record, the signal, the login', async () => {
    const { screen, card, db, online, session } = await openOutbox([photo('a')], [], true)
    expect((await card()).textContent).toContain('写真は、この登録が送信されてから送信します。')
    // without a signal, too, that comes first
    act(() => online.set(false))
    expect((await card()).textContent).toContain('写真は、この登録が送信されてから送信します。')
    // the record is there
    await acceptChange(db, entry.id, reportOn('1').server)
    expect(await screen.findByText('写真は、電波が戻ると送信します。')).toBeDefined()
    act(() => session.set({ ...testSession, expired: true }))
    expect((await card()).textContent).toContain('写真は、電波が戻ると送信します。')
    act(() => online.set(true))
    expect(await screen.findByText('写真は、再ログインすると送信します。')).toBeDefined()
    // nothing is in its way: it goes by itself
    act(() => session.set(testSession))
    expect((await card()).textContent).not.toContain('写真は、')
  })

  test.each(['sending', 'refused', 'expired'] as const)(
    'a photo that is %s waits for nothing',
    async (state) => {
      const { card, online } = await openOutbox([photo('a')], [accepted, upload('a', { state })])
      act(() => online.set(false))
      const shown = await card()
      expect(shown.textContent).toContain('写真 0 / 1枚 送信済')
      expect(shown.textContent).not.toContain('写真は、')
    },
  )

  test('of a record that is there, and is edited, a photo does not wait for the edit', async () => {
    const { card, db, online } = await openOutbox([photo('a')], [], true)
    await storeView(db, 'quickReports', reportOn('1'))
    act(() => online.set(false))
    await waitFor(async () =>
      expect((await card()).textContent).toContain('写真は、電波が戻ると送信します。'),
    )
  })

  test('a refused photo says why; 再送 asks for it alone', async () => {
    const refused = upload('b', { state: 'refused', reasons: ['ec00017'] })
    const { card, db, user } = await openOutbox([photo('a'), photo('b')], [accepted, refused])
    const shown = await card()
    expect(shown.textContent).toContain('失敗')
    expect(shown.textContent).toContain('写真 0 / 2枚 送信済')
    expect(buttonsOf(shown)).toEqual(['再送', '内容を開く', '破棄'])
    await user.click(within(shown).getByRole('button', { name: '再送' }))
    await waitFor(async () => expect((await rowIn(db, 'b'))?.wish).toBe('resend'))
    expect((await rowIn(db, 'a'))?.wish).toBe('none')
  })

  test('[SV2] 再送 of an expired record takes its photos and what waits for it along: one press, one card', async () => {
    const exit = { ...quickReportChange('exit', '11:42'), id: 'exit' }
    const record = quickReportRecord('1', [entry, exit])
    const expired = { state: 'expired' as const }
    const { screen, db, user } = await openOutbox(
      [photo('a'), photo('b')],
      [
        ledgerEntry(record, entry, expired),
        ledgerEntry(record, exit, expired),
        upload('a', expired),
        upload('b', expired),
      ],
      [entry, exit],
    )
    // the photos lie with their record, not on a card of their own
    expect(await screen.findAllByRole('article')).toHaveLength(2)
    expect((await screen.findByText('未送信 2件')).textContent).toBe('未送信 2件')
    await user.click(await screen.findByRole('button', { name: '再送' }))
    await waitFor(async () =>
      expect(await wished(db, 'resend')).toEqual(['a', 'b', entry.id, exit.id].toSorted()),
    )
    expect(screen.queryByRole('button', { name: '再送' })).toBeNull()
  })

  test.each([
    ['one may have left: it asks', [accepted, upload('b', { state: 'unknown', payload: '{}' })], true],
    ['[hands 3] all are only here: at once', [accepted], false],
  ])('破棄 takes all of the record’s photos that are unsent; %s', async (_, progress, asks) => {
    const { screen, card, db, user } = await openOutbox([there('a'), photo('b'), photo('c')], progress)
    await user.click(within(await card()).getByRole('button', { name: '破棄' }))
    if (asks) await user.click(await screen.findByRole('button', { name: 'はい' }))
    else expect(screen.queryByRole('alertdialog')).toBeNull()
    await waitFor(async () => expect(await wished(db, 'discard')).toEqual(['b', 'c']))
  })

  test.each([
    ['the record was refused: it asks, and names them', [refusedEntry], true],
    ['[hands 3] all are only here: at once', [], false],
  ])('[SV2b] 破棄 of what makes the record takes its photos along; %s', async (_, progress, asks) => {
    const unwanted = photo('d', { wanted: 'deleted' })
    const { screen, db, user } = await openOutbox([photo('b'), photo('c'), unwanted], progress, true)
    await user.click(await screen.findByRole('button', { name: '破棄' }))
    if (asks) {
      expect((await screen.findByRole('alertdialog')).textContent).toContain('写真2枚も破棄されます。')
      await user.click(screen.getByRole('button', { name: 'はい' }))
    }
    await waitFor(async () => expect(await wished(db, 'discard')).toEqual(expect.arrayContaining(['b', 'c'])))
    const given = await rowIn(db, entry.id)
    expect([given?.wish, given?.state]).toEqual(asks ? ['discard', 'refused'] : ['none', 'discarded'])
  })
})

test('[ST1a] the badge counts a record whose photos are unsent', async () => {
  const db = await store([photo('a'), photo('b')], [accepted])
  const { screen } = await renderFeature(<Frame title="依頼詳細">内容</Frame>, { db })
  expect(await screen.findByRole('link', { name: '未送信 1件' })).toBeDefined()
})

test('[SV3] logging out with unsent photos asks', async () => {
  const db = await store([photo('a')], [accepted])
  const { screen } = await renderFeature(<LogoutScreen search={{}} />, { path: '/logout', db })
  expect(
    await screen.findByText('未送信の変更が1件あります。端末に残したままログアウトしますか？'),
  ).toBeDefined()
})

test('[ST2] that all was sent is said when the photos are there, too', async () => {
  const db = await store([photo('a')], [], true)
  const online$ = new BehaviorSubject(false)
  let told = 0
  const watching = watchQueueSent(
    db,
    {
      online$,
      mayTry$: online$,
      cameOnline$: online$,
      isOnline: () => online$.value,
      begin: () => () => undefined,
      stop: () => undefined,
    },
    () => (told += 1),
  )
  await firstValueFrom(outbox$(db))
  online$.next(true)
  await acceptChange(db, entry.id, reportOn('1').server)
  await storeFacts(db, upload('a', { state: 'sending' }))
  await firstValueFrom(
    outbox$(db).pipe(filter(({ queue, photos }) => queue.length === 0 && photos.length === 1)),
  )
  expect(told).toBe(0)
  await patchRow(db, 'a', { state: 'accepted' })
  await (
    await db.photos.findOne('a').exec(true)
  ).incrementalModify((doc) => ({ ...there('a'), key: doc.key }))
  await waitFor(() => expect(told).toBe(1))
  watching.unsubscribe()
})
