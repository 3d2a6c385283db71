/**
 * Tiếng Việt and the other languages: a worker's day of which no text of the interface is Japanese, what the CRM then has, and
 * the main screens of each language on narrow phones.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { formatter } from '@lingui/format-po'
import type { Page } from '@playwright/test'
import { type Language, LANGUAGES } from '#lib/language.ts'
import { expect, freeRequest, type Phone, readToEnd, reportsOf, test } from './phone.ts'
import { resize } from './reflow.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

/** A real picture. */
const PICTURE = resolve(import.meta.dirname, '../../docs/screen.png')

async function catalogue(locale: Language): Promise<Map<string, string>> {
  const file = resolve(import.meta.dirname, `../../src/locales/${locale}.po`)
  const read = await formatter().parse(readFileSync(file, 'utf8'), {
    locale,
    sourceLocale: 'ja',
    filename: file,
  })
  return new Map(Object.entries(read).map(([id, { translation }]) => [id, translation]))
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Finds a text in a language by its Japanese; a placeholder is anything. */
async function speaker(language: Language) {
  const [japanese, own] = await Promise.all([catalogue('ja'), catalogue(language)])
  const ids = new Map([...japanese].map(([id, text]) => [text, id]))
  return (text: string): RegExp => {
    const found = own.get(ids.get(text) ?? '')
    if (!found) throw new Error(`「${text}」 is no text of ${language}`)
    return new RegExp(
      found
        .split(/\{\w+\}/)
        .map(escaped)
        .join('.*'),
    )
  }
}

/** Every Japanese text of the interface, as what it looks like on a screen. */
async function japaneseTexts(): Promise<string[]> {
  return [...(await catalogue('ja')).values()]
    .filter((text) =>
      /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text.replaceAll(/\{[^}]*\}/g, '')),
    )
    .map(
      (text) =>
        `^${text
          .split(/\{\w+\}/)
          .map(escaped)
          .join('.+')}$`,
    )
}

interface Seen {
  /** Texts of the interface in Japanese. */
  ours: string[]
  /** Marks of a reading, drawn as letters. */
  marks: string[]
  /** Japanese letters that nothing says are Japanese. */
  unmarked: string[]
}

/** Walks all texts of the page, seen or read aloud. */
async function seenOn(page: Page): Promise<Seen> {
  return page.evaluate(
    (ours) => {
      const patterns = ours.map((each) => new RegExp(each, 'u'))
      const found = { ours: new Set<string>(), marks: new Set<string>(), unmarked: new Set<string>() }
      const look = (element: Element, text: string) => {
        const trimmed = text.trim()
        if (/[\uFFF9-\uFFFB《》]/u.test(trimmed)) found.marks.add(trimmed)
        if (!/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(trimmed)) return
        // the languages' own names, and what is typed
        if (element.closest('option, textarea, script, style, template, noscript')) return
        if (patterns.some((pattern) => pattern.test(trimmed))) found.ours.add(trimmed)
        if (!element.closest('[lang="ja"]')) found.unmarked.add(trimmed)
      }
      for (const root of [document.body, document.querySelector('title')]) {
        const walker = document.createTreeWalker(root ?? document.body, NodeFilter.SHOW_TEXT)
        while (walker.nextNode()) {
          const { parentElement, textContent } = walker.currentNode
          if (parentElement) look(parentElement, textContent ?? '')
        }
      }
      for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
          const text = element.getAttribute(name) ?? ''
          if (patterns.some((pattern) => pattern.test(text))) found.ours.add(`${name}: ${text}`)
          if (/[\uFFF9-\uFFFB《》]/u.test(text)) found.marks.add(`${name}: ${text}`)
        }
      return Object.fromEntries(Object.entries(found).map(([name, texts]) => [name, [...texts]]))
    },
    await japaneseTexts(),
  ) as unknown as Promise<Seen>
}

const NOTHING: Seen = { ours: [], marks: [], unmarked: [] }

async function choose(page: Page, language: Language): Promise<void> {
  await page.goto('/login')
  await page.getByRole('combobox').selectOption(language)
}

/** Signs in with a language chosen at the login, and waits until the day is on the device. */
async function signIn({ page }: Phone, language: Language): Promise<void> {
  const say = await speaker(language)
  await choose(page, language)
  await page.locator('input[name=userName]').fill('demo6')
  await page.locator('input[name=password]').fill('password')
  await page.locator('button[type=submit]').click()
  await expect(page).not.toHaveURL(/login/)
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  if (language !== 'ja-x-easy')
    await expect(page.getByText(say('オフラインで使えます')).first()).toBeVisible({ timeout: 60_000 })
}

