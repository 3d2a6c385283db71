/** Takes the pictures of `screens.ts`, and says which screens it did not find. */
import { resolve } from 'node:path'
import { expect, type FullProject, type Page } from '@playwright/test'
import { test } from '../e2e/policy.ts'
import type { Demo, Shot } from './demo.ts'
import { deviceShots, withPasskeys } from './devices.ts'
import { shots } from './screens.ts'
import { afterwards, inTheMorning, lookAround, show, signIn } from './visit.ts'

const folder = resolve(import.meta.dirname, '../../pictures')
/** PICTURES=note,past: those whose names begin so. */
const wanted = (process.env['PICTURES'] ?? '').split(',')
const areWanted = (all: readonly Shot[]) =>
  all.filter(({ name }) => wanted.some((start) => name.startsWith(start)))

async function takeAll(page: Page, { name: project, metadata }: FullProject, all: readonly Shot[]) {
  const missing: string[] = []
  await page.addInitScript((theme) => localStorage.setItem('genba:theme', theme), metadata['theme'])
  const take = async (shot: Shot, demo: Demo | null) => {
    const path = typeof shot.at === 'string' ? shot.at : demo && shot.at(demo)
    const problem = path ? await show(page, shot, path, demo) : 'no such request today'
    if (problem) missing.push(`${shot.name}: ${problem}`)
    else
      await page.screenshot({
        path: resolve(folder, project, `${shot.name}.png`),
        animations: 'disabled',
      })
    await afterwards(page, shot)
  }
  for (const shot of all.filter(({ guest }) => guest)) await take(shot, null)
  await signIn(page)
  // a reload locks the screen of a device with a passkey, whose pictures need no request of the demo
  const demo = all.some(({ at }) => typeof at === 'function') ? await lookAround(page) : null
  for (const shot of all.filter(({ guest }) => !guest)) await take(shot, demo)
  expect(missing).toEqual([])
}

test('every screen and popup', async ({ page }, { project }) => {
  await inTheMorning(page)
  await takeAll(page, project, areWanted(shots))
})

test('a device with a passkey', async ({ page }, { project }) => {
  // one shot leads to the next
  test.skip(areWanted(deviceShots).length === 0)
  // a page of a device with passkeys begins by the clock, so that comes first
  await inTheMorning(page)
  await withPasskeys(page)
  await takeAll(page, project, deviceShots)
})
