/** What hands undo: a save that has not left, the way out of a form, a photo looked at on any side of a phone. */
import type { Locator, Page } from '@playwright/test'
import { cameraPhoto } from '../support/camera-photo.ts'
import { expect, freeRequest, readyForOffline, registerEntry, test } from './phone.ts'
import { found } from './stores.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

const TAP_PX = 48

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

/** What the browser reports as layout shifts that nobody pressed for, from the first paint on. */
const watchShifts = () => {
  const found = { sum: 0 }
  Object.assign(window, { shifts: found })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (Reflect.get(entry, 'hadRecentInput') !== true) found.sum += Number(Reflect.get(entry, 'value'))
  }).observe({ type: 'layout-shift', buffered: true })
}
const shiftsOf = (page: Page) => page.evaluate(() => (Reflect.get(window, 'shifts') as { sum: number }).sum)

const sizeOf = async (control: Locator) => {
  const box = await control.boundingBox()
  // on its way a banner stands at a part of a pixel
  return Math.round(Math.min(box?.width ?? 0, box?.height ?? 0))
}

test('[hands 2][hands 3][hands 6] a save without signal is had back into its form, which is left in one step', async ({
  crm,
  phone,
}) => {
  const { page, context } = phone
  await context.addInitScript(watchShifts)
  await phone.signIn()
  await readyForOffline(page)
  const row = await freeRequest(crm)
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await registerEntry(page)
  await expect(page.getByText('正常に保存されました')).toBeVisible()
  await page.getByRole('link', { name: '退館報告' }).tap()
  await expect(heading(page, '退館報告登録')).toBeVisible()
  await phone.offline(true)
  await expect(page.getByText('オフライン', { exact: true })).toBeVisible()
  await page.getByRole('radio', { name: '作業完了' }).tap()
  await page.getByLabel('その他報告内容').fill('逆止弁の交換が要ります。')
  await page.getByRole('button', { name: '保存' }).tap()
  await expect(heading(page, '依頼詳細')).toBeVisible()

  const saved = page.getByRole('status').filter({ hasText: '電波がないため、端末に保存しました' })
  const back = saved.getByRole('button', { name: '元に戻す' })
  expect(await sizeOf(back)).toBeGreaterThanOrEqual(TAP_PX)
  await back.tap()
  const undone = page.getByRole('status').filter({ hasText: '保存を元に戻しました。' })
  await expect(undone).toBeVisible()
  await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0)
  await expect(page.getByRole('link', { name: '退館報告', description: /^入館/ })).toBeVisible()

  // the form as it was: cold, with its notice, and nothing moves
  const form = (await undone.getByRole('link', { name: '入力を続ける' }).getAttribute('href')) ?? ''
  expect(form).toMatch(/^\/quickReport\/add\//)
  await phone.offline(false)
  await page.goto(form)
  await expect(page.getByText('入力途中の内容を復元しました。')).toBeVisible()
  await expect(page.getByRole('radio', { name: '作業完了' })).toBeChecked()
  await expect(page.getByLabel('その他報告内容')).toHaveValue('逆止弁の交換が要ります。')
  expect(await shiftsOf(page)).toBeLessThan(0.02)

  // the phone's back button: the first asks, the second answers いいえ, はい goes one step
  await page.evaluate(
    (to) => history.pushState(null, '', to),
    `/request/${row.id}?workingDate=${row.workingDate}`,
  )
  await page.getByRole('link', { name: '退館報告', exact: true }).tap()
  await expect(page.getByLabel('その他報告内容')).toHaveValue('逆止弁の交換が要ります。')
  const question = page.getByRole('alertdialog')
  const address = page.url()
  await page.goBack()
  await expect(question).toBeVisible()
  await page.evaluate(() => history.back())
  await expect(question).toBeHidden()
  // the browser went back, and was sent forward again
  await expect(page).toHaveURL(address)
  await expect(page.getByLabel('その他報告内容')).toHaveValue('逆止弁の交換が要ります。')
  await page.goBack()
  await expect(question).toBeVisible()
  await page.evaluate(() => history.back())
  await expect(question).toBeHidden()
  await page.goBack()
  await question.getByRole('button', { name: 'はい' }).tap()
  await expect(heading(page, '依頼詳細')).toBeVisible()
  expect(
    (await crm.state()).quickReports.filter(({ outTime, origin }) => origin === 'call' && outTime),
  ).toEqual([])
  expect(phone.errors).toEqual([])
})

