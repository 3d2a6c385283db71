/** What a worker's hands do in WebKit, and the demo CRM's own endpoints. */
import { waitFor } from '../support/webdriver.mjs'

/** `control(path, options)` asks the demo CRM behind `server`; the options are those of `fetch`. */
export const controlOf =
  (server) =>
  async (path, options = {}) =>
    (await fetch(`${server.direct}/__demo/${path}`, options)).json()

/** `press(name, selector)` presses the button, or what else has this name. */
export const pressOn =
  (page) =>
  (name, selector = 'button') =>
    pressed(() => page.named(name, { selector }))

/**
 * Clicks what `find` gives, clear of the bar at the foot; a sheet that is still rising cannot be clicked yet, and one that
 * stands takes no press in its first moment: that one would be lost without a word.
 */
export const pressed = (find) =>
  waitFor(
    async () => {
      const element = await find()
      if (await element.page.execute(() => document.querySelector('dialog[data-guarded]') !== null))
        return false
      await element.page.execute((found) => found.scrollIntoView({ block: 'center' }), element)
      return (await element.click()) === null
    },
    { what: 'the click to be taken' },
  )

/** The fields are filled as by a browser that remembers the login: the lock of the first moments is for keys. */
export async function signIn(page) {
  // the language of WebKitGTK is that of the system, and a test machine may not have Japanese
  await (await page.css('select')).fill('ja')
  await (await page.css('input[autocomplete="username"]')).fill('demo6')
  await (await page.css('input[type="password"]')).fill('password')
  await (await page.named('ログイン', { selector: 'button' })).click()
  await page.waitFor(() => location.pathname === '/request', { what: 'the request search' })
}

/** Answers the question on the screen with はい, and waits for it to go. */
export async function yes(page) {
  const question = await page.execute(() => [...document.querySelectorAll('dialog h2')].at(-1)?.textContent)
  // はい waits until what it is about was seen
  await page.execute(() => {
    const sheet = [...document.querySelectorAll('dialog[open]')].at(-1)
    sheet?.scrollTo(0, sheet.scrollHeight)
  })
  await pressed(() => page.named('はい', { selector: 'dialog button' }))
  await page.waitFor(
    `return [...document.querySelectorAll('dialog h2')].at(-1)?.textContent !== ${JSON.stringify(question)}`,
  )
}

/** From 依頼詳細: 退館報告, 作業未完了 with this text, saved. */
export async function leaveUnfinished(page, content) {
  const press = pressOn(page)
  await pressed(() => page.xpath('//a[contains(., "退館報告")]'))
  await page.hasText('退館報告登録')
  await press('作業未完了', 'input')
  await press('当日作業分完了', 'input')
  await (await page.css('textarea')).fill(content)
  await press('保存')
}
