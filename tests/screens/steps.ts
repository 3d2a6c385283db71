/** What a person does on a screen before its picture is taken, where pressing buttons by name is not enough. */
import { resolve } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { ENTER } from './demo.ts'
import { cameraPhoto } from '../support/camera-photo.ts'
import { see, setLock } from '../support/lock-page.ts'

const PICTURE = resolve(import.meta.dirname, '../../docs/screen.png')
const A_DAY_AND_MORE = 25 * 3_600_000
/** Whatever became of it afterwards: the banner of a save changes with what is known of it. */
const SAVED = /正常に保存されました|端末に保存しました|送信できませんでした/

type Step = (page: Page) => Promise<void>

/** One after the other. */
export const all =
  (...steps: Step[]): Step =>
  async (page) => {
    for (const step of steps) await step(page)
  }

export const switchOn =
  (name: string): Step =>
  (page) =>
    page.getByRole('switch', { name }).click()

/** 画面のロック is set to すぐ, in another tab, and the app is left. */
export const lockScreen: Step = async (page) => {
  await setLock(page, '0')
  await see(page, 'hidden')
  await page.getByLabel('パスワード', { exact: true }).waitFor()
  await see(page, 'visible')
}

export const wrongPassword: Step = async (page) => {
  await page.getByLabel('パスワード', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: '開く', exact: true }).click()
  await page.getByText('パスワードが違います。').waitFor()
}

export const toSection =
  (name: string): Step =>
  (page) =>
    page.getByRole('heading', { name, exact: true }).evaluate((head) => head.scrollIntoView())

/** As the app itself goes from screen to screen; the first one is loaded. */
export const open =
  (path: string): Step =>
  async (page) => {
    if (page.url().startsWith('http')) await page.evaluate((to) => history.pushState(null, '', to), path)
    else await page.goto(path)
  }

export const press =
  (name: string | RegExp): Step =>
  (page) =>
    page
      .getByRole('button', { name, exact: true })
      .or(page.getByRole('link', { name, exact: true }))
      .first()
      .click()

export const fill = (label: string, text: string) => (page: Page) =>
  page.getByLabel(label, { exact: true }).first().fill(text)

export const choose =
  (...names: string[]): Step =>
  async (page) => {
    for (const name of names)
      await page
        .getByRole('radio', { name, exact: true })
        .or(page.getByRole('checkbox', { name, exact: true }))
        .first()
        .check()
  }

export const tickAll: Step = async (page) => {
  await page.getByRole('checkbox').first().waitFor()
  for (const box of await page.getByRole('checkbox').all()) await box.check()
}

export const takePhoto: Step = async (page) => {
  await page.getByLabel('写真を追加').setInputFiles(PICTURE)
  await expect(page.getByText('入力途中', { exact: true }).first()).toBeVisible()
}

/** One that says itself when and where it was taken. */
export const takeCameraPhoto: Step = async (page) => {
  const buffer = await cameraPhoto(page, 1600, 1200)
  await page.getByLabel('写真を追加').setInputFiles({ name: 'IMG_0042.jpg', mimeType: 'image/jpeg', buffer })
  await expect(page.getByText('写真の記録').first()).toBeVisible()
}

/** The camera in the page takes one; a popup ignores presses in its first moment. */
export const takeShot: Step = async (page) => {
  await expect(page.getByText('ボタンを押すと撮影します')).toBeVisible()
  await page.waitForTimeout(600)
  await page.getByRole('button', { name: '撮影', exact: true, disabled: false }).click()
  await expect(page.getByText('1枚撮影しました')).toBeVisible()
}

/** One that is being read, and stays so. */
export const takeSlowPhoto: Step = async (page) => {
  await page.evaluate(() => {
    const real = Blob.prototype.arrayBuffer
    Blob.prototype.arrayBuffer = () => {
      Blob.prototype.arrayBuffer = real
      return new Promise(() => undefined)
    }
  })
  await page.getByLabel('写真を追加').setInputFiles(PICTURE)
  await page.getByText('読み込み中', { exact: true }).first().scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 2_000)
}

export const save: Step = async (page) => {
  await press('保存')(page)
  await expect(page.getByText(SAVED).first()).toBeVisible()
}

/** A banner or a line of the screen says it. */
export const said =
  (text: string | RegExp): Step =>
  (page) =>
    expect(page.getByText(text).first()).toBeVisible()

/** Nothing moves and nothing is on its way. */
export const settled: Step = async (page) => {
  // a long list says it at its end until one comes near
  await expect
    .poll(() =>
      page
        .getByText('読み込み中')
        .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().top < innerHeight).length),
    )
    .toBe(0)
  await expect(page.locator('input[type=password][readonly]')).toHaveCount(0)
  await page.waitForTimeout(200)
  // what waits out of sight shimmers for ever
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  )
}

/** To the end of the page, or of the pane that scrolls. */
export const toEnd: Step = async (page) => {
  await settled(page)
  await page.evaluate(() => {
    for (const each of [document.scrollingElement, ...document.querySelectorAll('main, dialog[open]')])
      each?.scrollTo(0, each.scrollHeight)
  })
}

/** What is being read for ever goes with the page. */
export const reloaded: Step = async (page) => {
  await page.reload()
  await expect(page.getByLabel('写真を追加')).toBeAttached()
}

