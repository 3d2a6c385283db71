/** The pictures of 共有された写真: what a phone has shared waits for a request and a form. */
import { expect, type Page } from '@playwright/test'
import { cameraPhoto } from '../support/camera-photo.ts'
import { share } from '../support/share-page.ts'
import type { Shot } from './demo.ts'
import * as step from './steps.ts'

const PDF = { name: '図面.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }

/** Files that are no photos. */
const shareDocument = (page: Page) => share(page, [PDF])

const sharePhotos = async (page: Page) => {
  const sizes = [
    [1600, 1200],
    [900, 1200],
    [1200, 1200],
  ] as const
  const files = []
  for (const [at, [width, height]] of sizes.entries())
    files.push({
      name: `IMG_${at}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await cameraPhoto(page, width, height),
    })
  await share(page, [...files, PDF])
  await expect(page.getByRole('list', { name: '共有された写真' }).getByRole('img')).toHaveCount(3)
}

/** A request; beside the screen, where there is room, is the list. */
const chooseFirst = async (page: Page) => {
  await page.locator('a[href*="/share?visit="]').first().click()
  await expect(page.getByRole('heading', { name: 'どのフォームに追加しますか' })).toBeVisible()
}

const heading = '共有された写真'

/** One after the other: the last one leaves nothing behind. */
export const shareShots: readonly Shot[] = [
  { name: 'share-none', heading, at: '/request', act: shareDocument },
  { name: 'share', heading, at: '/request', act: sharePhotos },
  { name: 'share-lower', heading, at: '/share', act: step.toEnd },
  { name: 'share-forms', heading, at: '/share', act: chooseFirst },
  { name: 'share-banner', heading: '依頼検索', at: '/request' },
  { name: 'popup-share-discard', heading: /^共有された写真3枚を破棄/, at: '/share', press: ['破棄'] },
  { name: 'share-discarded', heading: '依頼検索', at: '/share', press: ['はい'] },
]
