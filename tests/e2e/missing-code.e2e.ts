/** A screen whose code never came to the phone: a first visit that loses its signal before the app itself is kept there. */
import { expect, freeRequest, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'most of a minute: SLOW=1, npm run test:slow')

const NOTE = 'ふたは二人で開けてください。'

test('[手9] a screen whose code is not on the phone says so, with a way back and one on; nothing typed is lost', async ({
  crm,
  phone,
}) => {
  const { page, context } = phone
  let hasCode = false
  await context.route('**/sw.js', (route) => route.abort())
  await context.route(/\/assets\/(outbox|filter-sheet|flash-stack)-/, (route) =>
    hasCode ? route.continue() : route.abort('internetdisconnected'),
  )
  // the screen that the save leads to: what is missing is missing on purpose
  const ahead = page.waitForResponse(/\/assets\/request\._id-/, { timeout: 60_000 })
  await phone.signIn()
  const row = await freeRequest(crm)
  // the list stands: its code is there, and the form's comes with the form
  await expect(page.getByRole('link', { name: new RegExp(row.requestCode) })).toBeVisible()
  await page.evaluate((path) => history.pushState(null, '', path), `/noteLocationArea/add/${row.id}`)
  await page.getByLabel('メモ').fill(NOTE)
  await ahead
  await phone.offline(true)
  await expect(page.getByText('オフライン', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: '保存' }).tap()
  await page.getByRole('link', { name: '未送信 1件' }).tap()
  await expect(page.getByRole('heading', { name: 'この画面はまだ端末にありません' })).toBeVisible()
  await page.getByRole('button', { name: 'もう一度開く' }).tap()
  await expect(page.getByRole('heading', { name: 'この画面はまだ端末にありません' })).toBeVisible()
  await page.getByRole('link', { name: '依頼検索へ戻る' }).tap()
  await expect(page.getByRole('link', { name: new RegExp(row.requestCode) })).toBeVisible()
  // what opens over a screen, too
  await page.getByRole('button', { name: /変更/ }).first().tap()
  await expect(page.getByRole('heading', { name: 'この画面はまだ端末にありません' })).toBeVisible()

  hasCode = true
  await phone.offline(false)
  await page.getByRole('button', { name: 'もう一度開く' }).tap()
  // the whole app comes anew, over a line that the test looks at
  await expect(page.getByRole('dialog', { name: '検索条件' })).toBeVisible({ timeout: 60_000 })
  await expect.poll(async () => (await crm.state()).notes.filter(({ note }) => note === NOTE).length).toBe(1)
  // what it asked for meanwhile and could not get, which the error log has; nothing else
  expect(phone.errors.filter((text) => !text.startsWith('not on this device: '))).toEqual([])
})
