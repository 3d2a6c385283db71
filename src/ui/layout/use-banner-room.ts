/**
 * Publishes the height of a screen's banners as CSS variables on the scrolling element (the page, or a pane's content):
 *
 *     --covered     current height. `scroll-padding` uses it, so that banners do not cover scroll targets.
 *     --flash-room  greatest height since the screen opened, added as space at the end of the content. It never
 *                   shrinks, because a shorter page would move while the user reads.
 *
 * Neither variable is inherited (base.css), so a change does not restyle the whole page.
 */
import { type RefObject, useLayoutEffect } from 'react'

const heightOf = (style: CSSStyleDeclaration, name: string) =>
  Number.parseFloat(style.getPropertyValue(name)) || 0

/**
 * Keeps the variables up to date while the banners are mounted.
 * @param banners the stack of banners; the content of its screen has the attribute `data-room`
 */
export function useBannerRoom(banners: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const stack = banners.current
    const content = stack?.closest('[data-screen]')?.querySelector<HTMLElement>('[data-room]')
    if (!stack || !content) return undefined
    const scrollers = [document.documentElement.style, content.style]
    const measure = () => {
      const { offsetHeight } = stack
      for (const style of scrollers) style.setProperty('--covered', `${offsetHeight}px`)
      const room = Math.max(offsetHeight, heightOf(content.style, '--flash-room'))
      content.style.setProperty('--flash-room', `${room}px`)
      uncoverFocus(stack)
    }
    // The observer also reports the initial size after layout. Reading it here would force an early layout.
    const sizes = new ResizeObserver(measure)
    sizes.observe(stack)
    return () => {
      sizes.disconnect()
      for (const style of scrollers) style.removeProperty('--covered')
    }
  }, [banners])
}

/** Scrolls the focused field clear of the banners. */
function uncoverFocus(banners: HTMLElement): void {
  const active = document.activeElement
  if (!active?.matches('main :focus-visible')) return
  const { top, bottom } = banners.getBoundingClientRect()
  const field = active.getBoundingClientRect()
  if (field.bottom > top && field.top < bottom) active.scrollIntoView({ block: 'nearest' })
}
