/**
 * The camera in the page, with Chromium's fake camera: shot by shot on the device, also when the page is killed; ends
 * when it is not seen (decisions/camera).
 */
import type { Page } from '@playwright/test'
import { fakeCamera } from '../support/chromium.ts'
import { see } from '../support/lock-page.ts'
import { expectNoViolations } from './axe.ts'
import { type Crm, expect, freeRequest, type Phone, readyForOffline, test } from './phone.ts'

interface Files {
  files: { name: string; size: number }[]
}

const sentFrom = async (crm: Crm) =>
  ((await crm.state()) as unknown as Files).files.filter(({ name }) => /_camera\./.test(name))

/** Counts the questions for the camera, and takes still pictures away from a browser that has them. */
async function watchCamera({ context }: Phone, hasStills: boolean): Promise<void> {
  await context.addInitScript((stills) => {
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    const asked = { count: 0 }
    Object.assign(window, { asked })
    navigator.mediaDevices.getUserMedia = (wanted) => {
      asked.count += 1
      return ask(wanted)
    }
    if (!stills) Reflect.deleteProperty(window, 'ImageCapture')
  }, hasStills)
}

const questions = (page: Page) =>
  page.evaluate(() => (window as unknown as { asked: { count: number } }).asked.count)

const camera = (page: Page) => page.getByRole('dialog', { name: 'カメラ' })
const shutter = (page: Page) => camera(page).getByRole('button', { name: '撮影' })

async function shoot(page: Page, upTo: number): Promise<void> {
  await expect(camera(page)).not.toHaveAttribute('data-guarded')
  for (let n = 1; n <= upTo; n += 1) {
    await expect(shutter(page)).toHaveAttribute('aria-disabled', 'false')
    await shutter(page).click()
    await expect(camera(page).getByText(`${n}枚撮影しました`)).toBeVisible()
  }
}

/** The video and its stream, as the page has them. */
const stream = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('video')
    const tracks = video?.srcObject instanceof MediaStream ? video.srcObject.getTracks() : []
    return { width: video?.videoWidth ?? 0, states: tracks.map(({ readyState }) => readyState) }
  })

const cards = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /を削除$/ }) })

for (const hasStills of [true, false])
  test.describe(hasStills ? 'with still pictures' : 'without still pictures @slow', () => {
    test.use({ browserArgs: fakeCamera })

    test('[SV1][decisions/camera] three shots in a row are there after the page is killed, and are sent', async ({
      crm,
      phone,
    }) => {
      await watchCamera(phone, hasStills)
      await phone.signIn()
      await readyForOffline(phone.page)
      const { id } = await freeRequest(crm)
      await phone.page.goto(`/noteLocationArea/add/${id}`)
      await phone.page.getByLabel('メモ').fill('点検口はここです。')
      // underground: the camera's code is on the device already
      await phone.offline(true)
      await phone.page.getByRole('button', { name: 'カメラで撮影' }).click()
      await expect.poll(async () => (await stream(phone.page)).width).toBeGreaterThan(0)
      await shoot(phone.page, 3)
      await expectNoViolations(phone.page, 'カメラ')
      expect(await questions(phone.page)).toBe(1)
      await phone.kill()

      const { page } = phone
      await page.goto(`/noteLocationArea/add/${id}`)
      await expect(cards(page)).toHaveCount(3)
      await expect(cards(page).first()).toContainText('この端末の時計')
      await phone.offline(false)
      await page.getByRole('button', { name: '保存' }).click()
      await expect.poll(async () => (await sentFrom(crm)).length).toBe(3)
      const sent = await sentFrom(crm)
      expect(new Set(sent.map(({ name }) => name)).size).toBe(3)
      for (const { name, size } of sent) {
        expect(name).toMatch(/^\d{17}_camera\.(jpg|png)$/)
        expect(size).toBeGreaterThan(1_000)
      }

      // another photo of the same place, shot from the same spot
      await page.goto(`/noteLocationArea/add/${id}`)
      await page.getByRole('button', { name: 'カメラで撮影' }).click()
      await expect(camera(page)).not.toHaveAttribute('data-guarded')
      await camera(page).getByRole('button', { name: '前回の写真' }).click()
      const overlay = page.locator('[class*="overlay"]')
      await expect(overlay).toHaveCSS('opacity', '0.4')
      await expect(overlay.locator('img')).toBeVisible()
      await camera(page).getByRole('button', { name: '前の写真' }).click()
      await expect(overlay.locator('img')).toBeVisible()
      expect(phone.errors).toEqual([])
    })
  })

test.describe('a camera', () => {
  test.use({ browserArgs: fakeCamera })

  test('[decisions/camera] ends with the page out of sight and with back; a picture is looked at meanwhile @slow', async ({
    crm,
    phone,
  }) => {
    await watchCamera(phone, true)
    await phone.signIn()
    const { id } = await freeRequest(crm)
    const { page } = phone
    await page.goto(`/noteLocationArea/add/${id}`)
    const open = page.getByRole('button', { name: 'カメラで撮影' })
    await open.click()
    await shoot(page, 1)
    await camera(page).getByRole('button', { name: '写真1を開く' }).click()
    await expect(page.getByRole('heading', { name: '写真', exact: true })).toBeVisible()
    expect((await stream(page)).states).toEqual(['live'])
    await page.goBack()
    await expect(page.getByRole('heading', { name: '写真', exact: true })).toBeHidden()
    await expect(camera(page)).toBeVisible()

    const before = await page.evaluateHandle(() => document.querySelector('video')?.srcObject)
    const ended = () =>
      before.evaluate((each) => each instanceof MediaStream && each.getTracks()[0]?.readyState === 'ended')
    await see(page, 'hidden')
    expect(await ended()).toBe(true)
    await see(page, 'visible')
    await expect(camera(page).getByText(/画面を離れたので、カメラを止めました。/)).toBeVisible()
    await expectNoViolations(page, 'カメラ（停止）')
    expect(await questions(page)).toBe(1)
    await camera(page).getByRole('button', { name: 'カメラを使う' }).click()
    await expect(shutter(page)).toHaveAttribute('aria-disabled', 'false')
    await page.keyboard.press('Tab')
    await page.goBack()
    await expect(camera(page)).toBeHidden()
    await expect(page.getByRole('heading', { name: '現場メモ登録' })).toBeVisible()
    await expect(open).toBeFocused()
    expect(await page.evaluate(() => document.querySelector('video'))).toBeNull()
    await expect(cards(page)).toHaveCount(1)
  })
})

test.describe('no leave', () => {
  test.use({ browserArgs: fakeCamera.slice(0, 1) })

  test('[decisions/camera] one refusal is one question, its reason is said, and the picker is there @slow', async ({
    crm,
    phone,
  }) => {
    await watchCamera(phone, true)
    await phone.signIn()
    const { id } = await freeRequest(crm)
    const { page } = phone
    await page.goto(`/noteLocationArea/add/${id}`)
    await page.getByRole('button', { name: 'カメラで撮影' }).click()
    await expect(camera(page).getByText(/カメラの使用が許可されていません。/)).toBeVisible()
    await expectNoViolations(page, 'カメラ（許可なし）')
    await see(page, 'hidden')
    await see(page, 'visible')
    await page.reload()
    await expect(camera(page).getByText(/「カメラを使う」を押すと始まります。/)).toBeVisible()
    expect(await questions(page)).toBe(0)
    await expect(camera(page)).not.toHaveAttribute('data-guarded')
    const chooser = page.waitForEvent('filechooser')
    await camera(page).getByText('写真を追加').click()
    expect((await chooser).isMultiple()).toBe(true)
  })
})
