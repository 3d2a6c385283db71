/**
 * The browser dies in each step of a sheet, of shots, of marks and of a report: nothing is lost, nothing is there twice,
 * and 依頼検索 leads back (decisions/forms, decisions/camera, decisions/report-pdf).
 */
import type { Page } from '@playwright/test'
import { cameraPhoto } from '../support/camera-photo.ts'
import { fakeCamera } from '../support/chromium.ts'
import { cards, dialog, expectSent, killOffline, killTyped, save, underground, wayBack } from './killed.ts'
import { expect, freeRequest, readyForOffline, test } from './phone.ts'

test.skip(!process.env['SLOW'], 'minutes: SLOW=1, npm run test:slow')

const GAS = '酸素・硫化水素濃度測定記録'
const KY = 'KY活動表'
const CHECKS = 'チェックリスト'

const measured = (page: Page) => page.getByRole('checkbox', { name: /測定して記録した$/ })

const safetyForm = (type: string) => (id: string, day: string) =>
  `/safetyMeasure/add?requestId=${id}&safetyType=${type}&workingDate=${day}`

test('[issue 54][SV1][SV2] 酸素・硫化水素濃度測定記録, killed in each of its steps', async ({
  crm,
  phone,
}) => {
  test.setTimeout(300_000)
  const { requestCode } = await underground(crm, phone, safetyForm('4'))
  const at = (page: Page, label: string, n = 0) => dialog(page, GAS).getByLabel(label).nth(n)
  await phone.page.getByRole('button', { name: new RegExp(`^${GAS}`) }).click()
  // while typing
  await at(phone.page, '測定場所').fill('')
  await at(phone.page, '測定場所').pressSequentially('汚水槽の底')
  await killTyped(phone, (page) => expect(at(page, '測定場所')).toHaveValue('汚水槽の底'))
  await wayBack(phone.page, requestCode, '安全対策登録')
  await expect(at(phone.page, '測定場所')).toHaveValue('汚水槽の底')

  // after the second point; too little oxygen in it
  await at(phone.page, '酸素（%）').fill('20.9')
  await at(phone.page, '硫化水素（ppm）').fill('0')
  await dialog(phone.page, GAS).getByRole('button', { name: '測定点を追加' }).click()
  await at(phone.page, '酸素（%）', 1).fill('17.9')
  const stop = (page: Page) => dialog(page, GAS).getByRole('alert')
  await expect(stop(phone.page)).toContainText('直ちに作業をやめ')
  await killTyped(phone, async (page) => {
    await expect(at(page, '酸素（%）', 1)).toHaveValue('17.9')
    await expect(at(page, '酸素（%）', 2)).toHaveCount(0)
  })
  // at the hard stop: still in the way
  await expect(stop(phone.page)).toContainText('直ちに作業をやめ')
  const add = (page: Page) => dialog(page, GAS).getByRole('button', { name: '写真に追加' })
  await expect(add(phone.page)).toHaveCount(0)
  await at(phone.page, '酸素（%）', 1).fill('20.7')
  await at(phone.page, '硫化水素（ppm）', 1).fill('0.5')
  await dialog(phone.page, GAS).getByText('換気中', { exact: true }).click()

  // while the picture is being made
  const sheetOpen = phone.page.url()
  await add(phone.page).click()
  await killOffline(phone, sheetOpen)
  await add(phone.page).click()
  await expect(dialog(phone.page, GAS)).toBeHidden()
  await expect(cards(phone.page)).toHaveCount(1)
  await expect(measured(phone.page)).toBeChecked()

  // between the sheet and 保存 of the form
  for (const box of await phone.page.getByRole('checkbox').all())
    if (!(await box.isChecked())) await box.check()
  const allTicked = async (page: Page) => {
    await expect(page.getByText('すべて確認済')).toBeVisible()
    await expect(measured(page)).toBeChecked()
  }
  await killTyped(phone, allTicked)
  await expect(cards(phone.page)).toHaveCount(1)

  // in the save
  await save(phone.page)
  await phone.kill()
  await phone.offline(true)
  await saveUnlessSaved(phone.page, requestCode)
  await phone.offline(false)
  await expectSent(crm, phone.page, { [GAS]: 1 })
  expect(phone.errors).toEqual([])
})

/** After a kill in a save: it is saved, or half typed and one way back from being saved. */
async function saveUnlessSaved(page: Page, requestCode: string) {
  await page.goto('/')
  const row = page.getByRole('link', { name: new RegExp(requestCode) }).first()
  const saved = page.getByRole('link', { name: '未送信 1件' }).first()
  await expect(saved.or(row.getByText('入力途中')).first()).toBeVisible()
  if (await saved.isVisible()) return
  await wayBack(page, requestCode, '安全対策登録')
  await save(page)
  await expect(page.getByText('電波がないため、端末に保存しました。')).toBeVisible()
}

