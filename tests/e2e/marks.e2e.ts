/** 電子小黒板 and marks: always a second picture, and the first as it was (decisions/camera). */
import type { Page } from '@playwright/test'
import { cameraPhoto } from '../support/camera-photo.ts'
import { expectNoViolations } from './axe.ts'
import { type Crm, expect, freeRequest, readyForOffline, test } from './phone.ts'

interface Files {
  files: { name: string; size: number; sha256: string }[]
}

const sentOf = async (crm: Crm) =>
  ((await crm.state()) as unknown as Files).files.filter(({ name }) => /IMG_0042/.test(name))

const cards = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /を削除$/ }) })

const sheet = (page: Page) => page.getByRole('dialog', { name: '黒板・書き込み' })
const canvas = (page: Page) => sheet(page).getByRole('application')
const openMarks = (page: Page) => page.getByRole('button', { name: /に黒板・書き込み$/ }).click()
const make = (page: Page) => sheet(page).getByRole('button', { name: '書き込んだ写真を追加' }).click()

/** Drags over a part of the picture. */
async function draw(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  await canvas(page).scrollIntoViewIfNeeded()
  await expect(sheet(page)).not.toHaveAttribute('data-guarded')
  const box = await canvas(page).boundingBox()
  if (!box) throw new Error('no picture')
  const at = ([x, y]: readonly [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const
  await page.mouse.move(...at(from))
  await page.mouse.down()
  await page.mouse.move(...at(to), { steps: 4 })
  await page.mouse.up()
}

/** The colours of a part of the picture as it is shown, each once. */
const colours = (page: Page, x: number, y: number, part = 0.02) =>
  canvas(page).evaluate(
    (element, [across, down, size]) => {
      const { width, height } = element as HTMLCanvasElement
      const context = (element as HTMLCanvasElement).getContext('2d')
      const at = [width * across, height * down, width * size, height * size].map(Math.round)
      const { data } = context?.getImageData(...(at as [number, number, number, number])) ?? { data: [] }
      const all = Array.from({ length: data.length / 4 }, (_, i) => [...data.slice(i * 4, i * 4 + 3)].join())
      return [...new Set(all)]
    },
    [x, y, part] as const,
  )

const GREEN = '12,71,42'

test('[decisions/camera] a board and marks make a second picture, survive a killed page, and are edited until they are sent @slow', async ({
  crm,
  phone,
}) => {
  await phone.signIn()
  await readyForOffline(phone.page)
  const { id, requestCode } = await freeRequest(crm)
  await phone.page.goto(`/noteLocationArea/add/${id}`)
  await phone.page.getByLabel('メモ').fill('弁の向きに注意。')
  // underground: the code is on the device already
  await phone.offline(true)
  const buffer = await cameraPhoto(phone.page, 1600, 1200)
  await phone.page
    .getByLabel('写真を追加')
    .setInputFiles({ name: 'IMG_0042.jpg', mimeType: 'image/jpeg', buffer })
  await openMarks(phone.page)
  await expect(canvas(phone.page)).toBeVisible()

  await draw(phone.page, [0.3, 0.3], [0.6, 0.5])
  await expect(sheet(phone.page).getByText('書き込み 1件')).toBeVisible()
  await sheet(phone.page).getByText('ぼかし', { exact: true }).click()
  await draw(phone.page, [0.7, 0.1], [0.9, 0.3])
  // A fifth of the picture consists of six by five squares.
  expect((await colours(phone.page, 0.71, 0.11, 0.18)).length).toBeLessThanOrEqual(30)
  await sheet(phone.page).getByText('丸', { exact: true }).click()
  await draw(phone.page, [0.1, 0.1], [0.3, 0.3])
  await sheet(phone.page).getByRole('button', { name: '元に戻す' }).click()
  await expect(sheet(phone.page).getByText('書き込み 2件')).toBeVisible()
  await sheet(phone.page).getByText('文字', { exact: true }).click()
  await sheet(phone.page).getByLabel('書き込む文字').fill('漏れ')
  await draw(phone.page, [0.1, 0.2], [0.12, 0.2])
  await sheet(phone.page).getByRole('switch', { name: '黒板' }).click()
  await expect(sheet(phone.page).getByLabel('依頼番号')).toHaveValue(requestCode)
  await expect(sheet(phone.page).getByLabel('日付')).toHaveValue('2026/11/20')
  await sheet(phone.page).getByText('作業前').click()
  await sheet(phone.page).getByLabel('備考').fill('交換前の状態')
  await expectNoViolations(phone.page, '黒板・書き込み')
  expect(await colours(phone.page, 0.405, 0.96)).toContain(GREEN)
  expect(await colours(phone.page, 0.95, 0.96)).not.toContain(GREEN)
  const address = phone.page.url()
  await phone.kill()

  const { page } = phone
  await page.goto(address)
  await expect(sheet(page).getByText('書き込み 3件')).toBeVisible()
  await expect(sheet(page).getByLabel('備考')).toHaveValue('交換前の状態')
  await make(page)
  await expect(sheet(page)).toBeHidden()
  await expect(cards(page)).toHaveCount(2)
  await expect(cards(page).nth(1)).toContainText('_marked.jpg')
  await expect(cards(page).nth(1)).toContainText(/撮影日時 .*11\/20 10:15/)

  // Edited again, by keys: the second picture is replaced.
  await openMarks(page)
  await canvas(page).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await expect(sheet(page).getByText('書き込み 4件')).toBeVisible()
  await make(page)
  await expect(sheet(page)).toBeHidden()
  await expect(cards(page)).toHaveCount(2)
  await openMarks(page)
  await page.goBack()
  await expect(sheet(page)).toBeHidden()
  await expect(page.getByRole('heading', { name: '現場メモ登録' })).toBeVisible()

  await phone.offline(false)
  await page.getByRole('button', { name: '保存' }).click()
  await expect
    .poll(async () => (await sentOf(crm)).map(({ name }) => name).toSorted())
    .toEqual(['20261120101500000_IMG_0042.jpg', '20261120101500000_IMG_0042_marked.jpg'])
  const [original, marked] = (await sentOf(crm)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect(original?.sha256).not.toBe(marked?.sha256)
  expect(phone.errors).toEqual([])
})
