/** What another company changed, on the phone of whoever wrote it (spec 9, sync RULES MG5). */
import { expect, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

/** What the demo CRM's other company writes. */
const ADDED = '他社追記: 夕方に再確認します。'
/** By then reports of the day have their exit, whenever the test runs. */
const EVENING = '18:00:00+09:00'

test('[真4][MG5] 他社が変更 stands on the row and the record, with before and after, also without signal, and what was there before is had back', async ({
  crm,
  phone,
  request,
}) => {
  const { page } = phone
  const { today } = await crm.state()
  const time = Date.parse(`${today}T${EVENING}`)
  await request.post('/__demo/clock', {
    data: String(time - Date.now()),
    headers: { 'content-type': 'text/plain' },
    maxRetries: 2,
  })
  await phone.context.clock.install({ time })
  await phone.signIn()
  await readyForOffline(page)
  await expect(page.getByText('他社が変更')).toHaveCount(0)
  await request.post('/__demo/other-company')
  const { quickReports } = await crm.state()
  const edited = quickReports.find(({ reportContent }) => reportContent?.includes(ADDED))
  if (!edited) throw new Error('no report of today was edited')

  await page.goto('/settings')
  await page.getByRole('button', { name: 'データを今すぐ更新' }).click()
  await page.goto('/request')
  await expect(page.getByText('他社が変更').first()).toBeVisible({ timeout: 30_000 })
  await page.goto(`/quickReport/${edited.id}`)
  const record = page.getByRole('region', { name: '変更の記録' })
  // the row's mark comes with the search; the text is read after it, record by record
  await expect(record).toContainText(ADDED)
  await phone.offline(true)
  await page.reload()
  await expect(record.getByText('他社が変更').first()).toBeVisible()
  await expect(record).toContainText(ADDED)
  await expect(record).toContainText(/前：.*後：/s)
  // one's own text that lost is had back into the form
  await phone.offline(false)
  await record.getByRole('button', { name: '変更前の内容をフォームに戻す' }).first().click()
  await expect(page.getByRole('heading', { name: '退館報告編集' })).toBeVisible()
  await expect(page.getByLabel('その他報告内容')).toBeEditable()
  await expect(page.getByLabel('その他報告内容')).not.toHaveValue(new RegExp(ADDED))
})
