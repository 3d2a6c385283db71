/**
 * What the banners of a screen cover, told to the styles:
 *
 *     --covered     how high they are now: `scroll-padding`, so that what is scrolled to is clear of them
 *     --flash-room  the most they have been since the screen opened: room at the end of the content. It never shrinks: a
 *                   banner that goes must not make the page shorter under the thumb.
 */
import { type RefObject, useLayoutEffect } from 'react'

const heightOf = (style: CSSStyleDeclaration, name: string) =>
  Number.parseFloat(style.getPropertyValue(name)) || 0

/** @param banners their stack; its screen is what has `data-room` */
export function useRoom(banners: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const stack = banners.current
    const screen = stack?.closest<HTMLElement>('[data-room]')
    if (!stack || !screen) return undefined
    const page = document.documentElement.style
    const measure = () => {
      const { offsetHeight } = stack
      page.setProperty('--covered', `${offsetHeight}px`)
      const room = Math.max(offsetHeight, heightOf(screen.style, '--flash-room'))
      screen.style.setProperty('--flash-room', `${room}px`)
      uncoverFocus(stack)
    }
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(stack)
    return () => {
      sizes.disconnect()
      page.removeProperty('--covered')
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
