/** Every screen as it is on a small phone, on its side, in くっきり, and with letters of twice the size. */
import type { Page } from '@playwright/test'
import { addressesOf, editAddressesOf } from './addresses.ts'
import { smallTargets } from './audit.ts'
import { expect, freeRequest, readyForOffline, test, type Crm } from './phone.ts'
import { lostNow } from './reflow.ts'

interface Mode {
  size: { width: number; height: number }
  outdoor?: true
  /** In percent. */
  font?: number
  /** The least share of the height that is content. */
  share?: number
}

const PHONE = { width: 390, height: 844 }
const ON_ITS_SIDE = { width: 844, height: 390 }
const SMALL = { width: 320, height: 640 }

const MODES: Record<string, Mode> = {
  くっきり: { size: PHONE, outdoor: true },
  '200 %': { size: PHONE, font: 200 },
  '844 × 390': { size: ON_ITS_SIDE, share: 0.5 },
  '844 × 390, くっきり': { size: ON_ITS_SIDE, outdoor: true, share: 0.5 },
  '320 × 640': { size: SMALL },
  '320 × 640, くっきり': { size: SMALL, outdoor: true },
}

/** WCAG 2.5.5. */
const LEAST_PX = 44

const POPUPS = ['filter', 'entry', 'contact', 'under-pit']

async function screensOf(crm: Crm): Promise<string[]> {
  const { id, workingDate } = await freeRequest(crm)
  const popups = POPUPS.map((popup) =>
    popup === 'filter'
      ? '/request?popup=filter'
      : `/request/${id}?${new URLSearchParams({ workingDate, popup }).toString()}`,
  )
  const edits = (await editAddressesOf(crm)).map(([address]) => address)
  return [...(await addressesOf(crm)), '/request?select=true', ...edits, ...popups]
}

const wear = ({ outdoor, font }: Pick<Mode, 'outdoor' | 'font'>) => {
  if (outdoor) document.documentElement.dataset['theme'] = 'outdoor'
  if (font) document.documentElement.style.fontSize = `${font}%`
}

const shareOfContent = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector('main')?.getBoundingClientRect()
    const foot = document.querySelector('footer')?.getBoundingClientRect().top ?? innerHeight
    return main ? (Math.min(main.bottom, foot) - Math.max(main.top, 0)) / innerHeight : 0
  })

for (const [name, mode] of Object.entries(MODES))
  test(`[WCAG 1.4.4][WCAG 1.4.10] ${name}: nothing is cut off, hidden, wider than the screen or too small for a finger on any screen`, async ({
    crm,
    phone,
  }) => {
    const { page } = phone
    await page.setViewportSize(mode.size)
    await phone.signIn()
    await readyForOffline(page)
    await page.evaluate(wear, mode)
    const wrong: string[] = []
    for (const path of await screensOf(crm)) {
      await page.evaluate((to) => history.pushState(null, '', to), path)
      const main = page.getByRole('main')
      await expect(main.locator('a, button, input, h2').first()).toBeAttached()
      await expect(page.getByRole('status', { name: '読み込み中' })).toHaveCount(0)
      await page.evaluate(() => scrollTo(0, 0))
      const share = mode.share && !path.includes('popup') ? await shareOfContent(page) : 1
      if (share < (mode.share ?? 0)) wrong.push(`${path}: ${share.toFixed(2)} of the height`)
      const found = [...(await lostNow(page)), ...(await smallTargets(page, LEAST_PX))]
      wrong.push(...found.map((each) => `${path}: ${each}`))
    }
    expect(wrong).toEqual([])
  })
