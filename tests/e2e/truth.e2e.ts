/** What the screens say is so: states, lists that were not read, a refusal, an address on a small phone. */
import type { Page } from '@playwright/test'
import { type Crm, expect, freeRequest, logIn, readyForOffline, registerEntry, test } from './phone.ts'
import { putOn } from './put-on.ts'

test.skip(!process.env['SLOW'], 'a minute or more: SLOW=1, npm run test:slow')

const NONE = '緊急報告はありません'
const NOTE = 'ふたは二人で開けてください。'
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Notes what the page asks of the device beside its screen. */
const noteSignals = () => {
  const signals = { badges: [] as unknown[], buzzes: [] as unknown[], locks: [] as string[] }
  Object.assign(window, { signals })
  Object.assign(navigator, {
    setAppBadge: async (count: number) => void signals.badges.push(count),
    clearAppBadge: async () => void signals.badges.push(0),
    vibrate: (pattern: unknown) => signals.buzzes.push(pattern) > 0,
  })
  const release = async () => void signals.locks.push('released')
  Object.defineProperty(navigator, 'wakeLock', {
    value: { request: async (kind: string) => (signals.locks.push(kind), { release }) },
  })
}
const NO_SIGNALS = { badges: [] as unknown[], buzzes: [] as unknown[], locks: [] as string[] }
const signalsOf = (page: Page) => page.evaluate(() => Reflect.get(window, 'signals') as typeof NO_SIGNALS)

test('[真1][真2][真9][手8][手9][手11] each control says its own state, and nothing says none that was not read', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await phone.context.addInitScript(noteSignals)
  const row = await freeRequest(crm)
  // of this request only: what is prefetched besides need not wait
  const path = `emergencyReport.*${row.id}|${row.id}.*emergencyReport`
  await crm.faults([{ id: 'slow', kind: 'delay', ms: 3_000, path, method: 'GET', count: 'always' }])
  await phone.signIn()
  const request = `/request/${row.id}?workingDate=${row.workingDate}`
  await page.goto(`/emergencyReport/${row.id}?workingDate=${row.workingDate}`)
  await expect(page.getByRole('heading', { name: '緊急報告一覧' })).toBeVisible()
  await expect(page.getByText('読み込み中').first()).toBeVisible()
  await expect(page.getByText(NONE)).toHaveCount(0)
  await expect(page.getByText(NONE)).toBeVisible()
  await crm.faults([])

  // once for all rows
  await page.goto('/request')
  await readyForOffline(page)
  await expect(page.getByText('オフラインで使えます')).toHaveCount(1)
  await page.getByRole('link', { name: new RegExp(row.requestCode) }).click()
  const notes = page.getByRole('link', { name: /^現場メモ一覧（\d+）/ })
  await expect(notes).toBeVisible()
  const count = Number(/\d+/.exec((await notes.textContent()) ?? '')?.[0])

  // a form that was open when the signal went
  await notes.click()
  await page.getByRole('link', { name: '追加' }).click()
  const buffer = Buffer.from(PIXEL, 'base64')
  await page.getByLabel('写真を追加').setInputFiles({ name: 'lid.png', mimeType: 'image/png', buffer })
  await expect(page.getByRole('button', { name: /を削除$/ })).toBeVisible()
  await phone.offline(true)
  await page.getByLabel('メモ').fill(NOTE)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('article').filter({ hasText: NOTE })).toContainText('待機')
  await expect.poll(() => signalsOf(page)).toMatchObject({ buzzes: [30], badges: [0, 1] })
  await page.goto(request)
  await expect(page.getByRole('link', { name: `現場メモ一覧（${count + 1}）` })).toBeVisible()
  await expect(page.getByRole('link', { name: /^現場メモ 待機.*登録済/ })).toBeVisible()
  // closed without a signal, and there with its reason
  await expect(page.getByRole('link', { name: /変更依頼/, disabled: true }).first()).toBeVisible()
  await expect(page.getByText('オフライン中は登録・編集できません')).toBeVisible()

  const reports = page.getByRole('group', { name: '報告' })
  await reports.getByRole('link', { name: '安全対策' }).click()
  await page.getByRole('button', { name: /^酸欠/ }).click()
  await page.getByRole('button', { name: '不要', exact: true }).click()
  await expect(page.getByRole('button', { name: /^酸欠.*待機/ })).toBeVisible()
  await page.getByRole('link', { name: '戻る', exact: true }).click()
  await expect(page.getByRole('link', { name: '未送信 2件' })).toBeVisible()
  const entry = page.getByRole('button', { name: '入館登録' })
  await expect(entry).toHaveAccessibleDescription('未入館')
  await registerEntry(page)
  await expect(page.getByRole('link', { name: '退館報告' })).toHaveAccessibleDescription(/^入館 [\d:]+ 待機$/)
  await page.goto(`/quickReport/${row.id}_${row.workingDate}`)
  const entered = page.getByRole('term').filter({ hasText: '入館時刻' }).locator('xpath=..')
  await expect(entered).toContainText('待機')
  await expect(entered).not.toContainText('登録済')
  await page.goto('/report/never-read')
  await expect(page.getByRole('heading', { name: '端末に保存されていません' })).toBeVisible()
  await expect(page.getByText(/ありません$/)).toHaveCount(0)

  // refused: in Japanese, the CRM's own words below; one press sends it again, and its photo with it
  const body = { message: 'Area closed for notes' }
  const fault = { kind: 'status', status: 202, body, path: 'noteLocationArea/$', method: 'POST' }
  await crm.faults([{ id: 'no', ...fault, count: 'always' }])
  await page.goto(request)
  await phone.offline(false)
  const banner = page.getByRole('alert').filter({ hasText: '現場メモ登録を送信できませんでした' })
  // a page that is loaded without a signal says at times that it has one: the note's call has left, and is looked for twice (OC9)
  await expect(banner).toBeVisible({ timeout: 60_000 })
  await expect(banner).not.toContainText(body.message)
  await expect.poll(async () => (await signalsOf(page)).buzzes).toContainEqual([60, 80, 60])
  await expect(page.getByRole('link', { name: '退館報告' })).toHaveAccessibleDescription(/^入館 [\d:]+$/)
  await banner.getByRole('link', { name: '送信状況で確認' }).click()
  const card = page.getByRole('article', { name: '現場メモ登録' })
  await expect(card.getByText(body.message)).toBeHidden()
  await card.locator('summary').click()
  await expect(card.getByText(body.message)).toBeVisible()
  await expect(page.getByRole('link', { name: '未送信 1件', exact: true })).toBeVisible()
  await crm.faults([])
  await card.getByRole('button', { name: '再送' }).click()
  await expect(page.getByRole('main').getByText('未送信の変更はありません')).toBeVisible()
  await expect(banner).toHaveCount(0)
  expect(
    (await crm.calls()).filter(({ path, acted }) => acted && path.includes('/files/upload/')),
  ).toHaveLength(1)
  await expect.poll(async () => (await signalsOf(page)).badges.at(-1)).toBe(0)
  // the screen stayed on while the photo went up, and no longer
  await expect.poll(async () => (await signalsOf(page)).locks).toEqual(['screen', 'released'])
  expect(phone.errors).toEqual([])
})