test('[decisions/photos][hands 5][hands 6] the viewer and the choice of several on the smallest phone and on its side', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await phone.signIn()
  await readyForOffline(page)
  const { id } = await freeRequest(crm)
  await page.goto(`/noteLocationArea/add/${id}`)
  const buffer = await cameraPhoto(page, 1600, 1200)
  await page.getByLabel('写真を追加').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer })
  await page.getByRole('button', { name: '写真1を開く' }).tap()
  const viewer = page.getByRole('dialog')
  await expect(viewer.getByRole('img', { name: '写真1' })).toBeVisible()
  for (const size of [
    { width: 320, height: 640 },
    { width: 640, height: 320 },
    { width: 844, height: 390 },
  ]) {
    await page.setViewportSize(size)
    const seen = await viewer.evaluate((dialog) => {
      const out = [...dialog.querySelectorAll('button')].flatMap((button) => {
        const { left, top, right, bottom, width, height } = button.getBoundingClientRect()
        const hit = document.elementFromPoint(left + width / 2, top + height / 2)
        const isIn = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
        const isRight = isIn && width >= 48 && height >= 48 && hit !== null && button.contains(hit)
        return isRight ? [] : [button.ariaLabel ?? button.textContent]
      })
      const stage = dialog.querySelector('img')?.getBoundingClientRect()
      return { out, share: (stage?.height ?? 0) / innerHeight, isWide: dialog.scrollWidth > innerWidth }
    })
    expect(seen.out, `${size.width}`).toEqual([])
    expect(seen.isWide).toBe(false)
    expect(seen.share, `${size.width}`).toBeGreaterThan(0.5)
  }
  await viewer.getByRole('button', { name: '閉じる' }).click()

  // of several: how many, やめる and what is done with them stay in sight
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/request?select=true')
  await page.getByRole('checkbox', { name: /^選択/, disabled: false }).first().check()
  await page.mouse.wheel(0, 2_000)
  for (const each of [page.getByText('1件を選択中'), page.getByRole('button', { name: 'やめる' })])
    await expect(each).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: /^1件を/ })).toBeInViewport({ ratio: 1 })
  expect(phone.errors).toEqual([])
})

/** What the browser says of its signal, in the pages to come. */
const sayOnline = (online: boolean) =>
  void Object.defineProperty(Navigator.prototype, 'onLine', { configurable: true, get: () => online })

/** Of a banner that passes by itself, from the press that brought it (spec 4), with what a timer may be early. */
const STANDS_MS = 9_900

