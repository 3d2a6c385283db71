import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** axe finds nothing on the screen as it stands (WCAG 2.2 AA). */
export async function expectNoViolations(page: Page, screen: string) {
  // what is still moving has no settled colours
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => 0))),
  )
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(
    violations.map(({ id, nodes }) => `${screen}: ${id} ${nodes.map(({ html }) => html).join(' ')}`),
  ).toEqual([])
}
