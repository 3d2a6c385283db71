import type { ReactNode } from 'react'
import { usePopup } from './use-popup.ts'

interface PopupProps {
  /** In the address. */
  name: string
  children: (close: () => void) => ReactNode
}

/** A popup beside what it lies over, which is not drawn again with it; opened by `useOpenPopup`. */
export function Popup({ name, children }: PopupProps) {
  const { isOpen, close } = usePopup(name)
  return isOpen && children(close)
}
