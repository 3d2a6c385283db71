/**
 * What the dock of a screen (footer and banners) covers, told to the styles:
 *
 *     --covered     how much of the page's foot is covered now: `scroll-padding`, so that what is scrolled to is clear of it
 *     --flash-room  the most that banners have covered since the screen opened: room at the end of the content. It never
 *                   shrinks: a banner that goes must not make the page shorter under the thumb.
 */
import { type RefObject, useEffect } from 'react'
import { usePane } from './pane.ts'

const BANNERS = '[data-flashes]'

export function useRoom(screen: RefObject<HTMLElement | null>, dock: RefObject<HTMLElement | null>): void {
  const pane = usePane()
  useEffect(() => {
    const [box, foot] = [screen.current, dock.current]
    if (!box || !foot) return undefined
    const scroller = pane ? box : document.documentElement
    let room = 0
    const measure = () => {
      const banners = foot.querySelector<HTMLElement>(BANNERS)
      const height = banners?.offsetHeight ?? 0
      room = Math.max(room, height)
      box.style.setProperty('--flash-room', `${room}px`)
      scroller.style.setProperty('--covered', `${height + (pane ? 0 : foot.offsetHeight)}px`)
      if (banners) uncoverFocus(banners)
    }
    const sizes = new ResizeObserver(measure)
    const watch = () => {
      sizes.disconnect()
      sizes.observe(foot)
      for (const part of foot.children) sizes.observe(part)
      measure()
    }
    watch()
    const parts = new MutationObserver(watch)
    parts.observe(foot, { childList: true })
    return () => {
      sizes.disconnect()
      parts.disconnect()
      scroller.style.removeProperty('--covered')
    }
  }, [screen, dock, pane])
}

/** A banner never lies over the field that somebody types in, or that the keyboard has come to. */
function uncoverFocus(banners: HTMLElement): void {
  const active = document.activeElement
  if (!active?.matches('main :focus-visible')) return
  const { top, bottom } = banners.getBoundingClientRect()
  const field = active.getBoundingClientRect()
  if (field.bottom > top && field.top < bottom) active.scrollIntoView({ block: 'nearest' })
}
