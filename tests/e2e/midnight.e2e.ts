/** The night in the real browser, on a device that is set to another zone: the demo, whose CRM has the page's clock. */
import type { Page } from '@playwright/test'
import { expect, registerEntry, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'not of every run: SLOW=1, npm run test:slow')

test.use({ baseURL: `http://localhost:${Number(process.env['E2E_PORT'] ?? 4174) + 3}` })

const rows = (page: Page) => page.getByRole('link', { name: /R\d\d-\d{6}/ })
const sections = (page: Page) => page.getByRole('heading', { level: 2 }).filter({ hasText: /\d+月\d+日/ })
/** The clock stands; the page is opened again, as after a night in a pocket. */
async function at(page: Page, time: string) {
  await page.clock.setFixedTime(time)
  await page.goto('/request')
  await expect(rows(page).first()).toBeVisible()
}

/** 入館登録 of the first visit of the day after. */
async function openEntryOfTomorrow(page: Page) {
  await page.getByRole('button', { name: '明日', exact: true }).click()
  await expect(sections(page)).toHaveCount(1)
  await rows(page).first().click()
  await page.getByRole('button', { name: '入館登録' }).click()
}

for (const [zone, last, first, days] of [
  ['Asia/Tokyo', '2026-11-19', '2026-11-20', ['11月19日', '11月20日']],
  ['America/New_York', '2026-11-30', '2026-12-01', ['11月30日', '12月1日']],
  ['Pacific/Honolulu', '2026-12-31', '2027-01-01', ['12月31日', '1月1日']],
] as const)
  test.describe(zone, () => {
    test.use({ timezoneId: zone })

    test('[spec 9][spec 2] from 23:59 to 12:01 the working day before stays as long as it is worked on', async ({
      page,
    }) => {
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      await page.clock.setFixedTime(`${last}T23:59:00+09:00`)
      await page.goto('/')
      expect(await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)).toBe(zone)
      await page.getByRole('button', { name: 'デモ用に入力' }).click()
      await page.getByRole('button', { name: 'ログイン' }).click()
      await expect(sections(page).first()).toContainText(days[0])
      await expect(page.getByText('昨日から')).toHaveCount(0)
      // one is entered before midnight
      await page.getByRole('link', { name: /緊出/ }).first().click()
      await registerEntry(page)
      await expect(page.getByRole('link', { name: '退館報告', description: /入館 23:59/ })).toBeVisible()
      await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0)

      // underground over midnight: the demo's CRM would begin its new day
      await page.getByRole('button', { name: 'デモ', exact: true }).click()
      await page.getByRole('switch', { name: '圏外' }).check()
      await page.getByRole('button', { name: 'デモの操作を閉じる' }).click()
      await expect(page.getByText('オフライン', { exact: true })).toBeVisible()

      await at(page, `${first}T00:01:00+09:00`)
      const carried = rows(page).filter({ hasText: '昨日から' })
      const inside = carried.filter({ hasText: '入館 23:59' })
      await expect(inside).toHaveCount(1)
      await expect(inside).toContainText('退館していません')
      expect(await carried.count()).toBeGreaterThan(1)
      await expect(sections(page).filter({ hasText: days[0] })).toHaveCount(1)
      await expect(sections(page).filter({ hasText: days[1] })).toHaveCount(1)
      // a day before alone is one tap away
      await page.getByRole('button', { name: '昨日', exact: true }).click()
      await expect(sections(page)).toHaveCount(1)
      await expect(sections(page)).toContainText(days[0])
      await page.getByRole('button', { name: '今日', exact: true }).click()
      await expect(sections(page).filter({ hasText: days[1] })).toHaveCount(1)
      // one of the day before is entered now: it is the day after, and says so
      await carried
        .filter({ hasNotText: /入館 \d/ })
        .first()
        .click()
      await page.getByRole('button', { name: '入館登録' }).click()
      const sheet = page.getByRole('dialog', { name: '入館登録' })
      await expect(sheet).toContainText(days[1])
      await expect(sheet.getByLabel('入館時刻')).toHaveValue('00:01')
      await sheet.getByRole('button', { name: '登録', exact: true }).click()
      // the day is named: it is not the working day
      const dated = new RegExp(`${days[1]}.*00:01.*で入館登録します`)
      for (const asked of [/入退館連絡先/, /注意事項/, dated]) {
        const question = page.getByRole('alertdialog').filter({ hasText: asked })
        await expect(question).toBeVisible()
        await question.evaluate((element) => element.scrollTo(0, element.scrollHeight))
        await question.getByRole('button', { name: 'はい' }).click()
      }
      await expect(page.getByRole('link', { name: '退館報告', description: /00:01/ })).toBeVisible()

      await at(page, `${first}T11:59:00+09:00`)
      await expect(carried.filter({ hasNotText: /入館/ }).first()).toBeVisible()
      // what is too early says from when it can be done, and asks for no time
      await openEntryOfTomorrow(page)
      await expect(sheet).toContainText(
        new RegExp(`まだ入館登録できません。${days[1]}.*12:00から登録できます。`),
      )
      await expect(sheet.getByLabel('入館時刻')).toHaveCount(0)
      await at(page, `${first}T12:01:00+09:00`)
      await expect(sections(page).first()).toBeVisible()
      await expect(carried.filter({ hasNotText: /入館/ })).toHaveCount(0)
      await openEntryOfTomorrow(page)
      await expect(sheet.getByLabel('入館時刻')).toHaveValue('12:01')
      expect(errors).toEqual([])
    })
  })
