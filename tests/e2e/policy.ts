/** Every browser test runs under the Content-Security-Policy of the build; one that meets a violation fails. */
import { expect, test as base, type BrowserContext } from '@playwright/test'

const SAID = 'policy-violation'

/** Notes what any page of this context violates, from its first script on. */
export async function watchPolicy(context: BrowserContext, violations: string[]): Promise<void> {
  context.on('console', (message) => {
    if (message.text().startsWith(SAID)) violations.push(message.text())
  })
  await context.addInitScript((said) => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event
      console.error(`${said} ${effectiveDirective} ${blockedURI} ${sourceFile}:${lineNumber} ${sample}`)
    })
  }, SAID)
}

export const test = base.extend<{ violations: string[] }>({
  violations: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const violations: string[] = []
      await use(violations)
      expect(violations, 'what the pages violated').toEqual([])
    },
    { auto: true },
  ],
  context: async ({ context, violations }, use) => {
    await watchPolicy(context, violations)
    await use(context)
  },
})
