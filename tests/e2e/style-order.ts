/**
 * A sheet that comes with the code that wants it (`.build/later-styles.ts`) stands behind the page's own: what looks right
 * by that alone would look otherwise in development, and as soon as a module changes sides.
 */
import type { Page } from '@playwright/test'

/** @returns elements that are styled otherwise where the page's own sheet comes last, with what is otherwise about them */
export const dependOnOrder = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    // what is folded away has no size until it is asked for
    const seen = [...document.querySelectorAll('body, body *')].filter((each) => each.checkVisibility())
    const looks = () =>
      seen.map((element) => {
        const style = getComputedStyle(element)
        return { element, values: new Map([...style].map((name) => [name, style.getPropertyValue(name)])) }
      })
    const own = new CSSStyleSheet()
    own.replaceSync(
      [...document.styleSheets]
        .flatMap((sheet) => [...sheet.cssRules])
        .map(({ cssText }) => cssText)
        .join('\n'),
    )
    const before = looks()
    const sheets = document.adoptedStyleSheets
    document.adoptedStyleSheets = [...sheets, own]
    const after = new Map(looks().map(({ element, values }) => [element, values]))
    document.adoptedStyleSheets = sheets
    return before.flatMap(({ element, values }) => {
      const now = after.get(element)
      const others = [...values].filter(([name, value]) => now && now.get(name) !== value)
      const said = others.slice(0, 4).map(([name, value]) => `${name} ${value} → ${now?.get(name)}`)
      return others.length > 0 ? [`${element.outerHTML.slice(0, 80)}: ${said.join(', ')}`] : []
    })
  })
