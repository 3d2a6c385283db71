/** Stands in the head of the page (.build/inline-scripts.ts): what must be so before anything is drawn or loaded. */

const COLOURS: Record<string, string> = { light: '#08351f', dark: '#0b2a1b', outdoor: '#ffffff' }

/** What a script may be loaded from by name: the service worker, and the workers of the build. */
const OWN_SCRIPT = /^\/(?:sw\.js|assets\/[\w.-]+\.js)$/

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string | null }): unknown
}

guardScripts((window as { trustedTypes?: TrustedTypes }).trustedTypes)
setTheme(document.documentElement)

/** The one policy of Trusted Types (docs/decisions/0050-content-policy.md): nothing becomes HTML or a script from text. */
function guardScripts(trustedTypes: TrustedTypes | undefined): void {
  trustedTypes?.createPolicy('default', {
    createScriptURL(address) {
      const { origin, pathname, href } = new URL(address, location.href)
      return origin === location.origin && OWN_SCRIPT.test(pathname) ? href : null
    },
  })
}

/** As it was set, else as the device has it. */
function setTheme(page: HTMLElement): void {
  let theme: string | null = null
  try {
    theme = localStorage.getItem('genba:theme')
  } catch {
    // no storage: as the device has it
  }
  if (theme === null || !Object.hasOwn(COLOURS, theme))
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  page.dataset['theme'] = theme
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', COLOURS[theme] ?? '')
}