test('[issue 54][SV1][SV2] KY活動表 and チェックリスト, killed in each of their steps', async ({
  crm,
  phone,
}) => {
  test.setTimeout(300_000)
  const { requestCode } = await underground(crm, phone, safetyForm('3'))
  const ky = (page: Page) => dialog(page, KY)
  const danger = (page: Page, n = 0) => ky(page).getByLabel('危険のポイント').nth(n)
  const measure = (page: Page, n = 0) => ky(page).getByLabel('対策', { exact: true }).nth(n)
  await phone.page.getByRole('button', { name: new RegExp(`^${KY}`) }).click()
  await danger(phone.page).pressSequentially('脚立から墜落する')
  await killTyped(phone, (page) => expect(danger(page)).toHaveValue('脚立から墜落する'))
  await measure(phone.page).fill('開き止めを掛ける')
  await ky(phone.page).getByRole('button', { name: '危険を追加' }).click()
  await killTyped(phone, async (page) => {
    await expect(measure(page)).toHaveValue('開き止めを掛ける')
    await expect(danger(page, 1)).toHaveValue('')
    await expect(danger(page, 2)).toHaveCount(0)
  })
  await wayBack(phone.page, requestCode, '安全対策登録')
  await danger(phone.page, 1).fill('工具が落ちる')
  await measure(phone.page, 1).fill('落下防止のひもを付ける')
  const sheetOpen = phone.page.url()
  await ky(phone.page).getByRole('button', { name: '写真に追加' }).click()
  await killOffline(phone, sheetOpen)
  await expect(danger(phone.page, 1)).toHaveValue('工具が落ちる')
  await ky(phone.page).getByRole('button', { name: '写真に追加' }).click()
  await expect(ky(phone.page)).toBeHidden()
  await expect(cards(phone.page)).toHaveCount(1)

  const checks = phone.page.getByRole('checkbox')
  await checks.first().check()
  await killTyped(phone, (page) => expect(page.getByRole('checkbox').first()).toBeChecked())
  for (const box of await phone.page.getByRole('checkbox').all()) await box.check()
  await killTyped(phone, (page) => expect(page.getByText('すべて確認済')).toBeVisible())
  await phone.page.getByRole('button', { name: 'チェックリストを写真に追加' }).click()
  await killOffline(phone)
  await expect(phone.page.getByText('すべて確認済')).toBeVisible()
  await phone.page.getByRole('button', { name: 'チェックリストを写真に追加' }).click()
  await expect(phone.page.getByText(/の内容を写真に追加しました。$/)).toBeVisible()
  await expect(cards(phone.page)).toHaveCount(2)
  await save(phone.page)
  await phone.kill()
  await phone.offline(true)
  await saveUnlessSaved(phone.page, requestCode)
  await phone.offline(false)
  await expectSent(crm, phone.page, { [KY]: 1, [CHECKS]: 1 })
  expect(phone.errors).toEqual([])
})

test.describe('a camera', () => {
  test.use({ browserArgs: fakeCamera })

  test('[SV1][SV2][decisions/camera] shots: killed at the press, in the count and in the save', async ({
    crm,
    phone,
  }) => {
    test.setTimeout(240_000)
    const { requestCode } = await underground(crm, phone, (id) => `/noteLocationArea/add/${id}`)
    await phone.page.getByLabel('メモ').fill('点検口はここです。')
    const camera = (page: Page) => dialog(page, 'カメラ')
    const shutter = (page: Page) => camera(page).getByRole('button', { name: '撮影' })
    const ready = async (page: Page) => {
      // A press in the first moment is refused.
      await expect(camera(page)).not.toHaveAttribute('data-guarded')
      await expect(shutter(page)).toHaveAttribute('aria-disabled', 'false')
    }
    await phone.page.getByRole('button', { name: 'カメラで撮影' }).click()
    for (const n of [1, 2]) {
      await ready(phone.page)
      await shutter(phone.page).click()
      await expect(camera(phone.page).getByText(`${n}枚撮影しました`)).toBeVisible()
    }
    await ready(phone.page)
    await shutter(phone.page).click()
    await phone.kill()
    await phone.offline(true)
    await wayBack(phone.page, requestCode, '現場メモ登録')
    await expect(phone.page.getByLabel('メモ')).toHaveValue('点検口はここです。')
    await expect(cards(phone.page).nth(1)).toBeVisible()
    const kept = await cards(phone.page).count()
    expect([2, 3]).toContain(kept)
    await phone.page.getByRole('button', { name: 'カメラで撮影' }).click()
    await ready(phone.page)
    await shutter(phone.page).click()
    await expect(camera(phone.page).getByText('1枚撮影しました')).toBeVisible()
    await killOffline(phone)
    await wayBack(phone.page, requestCode, '現場メモ登録')
    await expect(cards(phone.page)).toHaveCount(kept + 1)
    await save(phone.page)
    await expect(phone.page.getByText('電波がないため、端末に保存しました。')).toBeVisible()
    await phone.kill()
    await phone.page.goto('/')
    await expectSent(crm, phone.page, { _camera: kept + 1 })
    expect(phone.errors).toEqual([])
  })
})

