import { act, cleanup, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { prefetchKeys } from '#schemas/collections/prefetch.ts'
import type { Services, Theme } from '#data/context/app-context.tsx'
import type { Database } from '#data/database/database.ts'
import { SettingsScreen } from '#features/settings/settings-screen.tsx'
import { readStorageFacts } from '#lib/browser/storage-full.ts'
import { bytesText } from '#lib/bytes-text.ts'
import { quickReportChange, quickReportRecord, requestRecord } from '../../support/device-records.ts'
import { openTestDatabase, renderFeature, testLock, testValue } from '../../support/render-feature.tsx'
import { sooner } from '../../support/sooner.ts'
import { storeView } from '../../support/stored-views.ts'

const detail = { goods: [], safety: [], underPitSurvey: [], devices: [] }
const request = requestRecord('1', { locationAreaId: 'a1', detail })

/** Lists of records that were read. */
const markRead = (db: Database, keys: readonly string[]) =>
  db.interests.bulkInsert(
    keys.map((key) => ({
      key,
      kind: 'prefetch' as const,
      askedAt: '',
      state: 'answered' as const,
      answeredAt: '',
      total: 0,
    })),
  )

async function openSettings(unsent = 0) {
  const db = await openTestDatabase()
  await db.requests.insert(request)
  await markRead(db, prefetchKeys(request))
  for (let n = 0; n < unsent; n++) {
    const change = quickReportChange('entry', '08:56', { id: `c${n}` })
    await storeView(db, 'quickReports', quickReportRecord(`r${n}`, [change]))
  }
  const theme = testValue<Theme>('system')
  const opened = await renderFeature(<SettingsScreen />, { path: '/settings', db, services: { theme } })
  return { ...opened, db, theme }
}

describe('画面の明るさ', () => {
  test('takes effect when it is chosen', async () => {
    const { screen, user, theme } = await openSettings()
    const choice = within(screen.getByRole('group', { name: '画面の明るさ' }))
    const names = choice.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)
    expect(names).toEqual(['端末に合わせる', '明るい', '暗い（地下）', 'くっきり（屋外）'])
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '端末に合わせる' }).checked).toBe(true)
    await user.click(screen.getByRole('radio', { name: 'くっきり（屋外）' }))
    expect(theme.get()).toBe('outdoor')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'くっきり（屋外）' }).checked).toBe(true)
  })
})

describe('[hands] a device that does not say what it holds keeps nobody from the rest', () => {
  const never = () => new Promise<never>(() => undefined)
  const open = (lock: Services['lock']) =>
    renderFeature(<SettingsScreen />, { path: '/settings', services: { lock } })
  test.each([
    [
      'the code of the lock is not on the device',
      async () => Promise.reject(new Error('not on this device')),
    ],
    ['the lock’s store does not answer', never],
  ])('%s', async (_, control) => {
    sooner(3_000)
    const { screen } = await open({ ...testLock(), control })
    expect(await screen.findByRole('link', { name: 'ログアウト' })).toBeTruthy()
    expect(screen.getByRole('link', { name: /^エラーレポート/ })).toBeTruthy()
    expect(screen.queryByRole('heading', { name: '画面のロック' })).toBeNull()
  })

  test('the browser does not say how much room there is', async () => {
    sooner(3_000)
    Object.defineProperty(navigator, 'storage', { configurable: true, value: { estimate: never } })
    try {
      const { screen } = await openSettings()
      expect(await screen.findByRole('link', { name: 'ログアウト' })).toBeTruthy()
      expect(screen.queryByText('使用容量')).toBeNull()
    } finally {
      Reflect.deleteProperty(navigator, 'storage')
    }
  })
})

describe('写真', () => {
  test('写真を元のサイズで送信 takes effect when it is switched', async () => {
    const { screen, user, services } = await openSettings()
    const original = () => screen.getByRole<HTMLInputElement>('switch', { name: '写真を元のサイズで送信' })
    await screen.findByRole('switch')
    expect(original().checked).toBe(false)
    await user.click(original())
    expect(services.photo.original.get()).toBe(true)
    await user.click(original())
    expect([services.photo.original.get(), original().checked]).toEqual([false, false])
  })
})

