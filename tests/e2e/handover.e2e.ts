import { devicesOf } from '#demo-crm/seed/equipment.ts'
import { areas } from '#demo-crm/seed/locations.ts'
import { seedPastReports } from '#demo-crm/resources/past-report.ts'
import { expectNoViolations } from './axe.ts'
import { type Crm, expect, freeRequest, readyForOffline, registerEntry, test } from './phone.ts'

/** A request of today whose first machine has a past report with a 特記事項, and nothing more recent. */
async function withPastReport(crm: Crm) {
  const { requests, today } = await crm.state()
  for (const { id, workingDate, ttsOrder } of requests) {
    const area = areas.find((each) => each.id === ttsOrder.locationArea.id)
    const [device] = area ? devicesOf(area) : []
    const [newest] = device ? seedPastReports(device.deviceId, today) : []
    if (workingDate === today && device && newest?.specialComment)
      return { id, workingDate, device, comment: newest.specialComment }
  }
  throw new Error('no request of today has a machine with a past report')
}

test('[issue 54][PL4] 前回からの引き継ぎ is there underground, and leads to its source @slow', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  const { id, workingDate, device, comment } = await withPastReport(crm)
  await phone.offline(true)
  await page.goto(`/request/${id}?workingDate=${workingDate}`)
  const section = page.getByRole('region', { name: '前回からの引き継ぎ' })
  const line = section.getByRole('link', { name: new RegExp(`^過去報告.*${comment}`) }).first()
  await expect(line).toBeVisible()
  await expectNoViolations(page, '前回からの引き継ぎ')
  await line.click()
  await expect(page).toHaveURL(`/report/${encodeURIComponent(device.deviceId)}`)
  await expect(page.getByRole('article').filter({ hasText: comment }).first()).toBeVisible()
  await page.getByRole('button', { name: '戻る' }).click()
  await expect(section).toBeVisible()
  expect(phone.errors).toEqual([])
})

test('[issue 54][draft] 次の担当者へ: a note from the form of the exit, and back to what was typed @slow', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  const row = await freeRequest(crm)
  await readyForOffline(page)
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await registerEntry(page)
  await page.getByRole('link', { name: '退館報告' }).click()
  await page.getByRole('radio', { name: '作業完了' }).check()
  await page.getByLabel('その他報告内容').fill('弁を清掃しました。')
  await page.getByRole('link', { name: /^次の担当者へ/ }).click()
  await expect(page.getByRole('heading', { name: '現場メモ登録' })).toBeVisible()
  await page.getByLabel('メモ').fill('ピットのふたは二人で開けてください。')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('heading', { name: '退館報告登録' })).toBeVisible()
  await expect(page.getByLabel('その他報告内容')).toHaveValue('弁を清掃しました。')
  await page.getByRole('button', { name: '保存' }).click()
  const section = page.getByRole('region', { name: '前回からの引き継ぎ' })
  await expect(section.getByRole('link', { name: /^現場メモ.*ピットのふたは二人で/ }).first()).toBeVisible()
  expect(phone.errors).toEqual([])
})
