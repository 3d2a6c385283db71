/**
 * A forgotten password (decisions/encryption): what is 封印中 leaves the phone in a file, sealed, and the operator's key
 * opens it.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cameraPhoto } from '../support/camera-photo.ts'
import { recoveryPair } from '../support/recovery-pair.ts'
import { expect, freeRequest, logIn, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'most of a minute: SLOW=1, npm run test:slow')

const NOTE = '封印の前に書いたメモ'
const RECOVER = resolve(import.meta.dirname, '../recover/recover.mjs')

test('[SV8] 封印したまま管理者に渡す: without a share sheet it is a download, npm run recover opens it, and all of it stays on the phone', async ({
  crm,
  phone,
  request,
}, testInfo) => {
  test.setTimeout(240_000)
  const { publicKey, pem } = recoveryPair()
  const { page, context } = phone
  await context.route('**/config.json', (route) => route.fulfill({ json: { recoveryPublicKey: publicKey } }))
  await page.addInitScript(() => {
    for (const name of ['share', 'canShare'])
      Object.defineProperty(Navigator.prototype, name, { value: undefined })
  })
  const settled = page.waitForResponse('**/config.json')
  await page.goto('/login')
  await settled
  await logIn(page)
  await expect(page).not.toHaveURL(/login/)
  await readyForOffline(page)
  const row = await freeRequest(crm)
  await phone.offline(true)
  await page.goto(`/noteLocationArea/add/${row.id}`)
  const buffer = await cameraPhoto(page, 400, 300)
  await page.getByLabel('写真を追加').setInputFiles({ name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer })
  await page.getByLabel('メモ').fill(NOTE)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByLabel('メモ')).toBeHidden()
  await page.goto('/logout')
  await page.getByRole('button', { name: 'はい' }).click()
  await expect(page.getByRole('heading', { name: 'ログイン', exact: true })).toBeVisible()
  await phone.offline(false)
  const changed = { userName: 'demo6', password: 'second' }
  await request.post('/__demo/password', { data: changed, maxRetries: 2 })
  await logIn(page, 'demo6', 'second')
  await expect(page).not.toHaveURL(/login/)

  await page.goto('/outbox')
  const sealed = page.getByRole('heading', { name: /^封印中 \d件/ })
  const said = await sealed.textContent()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: '封印したまま管理者に渡す' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^genba-work-sealed-.+\.txt$/)
  await expect(page.getByText('封印したままのファイルを端末に保存しました').first()).toBeVisible()
  await page.reload()
  await expect(sealed).toHaveText(said ?? '')

  const bundle = testInfo.outputPath('bundle.txt')
  await download.saveAs(bundle)
  expect(readFileSync(bundle, 'utf8')).not.toContain(NOTE)
  const key = testInfo.outputPath('key.pem')
  writeFileSync(key, pem)
  const { status, stdout, stderr } = spawnSync(process.execPath, [RECOVER, bundle, key], { encoding: 'utf8' })
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('写真 1枚')])
  const opened = testInfo.outputPath('bundle-opened')
  expect(readFileSync(join(opened, 'records.json'), 'utf8')).toContain(NOTE)
  expect(readdirSync(join(opened, 'photos'))).toHaveLength(1)
})