test('a worker’s day in Tiếng Việt: nothing of the interface is Japanese, all that is sent is', async ({
  crm,
  phone,
}) => {
  const say = await speaker('vi')
  const { page } = phone
  await choose(page, 'vi')
  await expect(page.getByRole('button', { name: say('ログイン') })).toBeVisible()
  await expect(page.getByText(say('機械翻訳を含みます。'))).toBeVisible()
  expect(await seenOn(page)).toEqual(NOTHING)
  await signIn(phone, 'vi')
  const row = await freeRequest(crm)
  expect(await seenOn(page)).toEqual(NOTHING)

  await page.getByRole('link', { name: new RegExp(row.requestCode) }).click()
  await page.getByRole('button', { name: say('入館登録') }).click()
  const popup = page.getByRole('dialog')
  await expect(popup).toBeVisible()
  expect(await seenOn(page)).toEqual(NOTHING)
  await popup
    .getByRole('button', { name: say('登録') })
    .last()
    .click()
  for (let question = 0; question < 3; question += 1) {
    const sheet = page.getByRole('alertdialog')
    await expect(sheet).toBeVisible()
    expect(await seenOn(page)).toEqual(NOTHING)
    const heading = await sheet.getByRole('heading').first().textContent()
    await readToEnd(page)
    await sheet.getByRole('button', { name: say('はい') }).click()
    await expect(page.getByRole('alertdialog').filter({ hasText: heading ?? '' })).toHaveCount(0)
  }
  await expect.poll(async () => (await reportsOf(crm, row)).length).toBe(1)

  await page.goto(`/safetyMeasure/select/${row.id}?workingDateType=1&workingDate=${row.workingDate}`)
  await page.getByRole('button', { name: say('巻き込まれ') }).click()
  expect(await seenOn(page)).toEqual(NOTHING)
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: say('要') })
    .first()
    .click()
  await expect(page.getByRole('checkbox').first()).toBeVisible()
  expect(await seenOn(page)).toEqual(NOTHING)
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByLabel(say('写真を追加')).setInputFiles(PICTURE)
  await page.getByRole('button', { name: say('チェックリストを写真に追加') }).click()
  await expect(page.getByText(say('{addedAt}の内容を写真に追加しました。'))).toBeVisible()
  await page
    .getByRole('button', { name: say('保存') })
    .last()
    .click()
  await expect(page.getByText(say('正常に保存されました'))).toBeVisible()
  await expect.poll(async () => (await crm.state()).files.length).toBe(2)

  await phone.offline(true)
  await page.goto(`/quickReport/add/${(await reportsOf(crm, row))[0]?.id}`)
  await page.getByRole('radio', { name: say('作業未完了') }).check()
  await page.getByRole('radio', { name: say('当日作業分完了') }).check()
  await page.locator('textarea').first().fill('Bơm số 1 chờ linh kiện.')
  expect(await seenOn(page)).toEqual(NOTHING)
  await page
    .getByRole('button', { name: say('保存') })
    .last()
    .click()
  await expect(
    page.getByText(say('電波がないため、端末に保存しました。電波が戻ると自動で送信します。')),
  ).toBeVisible()
  expect(await seenOn(page)).toEqual(NOTHING)

  await phone.kill()
  await phone.offline(true)
  await phone.page.goto('/outbox')
  await expect(phone.page.getByRole('heading', { name: say('送信状況') })).toBeVisible()
  await expect(phone.page.locator('html')).toHaveAttribute('lang', 'vi')
  expect(await seenOn(phone.page)).toEqual(NOTHING)

  await phone.offline(false)
  await expect
    .poll(async () => (await reportsOf(crm, row))[0])
    .toMatchObject({ type: '2', reason1: '6', reportContent: 'Bơm số 1 chờ linh kiện.' })
  const names = (await crm.state()).files.map(({ name }) => name)
  expect(names).toContainEqual(expect.stringContaining('チェックリスト'))
  const [measure] = (await crm.state()).safety.filter(({ origin }) => origin === 'call')
  expect(measure).toMatchObject({ safetyType: '5', needFlag: '1' })
})

const NARROW = [320, 390].map((width) => ({ width, height: 780 }))

for (const language of Object.keys(LANGUAGES) as Language[])
  test(`${language}: the main screens are as wide as a narrow phone, and show no mark of a reading`, async ({
    crm,
    phone,
  }) => {
    const { page } = phone
    await choose(page, language)
    const tooWide: string[] = []
    const look = async (name: string) => {
      for (const size of NARROW) {
        await resize(page, size)
        const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
        if (scrollWidth > clientWidth) tooWide.push(`${name} at ${size.width}: ${scrollWidth}`)
      }
      if (language !== 'ja') expect(await seenOn(page)).toMatchObject({ marks: [] })
    }
    await look('login')
    await signIn(phone, language)
    const row = await freeRequest(crm)
    const day = `workingDate=${row.workingDate}`
    for (const path of [
      '/request',
      `/request/${row.id}?${day}`,
      `/safetyMeasure/select/${row.id}?workingDateType=1&${day}`,
      `/safetyMeasure/add?requestId=${row.id}&safetyType=4&${day}`,
      `/emergencyReport/add/${row.id}?${day}`,
      `/noteLocationArea/add/${row.id}`,
      '/outbox',
      '/settings',
      '/error-logs',
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }).first()).not.toBeEmpty()
      await look(path)
    }
    expect(tooWide).toEqual([])
  })