test('[真2] a popup says 読み込み中, 端末にありません, and that there is none only once it was read', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  const row = await freeRequest(crm)
  // of this request only, its own page and the list of its reports: the list of days comes at once
  const path = `emergencyReport.*${row.id}|${row.id}.*emergencyReport`
  await crm.faults([{ id: 'slow', kind: 'delay', ms: 18_000, path, method: 'GET', count: 'always' }])
  await page.goto('/login')
  // before anything is read: on a busy machine it takes longer than the fault
  await putOn(page)
  await phone.signIn()
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await expect(page.getByRole('button', { name: '入館登録' })).toBeVisible()
  await phone.offline(true)
  await registerEntry(page)
  await page.getByRole('link', { name: '退館報告' }).click()
  await page.getByRole('button', { name: '緊急報告一覧' }).click()
  const popup = page.getByRole('dialog', { name: '緊急報告一覧' })
  await expect(popup).toContainText('端末にありません。電波の届く場所で開くと読み込みます')
  await expect(popup.getByText(NONE)).toHaveCount(0)
  await phone.offline(false)
  await expect(popup.getByRole('status')).toHaveText('読み込み中')
  await expect(popup.getByText(NONE)).toHaveCount(0)
  await expect(popup.getByText(NONE)).toBeVisible({ timeout: 60_000 })
  await expect(popup.getByText('読み込み中')).toHaveCount(0)
  expect(phone.errors).toEqual([])
})

/** Where the address under 作業場所 goes to a new line between two characters that no blank separates. */
const brokenInside = (page: Page) =>
  page
    .getByRole('term')
    .filter({ hasText: '作業場所' })
    .locator('xpath=..')
    .locator('small')
    .evaluate((address) => {
      const nodes = document.createTreeWalker(address, NodeFilter.SHOW_TEXT)
      const letters: { letter: string; middle: number }[] = []
      for (let node = nodes.nextNode(); node; node = nodes.nextNode())
        for (let at = 0; at < (node.textContent ?? '').length; at += 1) {
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          const { top, height } = range.getBoundingClientRect()
          letters.push({ letter: (node.textContent ?? '').slice(at, at + 1), middle: top + height / 2 })
        }
      const text = letters.map(({ letter }) => letter).join('')
      const broken = letters.flatMap(({ letter, middle }, at) => {
        const last = letters[at - 1]
        const isBreak = last && Math.abs(middle - last.middle) > 4
        return isBreak && !/\s/.test(last.letter + letter) ? [`${text.slice(0, at)}|${text.slice(at)}`] : []
      })
      return { text, broken }
    })