test('[手3] a photo, a draft and what waits go at once, and are had back for 10 seconds', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await phone.signIn()
  await readyForOffline(page)
  const { id } = await freeRequest(crm)
  const told = (text: string) => page.getByRole('status').filter({ hasText: text })
  const takeBack = async (text: string) => {
    const back = told(text).getByRole('button', { name: '元に戻す' })
    await expect(back).toBeVisible()
    expect(await sizeOf(back)).toBeGreaterThanOrEqual(TAP_PX)
    await back.tap()
  }
  const memo = page.getByRole('textbox', { name: 'メモ' })
  await page.goto(`/noteLocationArea/add/${id}`)
  const buffer = await cameraPhoto(page, 800, 600)
  await page.getByLabel('写真を追加').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer })
  const removal = page.getByRole('button', { name: /を削除$/ })
  await removal.tap()
  await expect(removal).toHaveCount(0)
  await takeBack('写真を削除しました。')
  await expect(removal).toHaveCount(1)

  await memo.fill('ふたは二人で開けてください。')
  await expect.poll(async () => (await found(page, 'ふたは二人で')).length).toBeGreaterThan(0)
  await page.goto('/outbox')
  const draft = page.getByRole('region', { name: '入力途中' })
  await draft.getByRole('button', { name: /を削除$/ }).tap()
  await expect(draft).toHaveCount(0)
  await takeBack('入力途中の「現場メモ登録」を削除しました。')
  await draft.getByRole('link', { name: /現場メモ登録/ }).tap()
  await expect(memo).toHaveValue('ふたは二人で開けてください。')
  await expect(removal).toHaveCount(1)

  await phone.offline(true)
  await expect(page.getByText('オフライン', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: '保存' }).tap()
  await expect(memo).toBeHidden()
  // the browser's flag may come after the page that it is about
  await page.addInitScript(sayOnline, false)
  await page.goto('/outbox')
  const card = page.getByRole('article', { name: '現場メモ登録' })
  const discard = card.getByRole('button', { name: '破棄' })
  await discard.tap()
  await expect(card).toHaveCount(0)
  await takeBack('「現場メモ登録」を破棄しました。')
  await expect(card).toBeVisible()
  const pressed = Date.now()
  await discard.tap()
  await expect(told('「現場メモ登録」を破棄しました。')).toBeVisible()
  await expect(told('「現場メモ登録」を破棄しました。')).toHaveCount(0, { timeout: 30_000 })
  expect(Date.now() - pressed).toBeGreaterThan(STANDS_MS)
  await expect(card).toHaveCount(0)
  // its photo went with it
  await phone.offline(false)
  await expect(page.getByText('未送信の変更はありません')).toBeVisible()
  expect(phone.errors).toEqual([])
})

test('[手3] once a call has left, which may have arrived, 破棄 asks first; はい leaves nothing in the CRM', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  const TEXT = 'ふたは二人で開けてください。'
  await phone.signIn()
  await readyForOffline(page)
  const { id } = await freeRequest(crm)
  await crm.faults([
    { id: 'cut', kind: 'unreachable', path: 'noteLocationArea', method: 'POST', count: 'always' },
  ])
  await page.goto(`/noteLocationArea/add/${id}`)
  await page.getByRole('textbox', { name: 'メモ' }).fill(TEXT)
  await page.getByRole('button', { name: '保存' }).tap()
  const isCalled = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path.includes('noteLocationArea')
  await expect.poll(async () => (await crm.calls()).some(isCalled)).toBe(true)
  await page.goto('/outbox')
  const card = page.getByRole('article', { name: '現場メモ登録' })
  const question = page.getByRole('alertdialog', { name: /この変更を破棄しますか/ })
  const ask = async (answer: string) => {
    await card.getByRole('button', { name: '破棄' }).tap()
    await question.getByRole('button', { name: answer }).tap()
    await expect(question).toBeHidden()
  }
  await ask('いいえ')
  await expect(card).toBeVisible()
  await ask('はい')
  await crm.faults([])
  await expect(page.getByText('未送信の変更はありません')).toBeVisible({ timeout: 60_000 })
  expect((await crm.state()).notes.filter(({ note }) => note === TEXT)).toEqual([])
  expect(phone.errors).toEqual([])
})

test('[手5] すべて確認 ticks nothing before each line of its section was in sight', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await phone.signIn()
  const { id, workingDate } = await freeRequest(crm)
  // as with the keyboard open: the lines do not all fit
  await page.setViewportSize({ width: 390, height: 480 })
  await page.goto(`/safetyMeasure/add?requestId=${id}&safetyType=1&workingDate=${workingDate}`)
  const offered = page.getByRole('button', { name: /すべて確認$|全項目を確認済$/ })
  const list = page.getByRole('region').filter({ has: offered }).first()
  const all = list.getByRole('button', { name: /すべて確認$/ })
  await expect(all).toBeDisabled()
  await expect(list.getByText('項目をすべて見ると押せます')).toBeVisible()
  const lines = await list.getByRole('checkbox').all()
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines)
    await line.evaluate((box) => (box.closest('li') ?? box).scrollIntoView({ block: 'center' }))
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
  await all.tap()
  await expect(list.getByRole('checkbox', { checked: true })).toHaveCount(lines.length)
  expect(phone.errors).toEqual([])
})
