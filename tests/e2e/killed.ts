/** Killing the browser in the middle of something, and the way back to it. */
import type { Page } from '@playwright/test'
import { type Crm, expect, freeRequest, killHidden, type Phone, readyForOffline } from './phone.ts'

export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
export const cards = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /を削除$/ }) })
export const save = (page: Page) => page.getByRole('button', { name: '保存' }).click()

interface Files {
  files: { name: string; sha256: string }[]
}
const sentOf = async (crm: Crm, part: string) =>
  ((await crm.state()) as unknown as Files).files.filter(({ name }) => name.includes(part))

/** Each sent once, and nothing else of that name a moment later than the rest. */
export async function expectSent(crm: Crm, page: Page, counts: Readonly<Record<string, number>>) {
  for (const [part, count] of Object.entries(counts))
    await expect.poll(async () => (await sentOf(crm, part)).length, { timeout: 60_000 }).toBe(count)
  await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0, { timeout: 60_000 })
  for (const [part, count] of Object.entries(counts)) {
    const sent = await sentOf(crm, part)
    expect(sent).toHaveLength(count)
    expect(new Set(sent.map(({ sha256 }) => sha256)).size).toBe(count)
  }
}

/** The process dies and the phone is opened again underground. */
export async function killOffline(phone: Phone, address = phone.page.url()) {
  await phone.kill()
  await phone.offline(true)
  await phone.page.goto(address)
}

/** What was typed is on the disk before the process dies. */
export async function killTyped(phone: Phone, kept: (page: Page) => Promise<void>) {
  const address = phone.page.url()
  await killHidden(phone, kept)
  await phone.offline(true)
  await phone.page.goto(address)
  await kept(phone.page)
}

/** From the first page of the installed app to what was half typed. */
export async function wayBack(page: Page, requestCode: string, name: string) {
  await page.goto('/')
  const row = page.getByRole('link', { name: new RegExp(requestCode) }).first()
  await expect(row).toContainText('入力途中')
  await row.click()
  const section = page.getByRole('region', { name: '入力途中' })
  await section.getByRole('link', { name: new RegExp(`^${name}`) }).click()
}

/** A form of a request of today, underground. */
export async function underground(crm: Crm, phone: Phone, path: (id: string, day: string) => string) {
  await phone.signIn()
  await readyForOffline(phone.page)
  const row = await freeRequest(crm)
  await phone.offline(true)
  await phone.page.goto(path(row.id, row.workingDate))
  return row
}
