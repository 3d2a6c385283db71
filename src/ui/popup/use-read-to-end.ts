import { type RefObject, useEffect, useState } from 'react'

/** Of what is scrolled; fractions of a pixel and zoom leave a rest. */
const REST_PX = 4

/** Whether the end of what is scrolled is, or was just, in sight. */
export const isAtEnd = ({
  scrollTop,
  clientHeight,
  scrollHeight,
}: Pick<Element, 'scrollTop' | 'clientHeight' | 'scrollHeight'>): boolean =>
  scrollTop + clientHeight >= scrollHeight - REST_PX

/**
 * Whether what a sheet says was seen to its end: at once where all of it fits, else once it was scrolled there.
 * @param inside an element of the sheet, whose dialog scrolls
 */
export function useReadToEnd(inside: RefObject<HTMLElement | null>): { isRead: boolean; wasLong: boolean } {
  const [isRead, setRead] = useState(false)
  const [wasLong, setLong] = useState(false)
  // after the sheet has opened
  useEffect(() => {
    const sheet = inside.current?.closest('dialog')
    if (!sheet || isRead) return undefined
    const look = () => (isAtEnd(sheet) ? setRead(true) : setLong(true))
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(sheet)
    sheet.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      sheet.removeEventListener('scroll', look)
    }
  }, [inside, isRead])
  return { isRead, wasLong }
}
