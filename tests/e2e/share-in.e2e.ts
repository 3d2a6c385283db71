/**
 * Photos that the phone shares with the app (decisions/photos), through the real worker: they wait encrypted, also where
 * nobody is signed in or the screen is locked, and a form adds them as if they were picked.
 */
import type { Page } from '@playwright/test'
import { cameraPhoto } from '../support/camera-photo.ts'
import { share, type SharedFile } from '../support/share-page.ts'
import { isLocked, unlock } from './locked.ts'
import { type Crm, expect, freeRequest, logIn, test } from './phone.ts'
import { putOn } from './put-on.ts'
import { inProfile } from './stores.ts'

const photo = (name: string, buffer: Buffer): SharedFile => ({ name, mimeType: 'image/jpeg', buffer })

const thumbs = (page: Page) => page.getByRole('list', { name: '共有された写真' }).getByRole('img')

async function chooseEmergency(page: Page, requestCode: string) {
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(requestCode) })
    .click()
  await page.getByRole('link', { name: '緊急報告' }).click()
  await expect(page.getByRole('heading', { name: '緊急報告登録' })).toBeVisible()
}

const cards = (page: Page) => page.getByRole('button', { name: /^写真\d+を開く$/ })

const filesOf = async (crm: Crm) =>
  ((await crm.state()) as unknown as { files: { name: string; sha256: string }[] }).files

test('[decisions/photos] shared while signed in: the chosen form has the photos, saved without a signal, and the file store gets what a pick would have sent', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await phone.signIn()
  await putOn(page)
  const { id, requestCode } = await freeRequest(crm)
  const pictures = [await cameraPhoto(page, 800, 600), await cameraPhoto(page, 640, 480, '2026:11:19')]
  // the same file by the picker, to compare
  await page.goto(`/noteLocationArea/add/${id}`)
  await page.getByLabel('写真を追加').setInputFiles(photo('IMG_1.jpg', pictures[0] ?? Buffer.alloc(0)))
  await expect(cards(page)).toHaveCount(1)
  await page.getByLabel('メモ').fill('ふたは二人で開けてください。')
  await page.getByRole('button', { name: '保存' }).click()
  const sent = async (name: string) => (await filesOf(crm)).filter((file) => file.name.includes(name))
  await expect.poll(async () => (await sent('IMG_1')).length).toBe(1)

  await phone.offline(true)
  await share(page, [
    photo('IMG_1.jpg', pictures[0] ?? Buffer.alloc(0)),
    { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
    photo('IMG_2.jpg', pictures[1] ?? Buffer.alloc(0)),
  ])
  await expect(page.getByText('受け取れなかったファイル 1件：対応していないファイル形式です。')).toBeVisible()
  await expect(thumbs(page)).toHaveCount(2)
  await chooseEmergency(page, requestCode)
  await expect(cards(page)).toHaveCount(2)
  await expect(page.getByText('写真の記録').first()).toBeVisible()
  for (const name of ['機器面', '冠水・水没']) await page.getByRole('checkbox', { name }).check()
  await page.getByLabel('緊急内容詳細').fill('漏水がありました。')
  await page.getByRole('radio', { name: '当日' }).check()
  await page.getByRole('radio', { name: '連絡済' }).check()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('heading', { name: '緊急報告登録' })).toBeHidden()
  await phone.offline(false)
  await expect.poll(async () => (await sent('IMG_2')).length, { timeout: 60_000 }).toBe(1)
  await expect.poll(async () => (await sent('IMG_1')).length, { timeout: 60_000 }).toBe(2)
  const [picked, shared] = await sent('IMG_1')
  expect(shared?.sha256).toBe(picked?.sha256)
  // nothing waits: the screen leads to the list
  await page.goto('/share')
  await expect(page).toHaveURL(/\/request$/)
  expect(phone.errors).toEqual([])
})

test('[decisions/photos] shared before anybody has signed in: nothing is stored, and that is said; signed out: they wait for the login @slow', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await page.goto('/login')
  await putOn(page)
  const picture = photo('CANARYofThePhoto.jpg', await cameraPhoto(page, 320, 240))
  await share(page, [picture])
  await expect(page.getByText(/ログインの前に共有された写真は受け取れません。ログインしてから/)).toBeVisible()
  await logIn(page)
  await expect(page.getByText(/受け取れなかったファイル 1件：ログインの前に/)).toBeVisible()
  await page.goto('/request')
  const { requestCode } = await freeRequest(crm)
  await expect(page.getByText(requestCode).first()).toBeVisible()
  await page.goto('/logout')
  await expect(page).toHaveURL(/login/)

  await share(page, [picture])
  await expect(page.getByText('共有された写真があります。ログインすると、依頼を選べます。')).toBeVisible()
  await phone.kill()
  expect(inProfile(phone.profile, 'CANARYofThePhoto')).toEqual([])
  await phone.page.goto('/share')
  await logIn(phone.page)
  await expect(thumbs(phone.page)).toHaveCount(1)
  await chooseEmergency(phone.page, requestCode)
  await expect(cards(phone.page)).toHaveCount(1)
})

test('[decisions/photos] shared with a locked screen: they wait for the password; a killed app has each photo once, waiting or in the form @slow', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await phone.signIn()
  await putOn(page)
  const { requestCode } = await freeRequest(crm)
  const picture = photo('IMG_3.jpg', await cameraPhoto(page, 320, 240))
  await page.goto('/settings')
  await page.getByText('すぐ', { exact: true }).click()
  await expect(page.getByRole('radio', { name: 'すぐ' })).toBeChecked()
  await page.goto('/request')
  await isLocked(page)
  await share(page, [picture])
  await isLocked(page)
  await phone.kill()

  await phone.page.goto('/request')
  await unlock(phone.page)
  const banner = () => phone.page.getByText('共有された写真1枚が待っています')
  await expect(banner()).toBeVisible()
  await phone.page.getByRole('link', { name: '依頼を選ぶ' }).click()
  await expect(thumbs(phone.page)).toHaveCount(1)
  await chooseEmergency(phone.page, requestCode)
  await expect(cards(phone.page)).toHaveCount(1)
  await phone.kill()

  await phone.page.goto('/outbox')
  await unlock(phone.page)
  await phone.page.getByRole('region', { name: '入力途中' }).getByRole('link').first().click()
  await expect(cards(phone.page)).toHaveCount(1)
  await expect(banner()).toBeHidden()
  // 破棄 asks, and removes what waits
  await share(phone.page, [picture])
  await unlock(phone.page)
  await phone.page.getByRole('button', { name: '破棄' }).click()
  await phone.page.getByRole('button', { name: 'はい' }).click()
  await expect(phone.page).toHaveURL(/\/request$/)
})
