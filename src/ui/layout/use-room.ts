/**
 * What the banners of a screen cover, told to the styles of what scrolls, the page or the content of a pane:
 *
 *     --covered     how high they are now: `scroll-padding`, so that what is scrolled to is clear of them
 *     --flash-room  the most they have been since the screen opened: room at the end of the content. It never shrinks: a
 *                   banner that goes must not make the page shorter under the thumb.
 *
 * Neither is inherited (base.css): the style of a whole page is not worked out anew as a banner comes or goes.
 */
import { type RefObject, useLayoutEffect } from 'react'

const heightOf = (style: CSSStyleDeclaration, name: string) =>
  Number.parseFloat(style.getPropertyValue(name)) || 0

/** @param banners their stack; the content of its screen is what has `data-room` */
export function useRoom(banners: RefObject<HTMLElement | null>): void {
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
    // tells the first size, too, once all is laid out: to ask for it now would lay out a screen that is just being made
    const sizes = new ResizeObserver(measure)
    sizes.observe(stack)
    return () => {
      sizes.disconnect()
      for (const style of scrollers) style.removeProperty('--covered')
    }
  }, [banners])
}

/** A banner never lies over the field that somebody types in, or that the keyboard has come to. */
function uncoverFocus(banners: HTMLElement): void {
  const active = document.activeElement
  if (!active?.matches('main :focus-visible')) return
  const { top, bottom } = banners.getBoundingClientRect()
  const field = active.getBoundingClientRect()
  if (field.bottom > top && field.top < bottom) active.scrollIntoView({ block: 'nearest' })
}
