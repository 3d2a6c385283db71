/** Screens opened cold by their address, without signal, on a slow phone: first paint, and when they answer. */
import { measured, slowPage } from './device.mjs'
import { firstPaint, usableAt, watchUsable } from './usable.mjs'

const SLOW = 4

/** The screen, and what on it has to answer. */
export const LINKS = {
  request: ['依頼詳細', 'main', '作業日'],
  exit: ['退館報告登録', 'form', '退館'],
  outbox: ['送信状況', 'main', '送信'],
}

const addressOf = {
  request: () => '/request/bench-1',
  exit: ({ entered }) => `/quickReport/add/${entered.at(-1)}`,
  outbox: () => '/outbox',
}

async function floorOnce(context, device, times) {
  const { page } = await slowPage(context, SLOW)
  await page.goto(`${device.origin}/floor.html`)
  times.floor.push(await measured(page, 'floor:rows'))
  times.paint.floor.push(await firstPaint(page))
  await page.close()
}

async function linkOnce(context, device, name, times) {
  const { page } = await slowPage(context, SLOW)
  const [, selector, text] = LINKS[name]
  await page.addInitScript(watchUsable, { [name]: [selector, text] })
  await page.goto(`${device.origin}${addressOf[name](device)}`)
  times[name].push(await usableAt(page, name))
  times.paint[name].push(await firstPaint(page))
  await page.close()
}

/** @returns times of the floor and of each link, and under `paint` those of their first paints */
export async function deepLinks(context, device, rounds) {
  const names = Object.keys(LINKS)
  const empty = () => Object.fromEntries(['floor', ...names].map((name) => [name, []]))
  const times = { ...empty(), paint: empty() }
  for (let round = 0; round < rounds; round++) {
    await floorOnce(context, device, times)
    for (const name of names) await linkOnce(context, device, name, times)
  }
  return times
}
