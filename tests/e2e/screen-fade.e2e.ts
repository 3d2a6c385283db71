/** Decision 0119: the screen that is left fades out, and nothing waits for it. */
import { expect, test, type Phone } from './phone.ts'

declare global {
  interface Window {
    fades: { isSkipped: boolean; isOver: boolean }[]
  }
}

/** Runs before the app: notes the fades, and makes them slow. @param captureMs what the browser takes for each picture */
function watchFades(captureMs: number) {
  window.fades = []
  const start = Document.prototype.startViewTransition
  Document.prototype.startViewTransition = function (update) {
    const fade = start.call(this, async () => {
      const until = performance.now() + captureMs
      while (performance.now() < until);
      if (typeof update === 'function') await update()
    })
    const told = { isSkipped: false, isOver: false }
    window.fades.push(told)
    fade.ready.catch(() => (told.isSkipped = true))
    void fade.finished.then(() => (told.isOver = true))
    return fade
  }
  addEventListener('DOMContentLoaded', () => {
    const slow = new CSSStyleSheet()
    slow.replaceSync('::view-transition-old(root) { animation-duration: 600s !important }')
    document.adoptedStyleSheets.push(slow)
  })
}

async function openList({ context, page, signIn }: Phone, captureMs: number) {
  await context.addInitScript(watchFades, captureMs)
  await signIn()
  const row = page.getByRole('link', { name: /R26-/ }).first()
  await expect(row).toBeVisible()
  await page.reload()
  await expect(row).toBeVisible()
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
  return { page, row, heading, fades: () => page.evaluate(() => window.fades) }
}

test('[0119] the screen that was left lies over the next one as a picture, which takes no press', async ({
  phone,
}) => {
  test.skip(
    !process.env['SLOW'],
    'a busy machine takes no picture in time, and rightly shows no fade: SLOW=1, alone',
  )
  const { page, row, heading, fades } = await openList(phone, 0)
  expect(await fades()).toEqual([])
  await row.tap()
  await expect(heading('依頼詳細')).toBeVisible()
  await expect.poll(fades).toEqual([{ isSkipped: false, isOver: false }])
  // the fade stands for minutes: a finger goes through it
  await page.getByRole('button', { name: '入館登録' }).tap()
  await expect(page.getByRole('dialog', { name: '入館登録' })).toBeVisible()
  // a popup is the same screen
  expect(await fades()).toHaveLength(1)
  await page.getByRole('dialog').getByRole('button', { name: '閉じる' }).tap()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('link', { name: '戻る' }).first().tap()
  await expect(heading('依頼検索')).toBeVisible()
  // the next one ends it
  await expect.poll(fades).toMatchObject([{ isOver: true }, { isOver: false }])
  expect(phone.errors).toEqual([])
})

test('[0119] who wants less motion, and a device that is slow to take the picture, change screens without', async ({
  phone,
}) => {
  const { page, row, heading, fades } = await openList(phone, 200)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await row.tap()
  await expect(heading('依頼詳細')).toBeVisible()
  await page.getByRole('link', { name: '戻る' }).first().tap()
  await expect(heading('依頼検索')).toBeVisible()
  expect(await fades()).toEqual([])
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await row.tap()
  await expect(heading('依頼詳細')).toBeVisible()
  // tried once, given up at once
  await expect.poll(fades).toEqual([{ isSkipped: true, isOver: true }])
  await page.getByRole('link', { name: '戻る' }).first().tap()
  await expect(heading('依頼検索')).toBeVisible()
  expect(await fades()).toHaveLength(1)
  expect(phone.errors).toEqual([])
})