test('[SV1][SV2][decisions/camera] marks and board: killed while a mark is drawn, typed and made into a picture', async ({
  crm,
  phone,
}) => {
  test.setTimeout(240_000)
  const { requestCode } = await underground(crm, phone, (id) => `/noteLocationArea/add/${id}`)
  await phone.page.getByLabel('メモ').fill('弁の向きに注意。')
  const buffer = await cameraPhoto(phone.page, 1600, 1200)
  const photo = { name: 'IMG_0042.jpg', mimeType: 'image/jpeg', buffer }
  await phone.page.getByLabel('写真を追加').setInputFiles(photo)
  const sheet = (page: Page) => dialog(page, '黒板・書き込み')
  const open = (page: Page) => page.getByRole('button', { name: /に黒板・書き込み$/ }).click()
  const count = (page: Page, n: number) => expect(sheet(page).getByText(`書き込み ${n}件`)).toBeVisible()
  const make = (page: Page) => sheet(page).getByRole('button', { name: '書き込んだ写真を追加' }).click()
  await open(phone.page)
  await drag(phone.page)
  await phone.page.mouse.up()
  await count(phone.page, 1)
  // the finger is still on the picture
  await drag(phone.page)
  await killTyped(phone, (page) => count(page, 1))
  await sheet(phone.page).getByRole('switch', { name: '黒板' }).click()
  await sheet(phone.page).getByLabel('備考').pressSequentially('交換前の状態')
  await killTyped(phone, (page) => expect(sheet(page).getByLabel('備考')).toHaveValue('交換前の状態'))
  const sheetOpen = phone.page.url()
  await make(phone.page)
  await killOffline(phone, sheetOpen)
  await count(phone.page, 1)
  await make(phone.page)
  await expect(sheet(phone.page)).toBeHidden()
  await expect(cards(phone.page)).toHaveCount(2)
  await wayBack(phone.page, requestCode, '現場メモ登録')
  await expect(cards(phone.page)).toHaveCount(2)
  await save(phone.page)
  await expect(phone.page.getByText('電波がないため、端末に保存しました。')).toBeVisible()
  await phone.kill()
  await phone.page.goto('/')
  await expectSent(crm, phone.page, { IMG_0042: 2, IMG_0042_marked: 1 })
  expect(phone.errors).toEqual([])
})

/** Over the picture, without lifting the finger. */
async function drag(page: Page) {
  // A press in the first moment is refused.
  await expect(dialog(page, '黒板・書き込み')).not.toHaveAttribute('data-guarded')
  const canvas = dialog(page, '黒板・書き込み').getByRole('application')
  await canvas.scrollIntoViewIfNeeded()
  const box = await canvas.boundingBox()
  if (!box) throw new Error('no picture')
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.6, { steps: 4 })
}

test('[issue 54][SV1] 作業報告書, killed while it is made and while it is signed: what it is made of stays', async ({
  crm,
  phone,
}) => {
  test.setTimeout(240_000)
  await phone.signIn()
  await readyForOffline(phone.page)
  const { id, workingDate } = await freeRequest(crm)
  const popup = (page: Page) => dialog(page, '作業報告書')
  const open = (page: Page) => page.getByRole('button', { name: '作業報告書' }).click()
  await phone.page.goto(`/request/${id}?workingDate=${workingDate}`)
  await open(phone.page)
  await popup(phone.page).getByRole('button', { name: 'この端末で使えるようにする' }).click()
  await expect(popup(phone.page).getByText('電波がなくても作成できます')).toBeVisible({ timeout: 60_000 })
  await phone.offline(true)
  await popup(phone.page).getByLabel('立会者名').fill('髙﨑 德一')
  const pad = popup(phone.page).getByRole('img', { name: /^署名欄/ })
  await pad.scrollIntoViewIfNeeded()
  const box = (await pad.boundingBox()) ?? { x: 0, y: 0 }
  await phone.page.mouse.move(box.x + 40, box.y + 20)
  await phone.page.mouse.down()
  await phone.page.mouse.move(box.x + 120, box.y + 60, { steps: 5 })
  await phone.page.mouse.up()
  // the second stroke is under way
  await phone.page.mouse.move(box.x + 40, box.y + 60)
  await phone.page.mouse.down()
  await phone.page.mouse.move(box.x + 120, box.y + 20, { steps: 5 })
  const signed = async (page: Page) => {
    await expect(popup(page).getByLabel('立会者名')).toHaveValue('髙﨑 德一')
    await expect(popup(page).getByRole('img', { name: '署名欄（署名あり）' })).toBeVisible()
  }
  await killTyped(phone, signed)
  const make = (page: Page) => popup(page).getByRole('button', { name: '作成', exact: true }).click()
  const slow = await phone.context.newCDPSession(phone.page)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await make(phone.page)
  await expect(popup(phone.page).getByText(/^作成しています/)).toBeVisible()
  await killOffline(phone)
  await signed(phone.page)
  await expect(phone.page.getByRole('link', { name: /未送信/ })).toHaveCount(0)
  await make(phone.page)
  await expect(popup(phone.page).getByText(/^作成しました/)).toBeVisible({ timeout: 60_000 })
  expect(phone.errors).toEqual([])
})
