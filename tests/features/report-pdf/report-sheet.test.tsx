import { readFileSync } from 'node:fs'
import { fireEvent, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ReportPopup } from '#features/report-pdf/report-popup.tsx'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { speak } from '../../support/speak.ts'
import { requestOn, storeVisits } from '../../support/visit-records.ts'
import { DAY, whole } from '../request/detail/open-view.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  for (const name of ['share', 'canShare']) Reflect.deleteProperty(navigator, name)
})

const PATH = 'node_modules/@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf'
const font = Uint8Array.from(readFileSync(PATH)).buffer
const answer = { ok: true, status: 200, arrayBuffer: async () => font }

/** A browser that has no font yet, and a host that gives it or not. */
function withoutFont(
  fetched: () => Promise<object> = async () => Promise.reject(new TypeError('no answer')),
) {
  const stored: object[] = []
  const cache = {
    match: async () => stored.at(-1),
    keys: async () => [],
    put: async (_: string, response: object) => void stored.push(response),
  }
  vi.stubGlobal('caches', { open: async () => cache })
  vi.stubGlobal('fetch', fetched)
  return cache
}

function withShare(share: (data: ShareData) => Promise<void>) {
  Reflect.defineProperty(navigator, 'share', { value: share, configurable: true })
  Reflect.defineProperty(navigator, 'canShare', { value: () => true, configurable: true })
}

async function openPopup(online = false) {
  const db = await openTestDatabase()
  await storeVisits(db, [requestOn('1', DAY, whole)])
  const opened = await renderFeature(<ReportPopup requestId="1" workingDate={DAY} />, {
    path: '/request/$id',
    href: `/request/1?workingDate=${DAY}&popup=report`,
    db,
    services: { online: testValue(online) },
  })
  return { ...opened, db }
}

describe('[issue 54] the popup 作業報告書', () => {
  test('without the font it says what is missing and what to do; nothing is lost, and it can be tried again', async () => {
    withoutFont()
    const { screen, user } = await openPopup()
    const popup = within(await screen.findByRole('dialog', { name: '作業報告書' }))
    await waitFor(() =>
      expect(popup.getByRole('button', { name: '作成' }).getAttribute('aria-busy')).toBeNull(),
    )
    await user.click(popup.getByRole('button', { name: '作成' }))
    expect((await popup.findByRole('alert')).textContent).toContain('電波の届く場所で一度作成すると')
    expect(popup.getByRole('button', { name: '作成' })).toBeTruthy()
  })

  test('[SV1] a signature is on the device with each stroke; opened anew it is there, and it can be taken away', async () => {
    withoutFont()
    const { screen, user, db } = await openPopup()
    const popup = within(await screen.findByRole('dialog', { name: '作業報告書' }))
    await user.type(await popup.findByLabelText('立会者名'), '山田 花子')
    const pad = popup.getByRole('img', { name: '署名欄（未記入）' })
    pad.getBoundingClientRect = () => new DOMRect(0, 0, 600, 300)
    pad.setPointerCapture = () => undefined
    fireEvent.pointerDown(pad, { pointerId: 1, clientX: 20, clientY: 20 })
    fireEvent.pointerMove(pad, { pointerId: 1, clientX: 90, clientY: 120 })
    fireEvent.pointerUp(pad, { pointerId: 1 })
    expect(await popup.findByRole('img', { name: '署名欄（署名あり）' })).toBeTruthy()
    const draft = async () => (await db.drafts.findOne(`signature/1_${DAY}`).exec())?.values ?? ''
    await waitFor(async () =>
      expect(JSON.parse(await draft())).toMatchObject({ name: '山田 花子', strokes: [[20, 20, 90, 120]] }),
    )
    await user.click(popup.getByRole('button', { name: '署名を消す' }))
    expect(await popup.findByRole('img', { name: '署名欄（未記入）' })).toBeTruthy()
    await waitFor(async () => expect(await draft()).toBe(''))
  })

  test('a device without room for the font says so, and keeps what was signed', async () => {
    const cache = withoutFont(async () => answer)
    cache.put = async () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
    const { screen, user } = await openPopup(true)
    const popup = within(await screen.findByRole('dialog', { name: '作業報告書' }))
    await user.type(await popup.findByLabelText('立会者名'), '山田')
    await user.click(await popup.findByRole('button', { name: 'この端末で使えるようにする' }))
    expect((await popup.findByRole('alert')).textContent).toContain('端末の空きが足りない')
    expect(popup.getByLabelText('立会者名')).toHaveProperty('value', '山田')
  })

  test('この端末で使えるようにする: then it is, and says so', async () => {
    withoutFont(async () => answer)
    const { screen, user } = await openPopup(true)
    const popup = within(await screen.findByRole('dialog', { name: '作業報告書' }))
    await user.click(await popup.findByRole('button', { name: 'この端末で使えるようにする' }))
    expect(await popup.findByText('作業報告書は、電波がなくても作成できます。')).toBeTruthy()
    expect(popup.queryByRole('button', { name: 'この端末で使えるようにする' })).toBeNull()
  })

  test('what was made is shared as a file alone; a share that never ends holds nothing up', async () => {
    withoutFont(async () => answer)
    const shared: ShareData[] = []
    withShare(async (data) => {
      shared.push(data)
      if (shared.length === 1) return new Promise(() => undefined)
      throw Object.assign(new Error('dismissed'), { name: 'AbortError' })
    })
    const { screen, user } = await openPopup(true)
    const popup = within(await screen.findByRole('dialog', { name: '作業報告書' }))
    await waitFor(() =>
      expect(popup.getByRole('button', { name: '作成' }).getAttribute('aria-busy')).toBeNull(),
    )
    await user.click(popup.getByRole('button', { name: '作成' }))
    const share = await popup.findByRole('button', { name: '共有' }, { timeout: 20_000 })
    await user.click(share)
    await user.click(share)
    expect(shared.map((data) => Object.keys(data))).toEqual([['files'], ['files']])
    const [file] = shared[1]?.files ?? []
    expect([file?.name, file?.type]).toEqual([`作業報告書-R26-1-${DAY}.pdf`, 'application/pdf'])
    expect(popup.getByRole('link', { name: '開く・印刷' }).getAttribute('href')).toMatch(/^blob:/)
    expect(popup.queryByRole('alert')).toBeNull()
  })

  test.each(['en', 'id', 'vi'] as const)(
    'QR labels have a Japanese title and file name, whatever the interface is in: %s',
    async (language) => {
      withoutFont(async () => answer)
      await speak(language)
      const { screen, user } = await openPopup(true)
      const button = await screen.findByRole('button', { name: /QR/ })
      expect(button.textContent).not.toContain('この現場の機器の')
      await user.click(button)
      const made = await screen.findByRole('region', { name: /^QRラベル / }, { timeout: 20_000 })
      expect(made.getAttribute('aria-label')).toBe(`QRラベル ${requestOn('1', DAY, whole).locationName}`)
    },
  )

  test('closed with 閉じる', async () => {
    withoutFont()
    const { screen, user, href } = await openPopup()
    const popup = within(await screen.findByRole('dialog', { name: '作業報告書' }))
    await user.click(popup.getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(href()).not.toContain('popup'))
  })
})
