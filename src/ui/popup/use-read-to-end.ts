import { type RefObject, useEffect, useState } from 'react'

/** Tolerance in px for fractional scroll positions and browser zoom. */
const REST_PX = 4

/** True if the end of the scrolled content is visible, within the tolerance. */
export const isAtEnd = ({
  scrollTop,
  clientHeight,
  scrollHeight,
}: Pick<Element, 'scrollTop' | 'clientHeight' | 'scrollHeight'>): boolean =>
  scrollTop + clientHeight >= scrollHeight - REST_PX

/**
 * Tracks whether a sheet has been read to its end: at once if everything fits, otherwise after scrolling there.
 * @param inside an element of the sheet; its dialog scrolls
 */
export function useReadToEnd(inside: RefObject<HTMLElement | null>): { isRead: boolean; wasLong: boolean } {
  const [isRead, setRead] = useState(false)
  const [wasLong, setLong] = useState(false)
  // After the sheet has opened.
  useEffect(() => {
    const sheet = inside.current?.closest('dialog')
    if (!sheet || isRead) return undefined
    const check = () => (isAtEnd(sheet) ? setRead(true) : setLong(true))
    check()
    const sizes = new ResizeObserver(check)
    sizes.observe(sheet)
    sheet.addEventListener('scroll', check, { passive: true })
    return () => {
      sizes.disconnect()
      sheet.removeEventListener('scroll', check)
    }
  }, [inside, isRead])
  return { isRead, wasLong }
}
