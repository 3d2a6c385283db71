import type { Locator, Page } from '@playwright/test'
import { pastReports } from '../screens/demo.ts'
import { type Crm, expect, freeRequest, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

interface Popup {
  heading: string
  /** Where it is opened, and by what. */
  at: (crm: Crm) => Promise<string | null>
  opener: (page: Page) => Locator
  /** What has to be done before the opener is there. */
  prepare?: (page: Page) => Promise<void>
}

const requestWith = async (crm: Crm, isWanted: (row: object) => boolean): Promise<string> => {
  const { requests, today } = await crm.state()
  const row = requests.find((each) => each.workingDate === today && isWanted(each))
  if (!row) throw new Error('no such request today')
  return `/request/${row.id}?workingDate=${today}`
}
const free = async (crm: Crm) => {
  const { id, workingDate } = await freeRequest(crm)
  return `/request/${id}?workingDate=${workingDate}`
}
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first()

/** The form of a report of today: 退館報告登録, or 退館報告編集 where all have left by this hour; null before the first entry. */
async function exitReport(crm: Crm): Promise<string | null> {
  const { requests, today } = await crm.state()
  const reports = requests.flatMap(({ workingDate, quickReport }) =>
    quickReport && workingDate === today ? [quickReport as { id: string; outTime: string | null }] : [],
  )
  const [report] = reports.toSorted((a, b) => Number(a.outTime !== null) - Number(b.outTime !== null))
  if (!report) return null
  return report.outTime === null ? `/quickReport/add/${report.id}` : `/quickReport/${report.id}/edit`
}

/** The first that nobody has entered is chosen. */
const chooseOne = async (page: Page) =>
  page.getByRole('checkbox', { name: /^選択/, disabled: false }).first().check()

const ofRequest: Popup[] = [
  { heading: '入館登録', at: free, opener: button('入館登録') },
  { heading: '作業報告書', at: free, opener: button('作業報告書') },
  { heading: '入館連絡先', at: free, opener: button(/^入館連絡先/) },
  {
    heading: '地下ピット',
    at: (crm) =>
      requestWith(
        crm,
        (row) => 'safetyDirectionName' in row && /地下ピット/.test(String(row.safetyDirectionName)),
      ),
    opener: button('地下ピット'),
  },
  { heading: '安全対策一覧', at: free, opener: button('安全対策一覧') },
]
const elsewhere: Popup[] = [
  {
    heading: '依頼詳細',
    at: async (crm) => `/noteLocationArea/add/${(await freeRequest(crm)).id}`,
    opener: button('依頼詳細を見る'),
  },
  {
    heading: '緊急報告詳細',
    at: async (crm) => pastReports({ day: (await crm.state()).today }) ?? null,
    opener: button(/^緊急報告/),
  },
  { heading: '緊急報告一覧', at: exitReport, opener: button('緊急報告一覧') },
  {
    heading: '入館一括登録',
    at: async () => '/request?select=true',
    opener: button('入館一括登録'),
    prepare: chooseOne,
  },
  { heading: '検索条件', at: async () => '/request', opener: button(/変更/) },
]

const focusIsIn = (dialog: Locator) => dialog.evaluate((element) => element.contains(document.activeElement))

async function openWithKeyboard(page: Page, opener: Locator, heading: string): Promise<Locator> {
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: heading })
  await expect(dialog).toBeVisible()
  return dialog
}

/** Opened three times: closed with Escape, with the back button, with 閉じる. */
async function walkThrough(page: Page, { heading, opener: openerOf }: Popup) {
  const opener = openerOf(page)
  await expect(opener, heading).toBeVisible()
  const url = page.url()
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
    (dialog: Locator) => dialog.getByRole('button', { name: '閉じる' }).click(),
  ]
  for (const close of ways) {
    const dialog = await openWithKeyboard(page, opener, heading)
    expect(page.url(), heading).not.toBe(url)
    await expect(page.locator('html')).toHaveAttribute('data-locked')
    for (let press = 0; press < 3; press += 1) {
      expect(await focusIsIn(dialog), `${heading}: the focus is inside`).toBe(true)
      await page.keyboard.press('Tab')
    }
    await close(dialog)
    await expect(dialog).toHaveCount(0)
    await expect(opener, `${heading}: the focus is given back`).toBeFocused()
    await expect(page).toHaveURL(url)
    await expect(page.locator('html')).not.toHaveAttribute('data-locked')
  }
}

for (const [where, popups] of [
  ['of 依頼詳細', ofRequest],
  ['of other screens', elsewhere],
] as const)
  test(`[screens] every popup ${where}: heading, focus, Escape, the back button, 閉じる, a page that keeps still`, async ({
    crm,
    phone,
  }) => {
    const { page } = phone
    await phone.signIn()
    // a page that is loaded anew in the midst of its first sync reads all of it again
    await readyForOffline(page)
    for (const popup of popups) {
      const path = await popup.at(crm)
      if (path === null) continue
      await page.goto(path)
      await popup.prepare?.(page)
      await walkThrough(page, popup)
    }
    expect(phone.errors).toEqual([])
  })

test('[spec 2] opening a request screen closes the popup, and the way back leads to it', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await phone.signIn()
  await page.goto(await free(crm))
  const popup = page.getByRole('dialog', { name: '安全対策一覧' })
  await page.getByRole('button', { name: '安全対策一覧' }).click()
  await popup.getByRole('link', { name: '安全対策を選択' }).click()
  await expect(page.getByRole('heading', { name: '安全対策選択' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.locator('html')).not.toHaveAttribute('data-locked')
  await page.goBack()
  await expect(popup).toBeVisible()
})

test('[screens] a bottom sheet on a phone, a dialog in the middle of a wide screen', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await phone.signIn()
  await readyForOffline(page)
  await page.goto(await free(crm))
  const dialog = await openWithKeyboard(page, page.getByRole('button', { name: '入館登録' }), '入館登録')
  const settled = () =>
    dialog.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))
  await settled()
  const sheet = await dialog.boundingBox()
  expect(sheet).toMatchObject({ x: 0, width: 390 })
  expect((sheet?.y ?? 0) + (sheet?.height ?? 0)).toBeCloseTo(844, 0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await settled()
  const box = await dialog.boundingBox()
  expect(box?.width).toBe(480)
  expect(box?.x).toBeCloseTo((1280 - 480) / 2, 0)
  expect((box?.y ?? 0) * 2 + (box?.height ?? 0)).toBeCloseTo(800, 0)
})
