/** Takes the pictures of `screens.ts`, and says which screens it did not find. */
import { resolve } from 'node:path'
import { expect } from '@playwright/test'
import { test } from '../e2e/policy.ts'
import type { Demo, Shot } from './demo.ts'
import { shots } from './screens.ts'
import { afterwards, inTheMorning, lookAround, show, signIn } from './visit.ts'

const folder = resolve(import.meta.dirname, '../../pictures')
/** PICTURES=note,past: those whose names begin so. */
const wanted = (process.env['PICTURES'] ?? '').split(',')
const chosen = shots.filter(({ name }) => wanted.some((start) => name.startsWith(start)))

test('every screen and popup', async ({ page }, { project }) => {
  await page.addInitScript((theme) => localStorage.setItem('genba:theme', theme), project.metadata['theme'])
  await inTheMorning(page)
  const missing: string[] = []
  const take = async (shot: Shot, demo: Demo | null) => {
    const path = typeof shot.at === 'string' ? shot.at : demo && shot.at(demo)
    const problem = path ? await show(page, shot, path, demo) : 'no such request today'
    if (problem) missing.push(`${shot.name}: ${problem}`)
    else
      await page.screenshot({
        path: resolve(folder, project.name, `${shot.name}.png`),
        animations: 'disabled',
      })
    await afterwards(page, shot)
  }
  for (const shot of chosen.filter(({ guest }) => guest)) await take(shot, null)
  await signIn(page)
  const demo = await lookAround(page)
  for (const shot of chosen.filter(({ guest }) => !guest)) await take(shot, demo)
  expect(missing).toEqual([])
})
