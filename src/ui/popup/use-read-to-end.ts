import { type RefObject, useEffect, useState } from 'react'

/** Tolerance in px, because scroll positions are fractional under browser zoom. */
const TOLERANCE_PX = 4

/** True if the end of the scrolled content is visible, within the tolerance. */
export const isAtEnd = ({
  scrollTop,
  clientHeight,
  scrollHeight,
}: Pick<Element, 'scrollTop' | 'clientHeight' | 'scrollHeight'>): boolean =>
  scrollTop + clientHeight >= scrollHeight - TOLERANCE_PX

/**
 * Detects that the user has seen a whole sheet: at once if nothing needs scrolling, otherwise at its end.
 * @param inside an element of the sheet, whose dialog scrolls
 * @returns `wasLong` is true if the sheet needed scrolling
 */
export function useReadToEnd(inside: RefObject<HTMLElement | null>): { isRead: boolean; wasLong: boolean } {
  const [isRead, setRead] = useState(false)
  const [wasLong, setLong] = useState(false)
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