/** The request of today with the longest address, and its parts with a blank between them. */
async function longestAddress(crm: Crm) {
  const { requests, today } = await crm.state()
  const [longest] = requests
    .filter(({ workingDate }) => workingDate === today)
    .map(({ id, ttsOrder }) => {
      const customer = Reflect.get(ttsOrder, 'customer') as Record<string, string | null>
      const { prefectureName, city, address1, address2 } = customer
      return { id, today, address: [prefectureName, city, address1, address2].filter(Boolean).join(' ') }
    })
    .toSorted((a, b) => b.address.length - a.address.length)
  if (!longest) throw new Error('no request today')
  return longest
}

test('[真10][真11][手12] a login that cannot close its tab goes on; a search that hides all says so; addresses break between parts', async ({
  crm,
  phone,
  baseURL,
}) => {
  const { page } = phone
  await test.step('a login that cannot close its tab', async () => {
    await page.goto('/login?autoclose=yes&userName=demo6&redirect=%2Frequest')
    await page.getByLabel('パスワード').fill('password')
    await page.getByRole('button', { name: 'ログイン' }).click()
    const goOn = 'このタブを閉じて元の画面に戻るか、このまま続けられます。'
    await expect(page.getByRole('status').filter({ hasText: goOn })).toBeVisible()
    await expect(page).toHaveURL(`${baseURL}/request`)
  })
  const row = await freeRequest(crm)

  await test.step('a search that is remembered and hides everything', async () => {
    const found = page.getByRole('link', { name: new RegExp(row.requestCode) })
    await expect(found).toBeVisible()
    const search = async (values: Record<string, string>) => {
      await page.getByRole('button', { name: /変更/ }).first().click()
      const sheet = page.getByRole('dialog', { name: '検索条件' })
      for (const [label, value] of Object.entries(values)) await sheet.getByLabel(label).fill(value)
      await sheet.getByRole('button', { name: '検索' }).click()
      await expect(sheet).toBeHidden()
    }
    await search({ 作業場所: 'どこにもない' })
    await expect(found).toHaveCount(0)
    await page.reload()
    await expect(page.getByText('「作業場所 どこにもない」に合う依頼がありません。')).toBeVisible()
    await page.getByRole('button', { name: /^「作業場所 どこにもない」を外す（\d+件）$/ }).click()
    await expect(found).toBeVisible()
    const year = Number(row.workingDate.slice(0, 4))
    await search({ '作業日（開始）': `${year + 1}-12-31`, '作業日（終了）': `${year + 2}-01-01` })
    const range = new RegExp(`${year + 1}/12/31（.）〜${year + 2}/01/01（.）`)
    await expect(page.getByText(range).first()).toBeVisible()
  })

  await test.step('an address on small phones', async () => {
    const { id, today, address } = await longestAddress(crm)
    await page.goto(`/request/${id}?workingDate=${today}`)
    const [year, month, day] = today.split('-')
    await expect(page.getByText(new RegExp(`^${year}年${month}月${day}日（.）$`))).toBeVisible()
    for (const width of [280, 320, 390]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await brokenInside(page), `${width}`).toEqual({ text: address, broken: [] })
    }
  })
  expect(phone.errors).toEqual([])
})

test('[真10] a phone whose clock is a day ahead registers with the time of the CRM, and warns', async ({
  crm,
  phone,
}) => {
  const { page } = phone
  await page.clock.install({ time: Date.now() + 86_400_000 })
  await page.goto('/login')
  await logIn(page)
  await expect(page).not.toHaveURL(/login/)
  const row = await freeRequest(crm)
  // the list opens on the day that it is
  await page.getByRole('link', { name: new RegExp(row.requestCode) }).click()
  await page.getByRole('button', { name: '入館登録' }).click()
  const sheet = page.getByRole('dialog', { name: '入館登録' })
  await expect(sheet).toContainText('この端末の時計は約1日進んでいます。CRMの時刻で登録します。')
  await sheet.getByRole('button', { name: '閉じる' }).click()
  const before = Date.now()
  await registerEntry(page)
  await expect(page.getByText('正常に保存されました')).toBeVisible()
  const { requests } = await crm.state()
  const report = requests.find(({ id }) => id === row.id)?.quickReport ?? {}
  const inTime = Date.parse(String(Reflect.get(report, 'inTime')))
  expect(Math.abs(inTime - before)).toBeLessThan(120_000)
  expect(phone.errors).toEqual([])
})