/** The page is killed and opened again: what was typed comes back. */
export const reopened: Step = async (page) => {
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
  await page.waitForTimeout(500)
  await page.reload()
  await expect(page.getByText('入力途中の内容を復元しました。')).toBeVisible()
}

export const signal =
  (on: boolean): Step =>
  async (page) => {
    await page.context().setOffline(!on)
    await expect(page.getByText(on ? 'オンライン' : 'オフライン', { exact: true }).first()).toBeVisible()
  }

/** A day passes; what was not sent in it is not sent any more. */
export const later: Step = async (page) => {
  await page.clock.setFixedTime((await page.evaluate(() => Date.now())) + A_DAY_AND_MORE)
  await page.goto('/outbox')
  await signal(true)(page)
  await expect(page.getByText('期限切れ', { exact: true }).first()).toBeVisible()
}

/** The clock goes on to a time of the next day in Tokyo, and stands there. */
const onNextDay =
  (time: string): Step =>
  async (page) => {
    const tomorrow = new Date((await page.evaluate(() => Date.now())) + 33 * 3_600_000)
    await page.clock.setFixedTime(`${tomorrow.toISOString().slice(0, 10)}T${time}:00+09:00`)
  }

/** After midnight: what was not finished is still in the list. */
export const night: Step = async (page) => {
  await onNextDay('00:05')(page)
  await page.goto('/request')
  await expect(page.getByText('昨日から', { exact: true }).first()).toBeVisible()
}

/** Buttons of 入館登録 and its questions, one after the other. */
const answer =
  (...names: readonly string[]): Step =>
  async (page) => {
    for (const name of names) {
      // はい waits until what it is about was seen
      await page
        .locator('dialog[role="alertdialog"]')
        .evaluateAll((sheets) => sheets.at(-1)?.scrollTo(0, sheets.at(-1)?.scrollHeight ?? 0))
      await press(name)(page)
    }
  }

/** 入館登録 with its three questions. */
export const enter = answer(...ENTER)
/** 入館登録 up to its last question. */
export const askedForTime = answer(...ENTER.slice(0, -1))
export const yes = answer('はい')

/** What was done is shown. */
export const unfold = press(/^完了 \d+件/)

/** The demo's 他社の編集, and the app has heard of it. */
export const otherCompany: Step = async (page) => {
  await press('デモ')(page)
  // it goes off again by itself
  await page.getByRole('switch', { name: '他社の編集' }).click()
  await expect(page.getByText('他社の編集：').first()).toBeVisible()
  await press('デモの操作を閉じる')(page)
  await open('/settings')(page)
  await press('データを今すぐ更新')(page)
  await open('/request')(page)
  await expect(page.getByText(/^他社が変更/).first()).toBeVisible()
}

/** 入館登録 was answered to its end, and the demo CRM has it: after midnight it would have its own. */
export const entered: Step = async (page) => {
  await expect(page.getByRole('link', { name: '退館報告' }).first()).toBeVisible()
  await expect(page.getByText(/^未送信/)).toHaveCount(0)
}

/** Opens the first row of the list, or of a day, that says the one and not the other. */
export const openRow =
  (hasText: string, hasNotText?: RegExp, day = '/'): Step =>
  async (page) => {
    await page.evaluate(() => scrollTo(0, 0))
    const words = { hasText, ...(hasNotText && { hasNotText }) }
    await page.locator(`a[href^="/request/"][href*="${day}"]`).filter(words).first().click()
  }

/** Opens the first row of today that nobody has entered. */
export const openFreeRow: Step = async (page) => {
  const today = await page.evaluate(() => new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10))
  await openRow('', /入館 \d/, today)(page)
}

/** What was refused or has expired is thrown away, so that nothing waits. */
export const nothingUnsent: Step = async (page) => {
  await open('/outbox')(page)
  const cards = page.getByRole('button', { name: '破棄', exact: true })
  await expect(cards.first()).toBeVisible()
  for (let left = await cards.count(); left > 0; left -= 1) {
    await cards.first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'はい' }).click()
    await expect(cards).toHaveCount(left - 1)
  }
  await open('/request')(page)
}

export const emergency = all(
  choose('機器面', '安全面', '冠水・水没', '断水', '当日', '連絡済'),
  fill(
    '緊急内容詳細',
    '2号機も過負荷で停止しました。水位は警報線の10cm下です。応急処置をして予備機で運転しています。',
  ),
)

export const contact = (title: string) =>
  all(
    fill(`${title}名`, '東品川フロント 防災センター'),
    fill(`${title}フリガナ`, 'ﾎﾞｳｻｲｾﾝﾀｰ'),
    fill('担当者名', '原田 圭'),
    fill('メールアドレス', 'bousai@example.jp'),
    fill('電話番号', '03-5550-0187'),
  )

/** The plate of the login is there before its form. */
export const loginForm: Step = (page) => expect(page.getByLabel('パスワード')).toBeVisible()

/** On a slow line, before the first list is there. */
export const signInSlowly: Step = async (page) => {
  await press('デモ')(page)
  await page.getByRole('switch', { name: '遅延' }).check()
  await press('デモの操作を閉じる')(page)
  await press('デモ用に入力')(page)
  await press('ログイン')(page)
  await expect(page).toHaveURL(/request/)
}
