/** What a gloved thumb does: two quick taps on one spot, a banner that comes and goes while a form is filled in. */
import type { Locator, Page } from '@playwright/test'
import { expect, freeRequest, readToEnd, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'not of every run: SLOW=1, npm run test:slow')

test.use({ viewport: { width: 390, height: 844 } })

/** Of a person who taps twice by mistake. */
const BETWEEN_TAPS_MS = 110

/** On the right half, where はい comes to stand; the second does not wait for what the first brought about. */
async function tapTwice(page: Page, button: Locator) {
  const box = await button.boundingBox()
  if (!box) throw new Error('nothing to tap')
  const touchPoints = [{ x: box.x + box.width * 0.75, y: box.y + box.height / 2 }]
  const fingers = await page.context().newCDPSession(page)
  const tap = (timestamp: number) => [
    fingers.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints, timestamp }),
    fingers.send('Input.dispatchTouchEvent', {
      type: 'touchEnd',
      touchPoints: [],
      timestamp: timestamp + 0.02,
    }),
  ]
  const at = Date.now()
  const first = tap(at / 1_000)
  // the time between two taps is what this is about
  await new Promise((done) => setTimeout(done, BETWEEN_TAPS_MS))
  await Promise.all([...first, ...tap((at + BETWEEN_TAPS_MS) / 1_000)])
  await fingers.detach()
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })

/** Names of controls that something else lies over, after they were scrolled into sight. */
const coveredControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'main :is(a, button, input, textarea, select), [role="status"] button, [role="alert"] button',
    )
    return [...controls].flatMap((control) => {
      // what is seen of a hidden input is its label
      const seen = control.classList.contains('vh') ? (control.closest('label') ?? control) : control
      seen.scrollIntoView({ block: 'nearest' })
      const { left, top, width, height } = seen.getBoundingClientRect()
      if (width === 0) return []
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      return hit &&
        (seen.contains(hit) || hit.contains(seen)) &&
        !hit.contains(document.querySelector('main'))
        ? []
        : [`${control.outerHTML.slice(0, 80)} is under ${hit?.outerHTML.slice(0, 80)}`]
    })
  })

/** Where little of the screen is left, はい answers nothing before what it asks about was seen to its end. */
async function waitsForTheEnd(page: Page, popup: Locator) {
  await page.setViewportSize({ width: 390, height: 420 })
  await popup.getByRole('button', { name: '登録', exact: true }).tap()
  const question = page.getByRole('alertdialog', { name: /入退館連絡先を確認しましたか/ })
  await expect(page.locator('dialog[data-guarded]')).toHaveCount(0)
  const yes = question.getByRole('button', { name: 'はい' })
  await expect(question.getByText('最後まで確認してください')).toBeVisible()
  await expect(yes).toBeDisabled()
  await yes.tap({ force: true })
  await expect(question).toBeVisible()
  await readToEnd(page)
  await expect(question.getByText('最後まで確認しました')).toBeVisible()
  await expect(yes).toBeEnabled()
  await question.getByRole('button', { name: 'いいえ' }).tap()
  await expect(question).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 844 })
}

test('[hands 1][hands 2] two quick taps answer no question; a banner moves nothing and covers nothing', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  const row = await freeRequest(crm)
  // a banner that stays
  const refusal = { kind: 'status', status: 202, body: { message: 'ec00003' } }
  await crm.faults([{ id: 'refused', ...refusal, path: 'safety/$', method: 'POST', count: 'always' }])
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await page.getByRole('group', { name: '報告' }).getByRole('link', { name: '安全対策' }).tap()
  await page.getByRole('button', { name: /^酸欠/ }).tap()
  await page.getByRole('button', { name: '不要', exact: true }).tap()
  const refused = page.getByRole('alert').filter({ hasText: '送信できませんでした' })
  await expect(refused).toBeVisible()
  await page.getByRole('link', { name: '戻る', exact: true }).tap()
  await page.getByRole('button', { name: '入館登録' }).tap()
  const popup = page.getByRole('dialog', { name: '入館登録' })
  await expect(popup).toBeVisible()
  await expect(page.locator('dialog[data-guarded]')).toHaveCount(0)
  await waitsForTheEnd(page, popup)
  await tapTwice(page, popup.getByRole('button', { name: '登録', exact: true }))
  const yes = page.getByRole('button', { name: 'はい' })
  for (const question of [/入退館連絡先を確認しましたか/, /注意事項を確認しましたか/, /で入館登録します/]) {
    await expect(heading(page, question)).toBeVisible()
    await expect(page.locator('dialog[data-guarded]')).toHaveCount(0)
    // the second tap of before answered nothing
    await expect(heading(page, question)).toBeVisible()
    await tapTwice(page, yes)
  }
  await expect(popup).toHaveCount(0)
  // the last of the taps was not for what stood behind the question
  await expect(heading(page, '依頼詳細')).toBeVisible()

  await page.getByRole('link', { name: '退館報告' }).tap()
  await expect(heading(page, '退館報告登録')).toBeVisible()
  const done = page.getByRole('radio', { name: '作業完了' })
  const undone = page.getByRole('radio', { name: '作業未完了' })
  /** In the page, wherever it is scrolled to. */
  const topOf = (radio: Locator) =>
    radio.evaluate((element) => Math.round(element.getBoundingClientRect().top + scrollY))
  const places = async () => [await topOf(done), await topOf(undone)]
  await expect(refused).toBeVisible()
  const banner = page.getByRole('region', { name: 'お知らせ' })
  await banner.evaluate((section) =>
    Promise.all(section.getAnimations({ subtree: true }).map(({ finished }) => finished)),
  )
  expect(await coveredControls(page)).toEqual([])
  await page.getByRole('button', { name: '保存' }).tap()
  const label = page.locator('legend, label').filter({ hasText: '作業区分' }).first()
  await expect(done).toBeFocused()
  expect(
    await label.evaluate((element) => {
      const { left, top, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(left + 8, top + height / 2))
    }),
  ).toBe(true)
  const before = await places()
  await refused.getByRole('button', { name: '閉じる' }).tap()
  // what passes by itself
  await expect(banner).toHaveCount(0, { timeout: 12_000 })
  expect(await places()).toEqual(before)
  expect(await coveredControls(page)).toEqual([])
  expect(phone.errors).toEqual([])
})
