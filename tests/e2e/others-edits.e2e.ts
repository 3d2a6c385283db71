/** What another company changed, on the phone of whoever wrote it (spec 9, sync RULES MG5). */
import { expect, readyForOffline, test } from './phone.ts'

/** What the demo CRM's other company writes. */
const ADDED = '他社追記: 夕方に再確認します。'

test('[真4][MG5] 他社が変更 stands on the row and the record, with before and after, also without signal', async ({
  crm,
  phone,
  request,
}) => {
  const { page } = phone
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
  await phone.offline(true)
  await page.goto(`/quickReport/${edited.id}`)
  const record = page.getByRole('region', { name: '変更の記録' })
  await expect(record.getByText('他社が変更').first()).toBeVisible()
  await expect(record).toContainText(ADDED)
})