describe('オフライン保存', () => {
  test('says what is on the device', async () => {
    const { screen, db } = await openSettings()
    expect(await screen.findByText('保存済')).toBeDefined()
    expect(screen.getByText('依頼 1件・最終更新 11/20 07:05')).toBeDefined()
    await db.requests.insert(requestRecord('2', { detailConfirmedAt: '' }))
    expect(await screen.findByText('一部保存済')).toBeDefined()
  })

  test('[PL4a] 保存済 are those that the list marks オフラインで使えます: every list they need was read', async () => {
    const { screen, db } = await openSettings()
    expect(await screen.findByText('保存済')).toBeDefined()
    const second = requestRecord('2', { locationAreaId: 'a2', detail })
    const [last = '', ...others] = prefetchKeys(second).toReversed()
    await markRead(db, others)
    await db.requests.insert(second)
    expect(await screen.findByText('一部保存済')).toBeDefined()
    await markRead(db, [last])
    // marks follow once a second
    expect(await screen.findByText('保存済', {}, { timeout: 5_000 })).toBeDefined()
  })

  test('[SV3] 送信済の写真 says how much they take, and clears them; what is unsent stays', async () => {
    const kept = await openSettings()
    await kept.bytes?.put('sent', new ArrayBuffer(1_536), { cached: true })
    await kept.bytes?.put('unsent', new ArrayBuffer(9_000))
    cleanup()
    const { db, bytes } = kept
    const { screen, user } = await renderFeature(<SettingsScreen />, {
      path: '/settings',
      db,
      ...(bytes && { bytes }),
    })
    expect(await screen.findByText('1.5KB')).toBeDefined()
    await user.click(screen.getByRole('button', { name: '送信済の写真を端末から消す' }))
    expect(await screen.findByText('0B')).toBeDefined()
    expect(await bytes?.keys(Infinity)).toEqual(['unsent'])
  })

  test.each([
    ['failed', /^更新できませんでした。/],
    ['answered', '更新しました 12:34'],
  ] as const)(
    'データを今すぐ更新 is busy until it was answered, and says that it has %s',
    async (state, text) => {
      const { screen, user, db } = await openSettings()
      const button = await screen.findByRole('button', { name: 'データを今すぐ更新' })
      // what is read out stands there before it says something
      const said = screen.getByRole('status')
      expect(said.textContent.trim()).toBe('')
      await user.click(button)
      await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'))
      expect(said.textContent).toBe('更新しています…')
      const interest = await db.interests.findOne('refresh').exec(true)
      await interest.incrementalPatch({ state, answeredAt: '2026-11-20T12:34:00+09:00' })
      await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
      await waitFor(() => expect(said.textContent).toMatch(text))
    },
  )

  test('データを今すぐ更新 says nothing of an answer of before, and why it cannot be pressed', async () => {
    const { screen, db, services } = await openSettings()
    await db.interests.insert({
      key: 'refresh',
      kind: 'refresh',
      askedAt: '2026-11-20T07:00:00+09:00',
      state: 'answered',
      answeredAt: '2026-11-20T07:00:05+09:00',
      total: 0,
    })
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'データを今すぐ更新' })
    expect(screen.getByRole('status').textContent.trim()).toBe('')
    act(() => (services.online as ReturnType<typeof testValue<boolean>>).set(false))
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('電波が戻ると更新できます。'))
    expect(button.disabled).toBe(true)
  })

  test.each([
    [0, '0B'],
    [1023, '1023B'],
    [1536, '1.5KB'],
    [19_293_798, '18.4MB'],
    [2_254_857_830, '2.1GB'],
  ])('%i bytes are %s', (bytes, text) => expect(bytesText(bytes)).toBe(text))

  test('a browser that does not say leaves it open', async () => {
    const nothing = { used: null, free: null, persisted: null }
    expect(await readStorageFacts(undefined)).toEqual(nothing)
    expect(await readStorageFacts({} as StorageManager)).toEqual(nothing)
    const storage = {
      estimate: async () => ({ usage: 10, quota: 100 }),
      persisted: async () => false,
    } as unknown as StorageManager
    expect(await readStorageFacts(storage)).toEqual({ used: 10, free: 90, persisted: false })
  })
})

describe('アカウント', () => {
  test('[spec 6] shows who is signed in, with the role', async () => {
    const { screen } = await openSettings()
    expect(await screen.findByText('大西 修')).toBeDefined()
    expect(screen.getByText('社外一般社員')).toBeDefined()
    expect(screen.getByText('1.0.0')).toBeDefined()
  })

  test('ログアウト leads to the screen that asks', async () => {
    const { screen, user, href } = await openSettings(2)
    await user.click(await screen.findByRole('link', { name: 'ログアウト' }))
    await waitFor(() => expect(href()).toBe('/logout'))
  })
})

describe('アプリ', () => {
  test('[decisions/screens] エラーレポート can be reached, with how many errors there are', async () => {
    const errorLog = {
      ...testValue<number | null>(3),
      send: async () => 'sent' as const,
      note: () => undefined,
      text: async () => '',
    }
    const { screen, user, href } = await renderFeature(<SettingsScreen />, {
      path: '/settings',
      services: { errorLog },
    })
    await user.click(await screen.findByRole('link', { name: 'エラーレポート（3件）' }))
    await waitFor(() => expect(href()).toBe('/error-logs'))
  })
})

describe('[decisions/telemetry] 動作記録の送信', () => {
  const facts = (id: string) => ({ to: 'otel.example.jp', id, sample: 1, sentAt: null, waiting: 1 })

  test('is not there where nothing is sent', async () => {
    const { screen } = await renderFeature(<SettingsScreen />, { path: '/settings' })
    await screen.findByText('エラーレポート')
    expect(screen.queryByText('動作記録の送信')).toBeNull()
  })

  test('says where to, and what not; the device gets another number when its user wants it', async () => {
    const ids = ['one', 'two']
    const telemetry = {
      about: async () => facts(ids[0] ?? ''),
      reset: async () => void ids.shift(),
    }
    const { screen, user } = await renderFeature(<SettingsScreen />, {
      path: '/settings',
      services: { telemetry },
    })
    expect(await screen.findByText('otel.example.jp')).toBeDefined()
    expect(screen.getByText(/名前・会社・依頼や報告の内容・写真・位置は含みません/)).toBeDefined()
    expect(screen.getByText('one')).toBeDefined()
    await user.click(screen.getByRole('button', { name: '端末の番号を新しくする' }))
    expect(await screen.findByText('two')).toBeDefined()
  })
})
