import { devicesOf } from '#demo-crm/seed/equipment.ts'
import { areas } from '#demo-crm/seed/locations.ts'
import { seedPastReports } from '#demo-crm/resources/past-report.ts'
import { type Crm, expect, readyForOffline, test } from './phone.ts'

/** A request of today with one device that has past reports: the newest of them. */
async function withPastReports(crm: Crm) {
  const { requests, today } = await crm.state()
  for (const { id, workingDate, ttsOrder } of requests) {
    const area = areas.find((each) => each.id === ttsOrder.locationArea.id)
    const [device, second] = area ? devicesOf(area) : []
    const [newest] = device ? seedPastReports(device.deviceId, today) : []
    if (workingDate === today && device && !second && newest?.requestDetail)
      return { id, workingDate, device, detail: newest.requestDetail }
  }
  throw new Error('no request of today has one device with past reports')
}

// each `npm test` reads one underground (handover.e2e.ts), and the screen alone (past-report-screen.test.tsx)
test('[spec 2][PL4] past reports of a device: online, and underground from what was prefetched @slow', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  const { id, workingDate, device, detail } = await withPastReports(crm)
  await page.goto(`/request/${id}?workingDate=${workingDate}`)
  const reports = page.getByRole('article').filter({ hasText: detail })
  await page.getByRole('link', { name: '過去報告', exact: true }).click()
  await expect(page.getByRole('heading', { name: '過去報告', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(`/report/${encodeURIComponent(device.deviceId)}`)
  await expect(reports.first()).toBeVisible()
  await page.getByRole('button', { name: '戻る' }).click()
  await expect(page.getByRole('heading', { name: '依頼詳細' })).toBeVisible()

  await phone.offline(true)
  await page.reload()
  await page.getByRole('link', { name: '過去報告', exact: true }).click()
  await expect(reports.first()).toBeVisible()
  await expect(page.getByText('オフライン', { exact: true })).toBeVisible()
  expect(phone.errors).toEqual([])
})
