import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { supportFile } from '#schemas/device/support-file.ts'
import { expect, freeRequest, readyForOffline, registerEntry, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'not of every run: SLOW=1, npm run test:slow')

/** What a store of the device holds, by its keys. */
const stored = (page: Page, database: string) =>
  page.evaluate(
    (name) =>
      new Promise<[string, unknown][]>((resolve, reject) => {
        const open = indexedDB.open(name)
        open.addEventListener('error', () => reject(open.error ?? new Error(name)))
        open.addEventListener('success', () => {
          const values = open.result.transaction('values').objectStore('values')
          const [keys, all] = [values.getAllKeys(), values.getAll()]
          all.addEventListener('success', () => {
            resolve(keys.result.map((key, at) => [typeof key === 'string' ? key : '', all.result[at]]))
            open.result.close()
          })
        })
      }),
    database,
  )

test('[figures][EX6][EX7] how fast the app was is in 動作状況; a support file says what was done and names nobody; a logout takes it away', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  const row = await freeRequest(crm)
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await registerEntry(page)
  await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0)
  // no 戻る: the one below would be the second of two quick presses, which count as one
  await page.evaluate(() => history.pushState({}, '', '/settings'))
  await page.getByRole('link', { name: '動作状況' }).click()
  const save = page.getByText('保存を押してから端末に保存するまで')
  await expect(save).toBeVisible()
  await expect(page.getByText(/^押してから画面が変わるまで/)).toBeVisible()
  await expect(page.getByText('開いてから操作できるまで')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'CRMとの通信' })).toBeVisible()

  await page.getByRole('link', { name: '戻る' }).click()
  await page.getByRole('link', { name: '支援ファイルを共有' }).click()
  // what was done before a reload is in it, too
  await expect(page.getByText('ファイルの中を見る')).toBeVisible()
  await page.reload()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '支援ファイルを端末に保存' }).click()
  await expect(page.getByText('支援ファイルを端末に保存しました。')).toBeVisible()
  const text = readFileSync(await (await download).path(), 'utf8')
  const file = supportFile.assert(JSON.parse(text))
  expect(file.calls).toContainEqual(
    expect.objectContaining({ method: 'POST', path: '{rest}/quickReport/', status: 200 }),
  )
  expect(file.calls.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['{login}', '{rest}/request/search']),
  )
  const moves = file.moves.map(({ from, to }) => `${from} ${to}`)
  expect(moves).toEqual([' waiting', 'waiting sending', 'sending accepted'])
  expect(file.figures.map(({ name }) => name)).toEqual(expect.arrayContaining(['app:save', 'INP']))
  expect(file.storage.documents['requests']).toBeGreaterThan(20)
  const { requests } = await crm.state()
  const names = requests.flatMap(({ id, requestCode, ttsOrder }) => [
    id,
    requestCode,
    ttsOrder.locationArea.name,
  ])
  expect(names.filter((name) => name.length > 3 && text.includes(name))).toEqual([])
  expect(text).not.toContain('demo6')
  await page.getByRole('switch', { name: '内容も含める' }).click()
  await expect(page.getByText('あなたの名前とユーザーID')).toBeVisible()

  // of the user nothing is left; how fast the device is, is nobody's
  const lists = async () => (await stored(page, 'genba-diagnostics')).map(([list]) => list)
  const owners = async () => (await lists()).map((list) => list.split(' ').slice(2).join(' '))
  expect(await owners()).toContain('u-1006')
  await page.goto('/logout')
  await expect(page.getByLabel('ユーザー名')).toBeVisible()
  await expect.poll(owners).not.toContain('u-1006')
  expect(await lists()).toContain('figure app:save ')
})
