import { expect, freeRequest, readyForOffline, registerEntry, test } from './phone.ts'

test('[figures] how fast the app was is in 設定 › 動作状況, also after a reload, and is sent to nobody', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  const row = await freeRequest(crm)
  // warm: a touch leads to the request
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await registerEntry(page)
  await page.getByRole('link', { name: '戻る' }).click()
  const before = (await crm.calls()).length
  await page.getByRole('link', { name: '設定' }).click()
  await page.getByRole('link', { name: '動作状況' }).click()
  const save = page.getByText('保存を押してから端末に保存するまで')
  await expect(save).toBeVisible()
  await page.reload()
  await expect(save).toBeVisible()
  await expect(page.getByText(/^押してから画面が変わるまで/)).toBeVisible()
  await expect(page.getByText('開いてから操作できるまで')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'CRMとの通信' })).toBeVisible()
  const kept = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  expect(kept).toContain('genba-figures')
  const told = (await crm.calls()).slice(before).filter(({ method }) => method !== 'GET')
  expect(told.map(({ path }) => path).filter((path) => /figure|vital/.test(path))).toEqual([])
})
